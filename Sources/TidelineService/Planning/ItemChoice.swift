// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The options of `$select` for the items of a collection in a row: which of them are written.
///
///     $select=Tags($filter=length($this) gt 1;$search=a;$orderby=$this desc;$skip=1;$top=3;$count=true)
///
/// Source: OData Protocol 4.01, section 11.2.5.1; OData URL Conventions 4.01, section 5.1.4.
struct ItemChoice {
    /// Over an item, as the innermost scope.
    private let condition: TypedExpression?
    private let order: [(key: TypedExpression, isDescending: Bool)]
    private let options: QueryOptions
    private let user: UserContext

    init(
        _ options: QueryOptions,
        of place: Int,
        in set: EntitySet,
        _ planner: Planner,
        _ user: UserContext
    ) throws(ODataError) {
        guard options.compute.isEmpty, options.select == nil, options.expand.isEmpty else {
            throw ODataError(
                .notSupported,
                "A collection in $select takes $filter, $search, $orderby, $skip, $top and $count.",
                target: "$select"
            )
        }
        self.options = options
        self.user = user
        let path = set.type.path(of: place).split(separator: "/").map(String.init)
        let checker = ExpressionChecker(model: planner.model, set: set)
        func body(_ condition: Expression) throws(ODataError) -> TypedExpression {
            let count = try Expression.count(of: path, filter: condition, search: nil).checked(
                by: checker,
                code: .invalidSelect
            )
            guard case .count(_, let body?) = planner.guarded(count, over: set, user).node else {
                throw ODataError(.notSupported, "The items cannot be chosen by this.", target: "$select")
            }
            // The items are chosen after the row is read, where nothing of it is at hand.
            guard TypedExpression(node: .count(.values(.literal(.null, .string)), body), type: .int64).paths.isEmpty
            else {
                throw ODataError(
                    .notSupported,
                    "What chooses and orders items in $select looks at the items alone.",
                    target: "$select"
                )
            }
            return body
        }
        condition = try options.filter.map { filter throws(ODataError) in try body(filter) }
        order = try options.orderBy.map { item throws(ODataError) in
            // Checked as a side of a comparison, which asks for the same: a primitive value.
            guard case .binary(.equal, let key, _) = try body(.binary(.equal, item.expression, item.expression)).node
            else { throw ODataError(.notSupported, "The items cannot be ordered by this.", target: "$select") }
            return (key, item.isDescending)
        }
    }

    /// The items that are chosen, and how many match; `nil` for text that is no array.
    func apply(_ text: String) -> (text: String, count: Int?)? {
        guard case .array(var items)? = JSONValue(text) else { return nil }
        if let condition { items = items.filter { matches($0, condition) } }
        if let search = options.search { items = items.filter { Self.isFound(search, in: $0) } }
        if !order.isEmpty { items = ordered(items) }
        let count = options.count ? items.count : nil
        let chosen = items.dropFirst(options.skip ?? 0).prefix(options.top ?? .max)
        return (JSONValue.array(Array(chosen)).text, count)
    }

    /// The items by the keys of their order; equal ones stay as they are.
    private func ordered(_ items: [JSONValue]) -> [JSONValue] {
        let evaluator = ExpressionEvaluator(source: EntitySource([]), user: user)
        let keyed = items.enumerated().map { place, item in
            (place: place, item: item, keys: order.map { (try? evaluator.value(of: $0.key, over: item)) ?? .null })
        }
        let sorted = keyed.sorted { left, right in
            for (place, part) in order.enumerated() {
                let comparison = Value.compare(left.keys[place], right.keys[place]) ?? 0
                if comparison != 0 { return part.isDescending ? comparison > 0 : comparison < 0 }
            }
            return left.place < right.place
        }
        return sorted.map(\.item)
    }

    /// Whether the words stand in a text of the item, in any letter case, as in the rows of a set.
    private static func isFound(_ search: SearchExpression, in item: JSONValue) -> Bool {
        switch search {
        case .word(let text), .phrase(let text):
            let wanted = text.lowercased()
            return texts(of: item).contains { $0.lowercased().contains(wanted) }
        case .not(let inner): return !isFound(inner, in: item)
        case .and(let left, let right): return isFound(left, in: item) && isFound(right, in: item)
        case .or(let left, let right): return isFound(left, in: item) || isFound(right, in: item)
        }
    }

    private static func texts(of item: JSONValue) -> [String] {
        switch item {
        case .string(let text): [text]
        case .array(let items): items.flatMap(texts)
        case .object(let members): members.flatMap { texts(of: $0.value) }
        default: []
        }
    }

    private func matches(_ item: JSONValue, _ condition: TypedExpression) -> Bool {
        let array = TypedExpression.literal(.string(JSONValue.array([item]).text), .string)
        let count = TypedExpression(node: .count(.values(array), condition), type: .int64)
        return (try? ExpressionEvaluator(source: EntitySource([]), user: user).value(of: count)) == .integer(1)
    }
}
