// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What `$search` means for a set: a word or a phrase is found where one of the searched properties contains it, in any
/// letter case.
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

    func condition(_ search: SearchExpression) -> TypedExpression {
        switch search {
        case .word(let text), .phrase(let text): contains(text)
        case .not(let inner): condition(inner).negated
        case .and(let left, let right): condition(left).and(condition(right))
        case .or(let left, let right): condition(left).or(condition(right))
        }
    }

    /// Never null, so that NOT finds rows without a value too.
    private func contains(_ text: String) -> TypedExpression {
        func lower(_ expression: TypedExpression) -> TypedExpression {
            TypedExpression(node: .call(.tolower, [expression]), type: .string)
        }
        let wanted = lower(.literal(.string(text), .string))
        let conditions = set.type.searchProperties.map { place in
            let found = TypedExpression(
                node: .call(.contains, [lower(.property(place, of: set.type)), wanted]),
                type: .boolean
            )
            return TypedExpression(node: .binary(.equal, found, .literal(.boolean(true), .boolean)), type: .boolean)
        }
        return .any(conditions[...])
    }
}
