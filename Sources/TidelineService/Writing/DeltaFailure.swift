// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// A change of a delta that was not carried out, while others were.
struct DeltaFailure {
    /// The URL of the entity, where the request names one, also one that would have been new; `nil` for a link.
    var id: String?
    /// `insert`, `update`, `delete`, `link` or `unlink`.
    var operation: String
    var contentID: String?
    var error: ODataError
}
