// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Makes a plan of the transformations of `$apply`.
///
/// What is not supported (hierarchies, functions, `nest` and `addnested` before other transformations) is an
/// ``TidelineModel/ExpressionError`` with `unsupported`, never a wrong result.
public struct AggregationPlanner {
    enum Shape {
        /// Entities, with the properties that `compute` made.
        case entities([(name: String, value: TypedExpression)])
        case rows([AggregationPlan.Column])
    }

    /// A grouping property of the groups that the transformations at hand are applied to, one by one.
    struct Grouping {
        var path: [String]
        var value: TypedExpression
    }

    /// Where the groups at hand were made.
    struct Split {
        /// How many steps there were.
        var start: Int
        var shape: Shape
        var within: [Grouping]
    }

    let model: EntityModel
    let set: EntitySet
    let guards: AggregationGuards
    /// The derived type that the entities are cast to.
    var derivedType: String?
    var shape = Shape.entities([])
    var steps: [AggregationPlan.Step] = []
    var order: [ReadPlan.SortKey] = []
    var within: [Grouping] = []
    var split: Split?
    /// Whether a group may have lost all of its rows since it was made.
    var mayBeEmpty = false
    /// What joins added, by their names.
    var joined: [String: EntitySet] = [:]
    /// The name that stands before all paths in the sequence of a join.
    var prefix: [String] = []
    /// How many times the statement reads the entities: unions multiply.
    var copies = 1
    /// The transformations that follow, of each sequence around.
    var rest: [[Transformation]] = []

    init(model: EntityModel, set: EntitySet, guards: AggregationGuards = .none) {
        self.model = model
        self.set = set
        self.guards = guards
    }

    /// Plans a sequence of transformations over a set.
    ///
    /// - Parameters:
    ///   - derivedType: the wire name of the derived type that the entities are cast to; the filter says that they are.
    ///   - filter: the condition on the entities, policies included.
    ///   - guards: what keeps expressions behind the policies.
    ///   - keepsEntities: whether the result are entities, which a ``RowSource`` stands for.
    /// - Throws: ``TidelineModel/ExpressionError`` that says what is wrong, or not supported.
    public static func plan(
        _ transformations: [Transformation],
        over set: EntitySet,
        as derivedType: String? = nil,
        in model: EntityModel,
        filter: TypedExpression?,
        user: UserContext,
        guards: AggregationGuards = .none,
        keepsEntities: Bool = false
    ) throws(ExpressionError) -> AggregationPlan {
        var planner = AggregationPlanner(model: model, set: set, guards: guards)
        planner.derivedType = derivedType
        try planner.add(all: transformations)
        var columns: [AggregationPlan.Column] = []
        if !keepsEntities {
            columns = try planner.project()
            try requireNames(columns)
        } else if case .rows = planner.shape {
            throw unsupported("what makes other rows than entities")
        }
        var plan = AggregationPlan(
            model: model,
            set: set,
            filter: filter,
            steps: planner.steps,
            columns: columns,
            orderBy: planner.order,
            user: user
        )
        plan.joined = planner.joined.mapValues(\.names.wire)
        return plan
    }

    /// A row tells each of its values by a name of its own.
    ///
    /// Source: OData Data Aggregation 4.0, section 3.2.1.1 (aliases).
    private static func requireNames(_ columns: [AggregationPlan.Column]) throws(ExpressionError) {
        let shown = columns.filter { !$0.isHidden }
        // What has others below it is an object by its name.
        var names = Set(shown.flatMap { column in column.path.indices.dropFirst().map { Array(column.path[..<$0]) } })
        for column in shown where !names.insert(column.path).inserted {
            let name = column.path.joined(separator: "/")
            throw ExpressionError(
                .duplicateName,
                message: "The result has \(name) twice: name one of the two by another alias, or leave it out.",
                target: name
            )
        }
    }

    // MARK: - Expressions

    func check(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        switch shape {
        case .entities(let made):
            var checker = ExpressionChecker(model: model, set: set)
            checker.derivedType = derivedType
            checker.computed = Dictionary(made.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
            do throws(ExpressionError) {
                return guards.guarded(try checker.check(expression), [set])
            } catch {
                guard error.code == .invalidPath, case .path(let names) = expression, goesThroughMany(names) else {
                    throw error
                }
                throw Self.unsupported("the path \(names.joined(separator: "/")) over a collection")
            }
        case .rows(let columns):
            // In the sequence of a join, other names than those of the related entities are nothing's.
            let source = AggregationPlan.derived(prefix.isEmpty ? columns : [])
            var checker = ExpressionChecker(model: model, set: source)
            for (place, column) in columns.enumerated() where column.path.starts(with: prefix) {
                let name = column.path.dropFirst(prefix.count).joined(separator: "/")
                checker.computed[name] = Self.column(place, column)
            }
            return try checker.check(expression)
        }
    }

    func condition(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        try Self.condition(check(expression))
    }

    static func condition(_ typed: TypedExpression) throws(ExpressionError) -> TypedExpression {
        guard typed.type == .boolean || typed.node == .literal(.null) else {
            throw ExpressionError(.wrongType, message: "A condition is needed for filter.", target: "filter")
        }
        return typed
    }

    static func column(_ place: Int, _ column: AggregationPlan.Column) -> TypedExpression {
        TypedExpression(
            node: .path(.init(property: place)),
            type: column.type,
            enumeration: column.enumeration,
            structure: column.structure
        )
    }

    /// Whether a path from an entity goes over a collection of related ones.
    private func goesThroughMany(_ path: [String]) -> Bool {
        var type = set.type
        for name in path.dropLast() where !name.contains(".") {
            guard let place = type.navigationIndex(wire: name),
                let target = model[set: type.navigationProperties[place].targetSet]
            else { return false }
            if type.navigationProperties[place].isCollection { return true }
            type = target.type
        }
        return false
    }

    static func result(_ path: [String], _ value: TypedExpression) -> AggregationPlan.Column {
        .init(path: path, type: value.type, enumeration: value.enumeration, structure: value.structure)
    }

    static func unsupported(_ what: String) -> ExpressionError {
        ExpressionError(.unsupported, message: "$apply does not support \(what) here.", target: "$apply")
    }

    /// The most times that one statement may read the entities.
    private static let copyLimit = 1_000

    mutating func setCopies(_ count: Int) throws(ExpressionError) {
        guard count <= Self.copyLimit else {
            throw ExpressionError(
                .tooDeep,
                message: "The transformations read the set more than \(Self.copyLimit) times.",
                target: "$apply"
            )
        }
        copies = count
    }

    // MARK: - Transformations

    /// Adds a sequence.
    mutating func add(all transformations: [Transformation]) throws(ExpressionError) {
        for (place, transformation) in transformations.enumerated() {
            rest.append(Array(transformations[(place + 1)...]))
            try add(transformation)
            rest.removeLast()
        }
    }

    mutating func add(_ transformation: Transformation) throws(ExpressionError) {
        switch transformation {
        case .identity: break
        case .filter(let expression):
            steps.append(.filter(try condition(expression)))
            mayBeEmpty = true
        case .search(let search):
            guard case .entities = shape, !set.type.searchProperties.isEmpty else { throw Self.unsupported("search") }
            steps.append(.filter(ExpressionChecker.condition(for: search, over: set.type)))
            mayBeEmpty = true
        case .compute(let items): try compute(items)
        case .orderBy(let items):
            var keys: [ReadPlan.SortKey] = []
            for item in items { keys.append(.init(try check(item.expression), isDescending: item.isDescending)) }
            // Rows that are equal in the new order keep the one before.
            order = keys + order.filter { old in !keys.contains { $0.expression == old.expression } }
        case .top(let count):
            steps.append(.order(order, skip: 0, top: Int(clamping: count), within: within.map(\.value)))
            mayBeEmpty = mayBeEmpty || count == 0
        case .skip(let count):
            steps.append(.order(order, skip: Int(clamping: count), top: nil, within: within.map(\.value)))
            mayBeEmpty = true
        case .ranked(let ranking, let amount, let by):
            try rank(ranking, amount, by)
            mayBeEmpty = true
        case .aggregate(let items): try aggregate(items)
        case .groupBy(let elements, let inner): try group(elements, inner)
        case .concat(let sequences): try concat(sequences)
        case .join(let isOuter, let path, let alias, let inner): try join(path, as: alias, inner, isOuter: isOuter)
        case .expand: throw Self.unsupported("expand before other results than entities")
        case .addNested: throw Self.unsupported("addnested before other results than entities")
        case .nest: throw Self.unsupported("nest before other transformations")
        case .hierarchy(let name, _): throw Self.unsupported(name)
        case .function(let name, _): throw Self.unsupported(name)
        }
    }

    private mutating func compute(_ items: [ComputeItem]) throws(ExpressionError) {
        var values: [(name: String, value: TypedExpression)] = []
        for item in items {
            let value = try check(item.expression)
            guard value.type != nil || value.node == .literal(.null) else {
                throw ExpressionError(.wrongType, message: "The type of \(item.name) is not known.", target: item.name)
            }
            values.append((item.name, value))
        }
        switch shape {
        case .entities(let made): shape = .entities(made + values)
        case .rows(let columns):
            steps.append(.compute(values.map(\.value)))
            shape = .rows(columns + values.map { Self.result(prefix + [$0.name], $0.value) })
        }
    }

    private mutating func rank(
        _ ranking: Transformation.Ranking,
        _ amount: Expression,
        _ by: Expression
    ) throws(ExpressionError) {
        let value = try check(by)
        guard value.type?.isNumeric == true else {
            throw ExpressionError(
                .wrongType,
                message: "'\(ranking.rawValue)' needs a number.",
                target: ranking.rawValue
            )
        }
        guard case .literal(let literal) = try check(amount).node,
            case .double(let number)? = literal.promoted(to: .double),
            number.isFinite, number >= 0
        else {
            throw ExpressionError(
                .invalidLiteral,
                message: "The first argument of '\(ranking.rawValue)' is a number from 0 on.",
                target: ranking.rawValue
            )
        }
        steps.append(.rank(ranking, amount: number, by: value, within: within.map(\.value)))
    }
}
