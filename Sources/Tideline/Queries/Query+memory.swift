// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

/// The same query over entities at hand, with the meaning that it has in a store.
///
/// It sees the properties of the entities and nothing else: a query that reaches over a relationship, or names a
/// calculated property that does, is an error here and asks a store.
extension Query {
    /// Whether an entity satisfies the condition.
    public func matches(_ entity: Result) throws -> Bool { try !filtered([entity]).isEmpty }

    /// The entities that satisfy the condition, in the order in which they come.
    public func filtered(_ entities: some Sequence<Result>) throws -> [Result] {
        guard conditions.isEmpty else {
            throw LocalStoreError(
                .unsupported,
                set: Result.entityDescription.set,
                message: "A condition in SQL needs a store."
            )
        }
        guard let condition = try condition(memoryChecker()) else { return Array(entities) }
        try refuseRelated([condition])
        return try entities.filter { try Self.evaluator($0).isTrue(condition) }
    }

    /// The entities in the order of the query; those with the same place in it by key.
    public func sorted(_ entities: some Sequence<Result>) throws -> [Result] {
        let checker = try memoryChecker()
        let keys = try plan(checker).completeOrder
        try refuseRelated(keys.map(\.expression))
        let order = RowOrder(isDescending: keys.map(\.isDescending), collations: keys.map(\.collation))
        let rows = try entities.map { entity in
            let evaluator = Self.evaluator(entity)
            return (entity: entity, values: try keys.map { try evaluator.value(of: $0.expression) })
        }
        return rows.sorted { order.compare($0.values, $1.values) < 0 }.map(\.entity)
    }

    /// What a fetch would give if these were all entities of the set: condition, order, offset and limit.
    public func evaluated(over entities: some Sequence<Result>) throws -> [Result] {
        Array(try sorted(filtered(entities)).dropFirst(skip).prefix(top ?? .max))
    }

    private func memoryChecker() throws -> ExpressionChecker { try checker(over: Result.sourceModel) }

    private static func evaluator(_ entity: Result) -> ExpressionEvaluator<EntitySource> {
        ExpressionEvaluator(source: EntitySource(entity.edmValues))
    }

    private func refuseRelated(_ expressions: [TypedExpression]) throws {
        guard expressions.contains(where: \.looksFurther) else { return }
        throw LocalStoreError(
            .unsupported,
            set: Result.entityDescription.set,
            message: "The query looks at what \(Result.self) is related to, which the entities at hand do not hold. "
                + "Ask a store."
        )
    }
}

extension TypedExpression {
    /// Whether other entities than the one at hand are looked at.
    fileprivate var looksFurther: Bool {
        if looksAtCollections { return true }
        if case .path(let path) = node, !path.navigations.isEmpty { return true }
        return children.contains(where: \.looksFurther)
    }
}
