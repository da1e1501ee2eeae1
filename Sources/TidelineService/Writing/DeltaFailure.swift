// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// A change of a delta that was not carried out, while others were.
struct DeltaFailure {
    /// The changed entity, where the request names one; `nil` for a new one or a link.
    var entity: Resource.Entity?
    /// `insert`, `update`, `delete`, `link` or `unlink`.
    var operation: String
    var contentID: String?
    var error: ODataError
}
