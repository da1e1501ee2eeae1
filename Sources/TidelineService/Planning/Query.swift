// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// A planned read, with its parts: a delta asks for policy and filter one by one.
struct Query {
    var plan: ReadPlan
    var shape: RowShape
    /// What hides rows from the user.
    var policy: TypedExpression?
    /// What the request filters.
    var filter: TypedExpression?
    /// What the path of the URL restricts.
    var restriction: TypedExpression?
    /// The options for the items of collections in the rows, by the properties' places.
    var items: [Int: QueryOptions] = [:]
}
