// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPRequest {
    /// The whole address: scheme, authority and path.
    var address: String { "\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")" }
}
