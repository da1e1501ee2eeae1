// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Who asks, and which domain: everything that is known before a body is read.
struct Caller: Sendable {
    var loaded: LoadedDomain
    var user: UserContext
    /// The user's name; `nil` where nobody signed in.
    var name: String?
}
