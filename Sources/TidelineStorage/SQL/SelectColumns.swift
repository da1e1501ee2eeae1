// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The result columns of a ``SelectStatement`` in their order: their SQL, and what they hold.
struct SelectColumns {
    /// The properties in the first columns, as places in the entity type.
    let properties: [Int]
    /// The SQL of every column.
    var sql: [SQLFragment]
    /// Where the computed values of the plan are.
    var computed: [SelectStatement.ContinuationColumn] = []
    /// Where the values of the order's keys are, one for each key.
    var continuation: [SelectStatement.ContinuationColumn] = []
}

extension SQLCompiler {
    /// The columns of a plan, and of what its ETag, its expansions and its continuation need.
    ///
    /// - Parameter terms: the keys of the plan's complete order.
    mutating func columns(of plan: ReadPlan, _ terms: [Term]) -> SelectColumns {
        let type = plan.set.type
        var properties = plan.columns
        if plan.includesETag { properties.appendMissing(contentsOf: type.properties.indices) }
        for expansion in plan.expansions {
            properties.appendMissing(contentsOf: expansion.sources(of: plan.set))
        }
        for term in terms {
            if let own = term.expression.ownProperty { properties.appendMissing(contentsOf: CollectionOfOne(own)) }
        }
        var columns = SelectColumns(
            properties: properties,
            sql: properties.map { column(type.properties[$0], of: root) }
        )
        for expression in plan.computed {
            let kind = expression.type ?? .string
            columns.computed.append(.init(column: columns.sql.count, property: nil, type: kind))
            columns.sql.append(value(expression))
        }
        for term in terms { append(term, of: type, to: &columns) }
        return columns
    }

    /// A key of the order has a column of its own, unless that of a property holds its value.
    private func append(_ term: Term, of type: EntityType, to columns: inout SelectColumns) {
        let kind = term.expression.type ?? .string
        if let own = term.expression.ownProperty, type.properties[own].storage != .memberName,
            let column = columns.properties.firstIndex(of: own)
        {
            columns.continuation.append(.init(column: column, property: type.properties[own], type: kind))
            return
        }
        var property: Property?
        var value = term.operand
        if case .stored(let stored) = value.form {
            // The number of a member is told by the compiler alone.
            if stored.property.storage == .memberName {
                value = computed(value)
            } else {
                property = stored.property
            }
        }
        columns.continuation.append(.init(column: columns.sql.count, property: property, type: kind))
        columns.sql.append(value.sql)
    }
}

extension Array where Element == Int {
    fileprivate mutating func appendMissing(contentsOf places: some Sequence<Int>) {
        for place in places where !contains(place) { append(place) }
    }
}
