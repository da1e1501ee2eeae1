// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Entities as rows, and rows of several sequences as one result.
extension AggregationPlanner {
    /// One of several sequences whose rows become one result.
    struct Branch {
        var steps: [AggregationPlan.Step]
        var columns: [AggregationPlan.Column]
        var copies: Int
    }

    mutating func concat(_ sequences: [[Transformation]]) throws(ExpressionError) {
        // From where groups were made on, so that each sequence has all of them.
        let start = split?.start ?? steps.count
        var branches: [Branch] = []
        var joined = self.joined
        for sequence in sequences {
            var branch = self
            branch.steps = Array(steps[start...])
            branch.split?.start = 0
            try branch.add(all: sequence)
            branch.order = []
            let columns = try branch.project()
            branches.append(Branch(steps: branch.steps, columns: columns, copies: branch.copies))
            joined.merge(branch.joined) { known, _ in known }
        }
        try unite(branches, from: start)
        self.joined = joined
    }

    /// Replaces the steps from one on by the union of branches that begin there.
    mutating func unite(_ branches: [Branch], from start: Int) throws(ExpressionError) {
        try setCopies(branches.reduce(0) { $0 + $1.copies })
        var columns: [AggregationPlan.Column] = []
        for branch in branches {
            for column in branch.columns {
                guard let known = columns.firstIndex(where: { $0.path == column.path }) else {
                    columns.append(column)
                    continue
                }
                if columns[known].type == nil {
                    columns[known].type = column.type
                    columns[known].enumeration = column.enumeration
                }
                columns[known].isHidden = columns[known].isHidden && column.isHidden
                guard column.type == nil || column.type == columns[known].type else {
                    throw Self.unsupported("one name for values of two types in concat")
                }
            }
        }
        let aligned = branches.map { branch in
            (branch.steps, columns.map { column in branch.columns.firstIndex { $0.path == column.path } })
        }
        steps.removeSubrange(start...)
        steps.append(.concat(aligned, types: columns.map(\.type)))
        become(columns)
    }

    /// Has the rows be these columns, in no order.
    mutating func become(_ columns: [AggregationPlan.Column]) {
        shape = .rows(columns)
        order = []
        for place in within.indices {
            guard let column = columns.firstIndex(where: { $0.path == within[place].path }) else { continue }
            within[place].value = Self.column(column, columns[column])
        }
    }

    /// What rows of entities hold: their properties, those that were computed, and what they are grouped by.
    func projection() -> (columns: [AggregationPlan.Column], values: [TypedExpression]) {
        guard case .entities(let made) = shape else { return ([], []) }
        var columns: [AggregationPlan.Column] = []
        var values: [TypedExpression] = []
        func add(_ path: [String], _ value: TypedExpression) {
            values.append(value)
            columns.append(Self.result(path, value))
        }
        for place in Self.plainProperties(set.type) {
            let property = set.type.properties[place]
            let value = TypedExpression(
                node: .path(.init(property: place)),
                type: property.type,
                enumeration: property.enumeration,
                structure: property.structure
            )
            add(Self.path(of: place, in: set.type), value)
        }
        for (name, value) in made { add([name], value) }
        for grouping in within where !columns.contains(where: { $0.path == grouping.path }) {
            add(grouping.path, grouping.value)
        }
        return (columns, values)
    }

    /// Entities at the end are rows of all their properties and of those that were computed.
    @discardableResult mutating func project() throws(ExpressionError) -> [AggregationPlan.Column] {
        if case .rows(let columns) = shape { return columns }
        var (columns, values) = projection()
        // The order is over the entity: it goes on over the columns.
        let sorted = Self.sorted(order, &columns, &values)
        steps.append(.project(values))
        become(columns)
        order = sorted
        return columns
    }
}
