// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// The version that the tool prints.
enum Version {
    static let text = Release.version
}
