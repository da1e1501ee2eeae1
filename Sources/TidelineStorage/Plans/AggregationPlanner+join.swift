// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// Entities with what is related to them.
///
/// Source: OData Extension for Data Aggregation 4.0, "Transformations join and outerjoin".
extension AggregationPlanner {
    /// What a join is about.
    private struct Join {
        var alias: String
        var name: String
        var place: Int
        var target: EntitySet
        /// The condition on the related entities that the sequence begins with.
        var filter: TypedExpression?
        /// What follows it.
        var sequence: [Transformation]
    }

    mutating func join(
        _ path: [String],
        as alias: String,
        _ inner: [Transformation],
        isOuter: Bool
    ) throws(ExpressionError) {
        guard case .entities(let made) = shape, prefix.isEmpty else {
            throw Self.unsupported("a join of what is no entity")
        }
        let type = set.type
        guard type.propertyIndex(wire: alias) == nil, type.navigationIndex(wire: alias) == nil,
            !type.complexProperties.contains(where: { $0.names.wire == alias }),
            !made.contains(where: { $0.name == alias })
        else { throw ExpressionError(.invalidPath, message: "\(alias) is a name that is taken.", target: alias) }
        let join = try self.join(path, as: alias, inner)
        if case .aggregate(let items)? = join.sequence.first, join.sequence.count == 1 {
            try fold(join, items, isOuter: isOuter)
        } else {
            try follow(join, isOuter: isOuter)
        }
        joined[alias] = join.target
        mayBeEmpty = true
    }

    private func join(_ path: [String], as alias: String, _ inner: [Transformation]) throws(ExpressionError) -> Join {
        guard path.count == 1, let name = path.first else { throw Self.unsupported("a path of several names in join") }
        guard let place = set.type.navigationIndex(wire: name) else {
            guard set.type.propertyIndex(wire: name) == nil else { throw Self.unsupported("a join of a property") }
            throw ExpressionError(
                .unknownProperty,
                message: "'\(set.type.names.wire)' has no navigation property '\(name)'.",
                target: name
            )
        }
        let navigation = set.type.navigationProperties[place]
        guard navigation.isCollection, let target = model[set: navigation.targetSet] else {
            throw ExpressionError(
                .invalidPath,
                message: "A join is over a collection, and \(name) is none.",
                target: name
            )
        }
        let (filter, sequence) = try Self.leadingFilter(inner, over: target, in: model)
        return Join(alias: alias, name: name, place: place, target: target, filter: filter, sequence: sequence)
    }

    /// The condition that a sequence begins with, and the rest of the sequence.
    static func leadingFilter(
        _ sequence: [Transformation],
        over set: EntitySet,
        in model: EntityModel
    ) throws(ExpressionError) -> (filter: TypedExpression?, rest: [Transformation]) {
        var filter: TypedExpression?
        for (place, transformation) in sequence.enumerated() {
            let part: TypedExpression
            switch transformation {
            case .identity: continue
            case .filter(let expression):
                part = try condition(ExpressionChecker(model: model, set: set).check(expression))
            case .search(let search) where !set.type.searchProperties.isEmpty:
                part = ExpressionChecker.condition(for: search, over: set.type)
            default: return (filter, Array(sequence[place...]))
            }
            filter = filter.map { TypedExpression(node: .binary(.and, $0, part), type: .boolean) } ?? part
        }
        return (filter, [])
    }

    // MARK: - Aggregated

    /// What `filter(…)/aggregate(…)` makes of what a navigation property leads to, as values of the entity itself.
    ///
    /// - Returns: `nil` for another sequence.
    package static func values(
        of sequence: [Transformation],
        over navigation: String,
        of set: EntitySet,
        as derivedType: String? = nil,
        in model: EntityModel
    ) throws(ExpressionError) -> [(name: String, value: TypedExpression)]? {
        guard
            let target = set.type.navigationIndex(wire: navigation).flatMap({
                model[set: set.type.navigationProperties[$0].targetSet]
            })
        else { return nil }
        let (filter, rest) = try leadingFilter(sequence, over: target, in: model)
        guard case .aggregate(let items)? = rest.first, rest.count == 1 else { return nil }
        var checker = ExpressionChecker(model: model, set: set)
        checker.derivedType = derivedType
        return try values(
            items.map { (item) throws(ExpressionError) in try resolved(item, over: target) },
            over: navigation,
            where: filter,
            checker
        )
    }

    private static func values(
        _ items: [AggregateItem],
        over navigation: String,
        where filter: TypedExpression?,
        _ checker: ExpressionChecker
    ) throws(ExpressionError) -> [(name: String, value: TypedExpression)] {
        var values: [(name: String, value: TypedExpression)] = []
        for item in items {
            guard let alias = item.alias else { throw unsupported("an aggregate without a name") }
            guard !values.contains(where: { $0.name == alias }) else {
                throw ExpressionError(.invalidPath, message: "\(alias) is a name that is taken.", target: alias)
            }
            var value = try checker.check(.aggregate(over: [navigation], [item]))
            if let filter {
                switch value.node {
                case .fold(let folding, let items, where: nil, let inner):
                    value.node = .fold(folding, items, where: filter, inner)
                case .count(let items, nil): value.node = .count(items, filter)
                default: throw unsupported("such an aggregate")
                }
            }
            values.append((alias, value))
        }
        return values
    }

    /// Whether there is a related entity that the filter takes.
    private func isRelated(_ join: Join) throws(ExpressionError) -> TypedExpression {
        var test = try checker().check(.lambda(.any, over: [join.name], variable: nil, nil))
        guard case .lambda(let quantifier, let items, nil) = test.node else { throw Self.unsupported("such a join") }
        test.node = .lambda(quantifier, items, join.filter)
        return guards.guarded(test, [set])
    }

    func checker() -> ExpressionChecker {
        var checker = ExpressionChecker(model: model, set: set)
        checker.derivedType = derivedType
        return checker
    }

    /// One row for each entity, with what is aggregated of those that are related to it.
    private mutating func fold(_ join: Join, _ items: [AggregateItem], isOuter: Bool) throws(ExpressionError) {
        let test = try isRelated(join)
        if !isOuter { steps.append(.filter(test)) }
        var (columns, values) = projection()
        addPaths(join.alias, nil, [], &columns, &values)
        let sorted = Self.sorted(order, &columns, &values)
        let items = try items.map { (item) throws(ExpressionError) in try Self.resolved(item, over: join.target) }
        for (name, value) in try Self.values(items, over: join.name, where: join.filter, checker()) {
            var value = guards.guarded(value, [set])
            // Where nothing is related there is no row to aggregate, and not one of zeros.
            if isOuter { value.node = .conditional([.init(condition: test, value: value)]) }
            columns.append(Self.result([join.alias, name], value))
            values.append(value)
        }
        steps.append(.project(values))
        become(columns)
        order = sorted
    }

    // MARK: - One by one

    /// One row for each pair of an entity and a related one.
    private mutating func follow(_ join: Join, isOuter: Bool) throws(ExpressionError) {
        guard join.sequence.allSatisfy({ Self.canFollow($0, isOuter: isOuter) }) else {
            throw Self.unsupported("such a sequence in \(isOuter ? "outerjoin" : "join")")
        }
        var (columns, values) = projection()
        addPaths(join.alias, nil, [], &columns, &values)
        let sorted = Self.sorted(order, &columns, &values)
        let alone = Branch(
            steps: [
                .filter(TypedExpression(node: .unary(.not, try isRelated(join)), type: .boolean)), .project(values),
            ],
            columns: columns,
            copies: copies
        )
        values = values.map { $0.deeper(by: 1) }
        for place in Self.plainProperties(join.target.type) {
            let property = join.target.type.properties[place]
            let value = TypedExpression(
                node: .path(.init(property: place)),
                type: property.type,
                enumeration: property.enumeration,
                structure: property.structure
            )
            columns.append(Self.result([join.alias] + Self.path(of: place, in: join.target.type), value))
            values.append(value)
        }
        addPaths(join.alias, join.target, join.sequence, &columns, &values)
        let link = set.type.navigationProperties[join.place].link.flatMap { model[set: $0.set] }
        let filter = join.filter.map { guards.guarded($0, [join.target]) }
        let step = AggregationPlan.Step.join(
            navigation: join.place,
            links: link.flatMap { guards.visible($0, nil) },
            where: guards.visible(join.target, filter),
            values: values
        )
        var branch = self
        branch.steps = isOuter ? [step] : steps + [step]
        branch.become(columns)
        branch.order = sorted
        try branch.add(join.sequence, of: join)
        guard isOuter else {
            self = branch
            return
        }
        let order = branch.order
        let all = try branch.project()
        let pairs = Branch(steps: branch.steps, columns: all, copies: branch.copies)
        try unite([pairs, alone], from: steps.count)
        self.order = order
    }

    /// What works within the related entities of one entity; where none may be left, an outer join would not tell.
    private static func canFollow(_ transformation: Transformation, isOuter: Bool) -> Bool {
        switch transformation {
        case .identity, .compute, .orderBy: true
        case .top(let count): !isOuter || count > 0
        case .filter, .skip, .ranked: !isOuter
        default: false
        }
    }

    /// The rest of the sequence, over the related entities of each entity.
    private mutating func add(_ sequence: [Transformation], of join: Join) throws(ExpressionError) {
        let (around, before, last) = (within, order, rest)
        let keys = set.type.key.map { Self.path(of: $0, in: set.type) }
        guard case .rows(let columns) = shape else { return }
        for key in keys where !within.contains(where: { $0.path == key }) {
            guard let place = columns.firstIndex(where: { $0.path == key }) else { continue }
            within.append(Grouping(path: key, value: Self.column(place, columns[place])))
        }
        (prefix, order, rest) = ([join.alias], [], [])
        try add(all: sequence)
        let own = within.suffix(within.count - around.count).map { ReadPlan.SortKey($0.value) }
        order = order.isEmpty ? before : before + own + order
        (prefix, rest) = ([], last)
        within.removeLast(within.count - around.count)
    }
}
