// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The options of `$select` for the items of a collection in a row: which of them are written.
///
///     $select=Tags($filter=length($this) gt 1;$skip=1;$top=3;$count=true)
///
/// Source: OData Protocol 4.01, section 11.2.5.1; OData URL Conventions 4.01, section 5.1.4.
struct ItemChoice {
    /// Over an item, as the innermost scope.
    private let condition: TypedExpression?
    private let options: QueryOptions
    private let user: UserContext

    init(
        _ options: QueryOptions,
        of place: Int,
        in set: EntitySet,
        _ planner: Planner,
        _ user: UserContext
    ) throws(ODataError) {
        guard options.orderBy.isEmpty, options.search == nil, options.compute.isEmpty, options.select == nil,
            options.expand.isEmpty
        else {
            throw ODataError(
                .notSupported,
                "A collection in $select takes $filter, $skip, $top and $count.",
                target: "$select"
            )
        }
        self.options = options
        self.user = user
        guard let filter = options.filter else {
            condition = nil
            return
        }
        let path = set.type.path(of: place).split(separator: "/").map(String.init)
        let checker = ExpressionChecker(model: planner.model, set: set)
        let count = try Expression.count(of: path, filter: filter, search: nil).checked(
            by: checker,
            code: .invalidSelect
        )
        guard case .count(_, let body?) = planner.guarded(count, over: set, user).node else {
            throw ODataError(.notSupported, "The items cannot be filtered by this.", target: "$select")
        }
        // The items are chosen after the row is read, where nothing of it is at hand.
        guard TypedExpression(node: .count(.values(.literal(.null, .string)), body), type: .int64).paths.isEmpty else {
            throw ODataError(.notSupported, "A filter of items in $select looks at the items alone.", target: "$select")
        }
        condition = body
    }

    /// The items that are chosen, and how many match; `nil` for text that is no array.
    func apply(_ text: String) -> (text: String, count: Int?)? {
        guard case .array(var items)? = JSONValue(text) else { return nil }
        if let condition { items = items.filter { matches($0, condition) } }
        let count = options.count ? items.count : nil
        let chosen = items.dropFirst(options.skip ?? 0).prefix(options.top ?? .max)
        return (JSONValue.array(Array(chosen)).text, count)
    }

    private func matches(_ item: JSONValue, _ condition: TypedExpression) -> Bool {
        let array = TypedExpression.literal(.string(JSONValue.array([item]).text), .string)
        let count = TypedExpression(node: .count(.values(array), condition), type: .int64)
        return (try? ExpressionEvaluator(source: EntitySource([]), user: user).value(of: count)) == .integer(1)
    }
}
