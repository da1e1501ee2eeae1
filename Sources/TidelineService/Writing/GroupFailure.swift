// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineOData

/// The request that made a group fail, and why.
///
/// The group's changes are undone.
struct GroupFailure: Error {
    /// The place of the request in the group.
    var place: Int
    var error: ODataError
}
