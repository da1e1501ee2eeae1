// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What `$search` means for a set: a word or a phrase is found where one of the searched properties contains it, in any
/// letter case; where the domain turns on a full-text index, as a whole word.
///
/// A plain condition, so that policies, pages and deltas treat it as any other.
/// Source: OData Protocol 4.01, section 11.2.6.6: what matches is for the service to say.
struct Search {
    let set: EntitySet

    init(_ set: EntitySet) throws(ODataError) {
        guard !set.type.searchProperties.isEmpty else {
            throw ODataError(.notSupported, "\(set.names.wire) cannot be searched.", target: "$search")
        }
        self.set = set
    }

    /// Never null, so that NOT finds rows without a value too.
    func condition(_ search: SearchExpression) -> TypedExpression {
        ExpressionChecker.condition(for: search, over: set.type)
    }
}
