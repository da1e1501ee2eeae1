// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// `$crossjoin`: the entities of several sets, each with each.
extension AggregationPlanner {
    /// What a cross join is asked.
    public struct Cross {
        /// The sets; no two are the same.
        public var sets: [EntitySet]
        /// The condition on the entities of each set: what the policies leave.
        public var policies: [TypedExpression?]
        public var filter: Expression?
        public var orderBy: [OrderByItem] = []
        /// The transformations of `$apply`, over rows of all properties.
        public var transformations: [Transformation]?

        /// The condition that all policies make together, over the scopes of the sets.
        public var policy: TypedExpression? {
            var condition: TypedExpression?
            for (place, policy) in policies.enumerated() {
                guard let policy = policy?.deeper(by: sets.count - 1 - place) else { continue }
                condition = condition.map { TypedExpression(node: .binary(.and, $0, policy), type: .boolean) } ?? policy
            }
            return condition
        }

        public init(_ sets: [EntitySet], policies: [TypedExpression?]) {
            self.sets = sets
            self.policies = policies
        }
    }

    /// Plans a cross join.
    ///
    /// Without transformations the columns are the keys of the sets, one after the other, and then what the order is by;
    /// all columns are in the order at the end, so that pages are the same each time.
    ///
    /// - Parameters:
    ///   - filtering: puts a condition over all sets behind the policies.
    ///   - valuing: the same for a value that is computed.
    /// - Throws: ``TidelineModel/ExpressionError`` that says what is wrong, or not supported.
    public static func plan(
        _ cross: Cross,
        in model: EntityModel,
        user: UserContext,
        filtering: (TypedExpression) -> TypedExpression = { $0 },
        valuing: (TypedExpression) -> TypedExpression = { $0 }
    ) throws(ExpressionError) -> AggregationPlan {
        guard let first = cross.sets.first else { throw unsupported("a cross join of nothing") }
        var condition = cross.policy
        if let filter = cross.filter {
            let typed = filtering(try ExpressionChecker.check(filter, across: cross.sets, in: model))
            guard typed.type == .boolean || typed.node == .literal(.null) else {
                throw ExpressionError(.wrongType, message: "$filter is no condition.", target: "$filter")
            }
            condition = condition.map { TypedExpression(node: .binary(.and, $0, typed), type: .boolean) } ?? typed
        }
        var columns: [AggregationPlan.Column] = []
        var values: [TypedExpression] = []
        for (place, set) in cross.sets.enumerated() {
            for property in cross.transformations == nil ? set.type.key : plainProperties(set.type) {
                let known = set.type.properties[property]
                let up = cross.sets.count - 1 - place
                values.append(
                    TypedExpression(
                        node: .path(.init(property: property, up: up)),
                        type: known.type,
                        enumeration: known.enumeration,
                        structure: known.structure
                    )
                )
                columns.append(result([set.names.wire] + path(of: property, in: set.type), values[values.count - 1]))
            }
        }
        var order: [ReadPlan.SortKey] = []
        for (place, item) in cross.orderBy.enumerated() where cross.transformations == nil {
            let value = valuing(try ExpressionChecker.check(item.expression, across: cross.sets, in: model))
            let made = result(["$orderby", "\(place)"], value)
            order.append(.init(column(values.count, made), isDescending: item.isDescending))
            values.append(value)
            columns.append(made)
        }
        var planner = AggregationPlanner(model: model, set: first)
        planner.steps = [.cross(Array(cross.sets.dropFirst()), where: condition, values: values)]
        planner.shape = .rows(columns)
        try planner.add(all: cross.transformations ?? [])
        columns = try planner.project()
        return AggregationPlan(
            model: model,
            set: first,
            filter: nil,
            steps: planner.steps,
            columns: columns,
            orderBy: cross.transformations == nil ? order : planner.order,
            user: user
        )
    }

    static func plainProperties(_ type: EntityType) -> [Int] {
        type.properties.indices.filter { !type.properties[$0].isLocalOnly && type.properties[$0].stream == nil }
    }

    /// The names that lead to a property, those of complex properties before its own.
    static func path(of place: Int, in type: EntityType) -> [String] {
        var path = [type.properties[place].names.wire]
        var container = type.properties[place].container
        while let current = container {
            path.insert(type.complexProperties[current].names.wire, at: 0)
            container = type.complexProperties[current].parent
        }
        return path
    }
}

extension AggregationPlan {
    /// The plan that counts the rows of this one.
    public var counting: AggregationPlan {
        var plan = self
        let count = Aggregate(method: .count, value: nil, type: .int64)
        plan.steps.append(.group(keys: [], sets: [[]], aggregates: [count]))
        plan.columns = [Column(path: ["$count"], type: .int64)]
        plan.orderBy = []
        plan.skip = 0
        plan.top = nil
        return plan
    }
}
