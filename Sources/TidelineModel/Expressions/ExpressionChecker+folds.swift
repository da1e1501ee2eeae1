// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Values aggregated over collections.
extension ExpressionChecker {
    /// `Items/aggregate(Price with sum)`.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, section 3.2.1, "Aggregate in expressions".
    func aggregate(
        _ collection: Collection,
        _ list: [AggregateItem],
        _ context: Context
    ) throws(ExpressionError) -> TypedExpression {
        guard list.count == 1, let item = list.first, item.from.isEmpty else {
            throw unsupported("aggregate with several values or with from")
        }
        let inner = context.entering(collection.content, variable: nil)
        let value: TypedExpression
        let method: AggregateMethod
        switch item.source {
        case .custom: throw unsupported("custom aggregates")
        case .count(let path) where path.isEmpty:
            let count = TypedExpression(node: .count(collection.items, collection.test), type: .int64)
            return guarded(count, collection.startGuard)
        case .count(let path):
            (value, method) = (try check(.count(of: path, filter: nil, search: nil), inner), .sum)
        case .expression(let expression):
            guard let name = item.method else { throw unsupported("aggregate without a method") }
            (value, method) = (try settled(check(expression, inner)), name)
        }
        let (folding, type) = try Folding.of(method, over: value)
        let node = TypedExpression.Node.fold(folding, collection.items, where: collection.test, value)
        return guarded(TypedExpression(node: node, type: type), collection.startGuard)
    }

    /// A value of the place that a path starts from; null where that is not what it was cast to.
    func guarded(_ value: TypedExpression, _ startGuard: TypedExpression?) -> TypedExpression {
        guard let startGuard else { return value }
        var result = value
        result.node = .conditional([.init(condition: startGuard, value: value)])
        return result
    }
}
