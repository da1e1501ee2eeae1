// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Makes a plan of the transformations of `$apply`.
///
/// What is not supported (`join`, `nest`, hierarchies, custom aggregates, sequences inside groups other than
/// `aggregate`) is an ``TidelineModel/ExpressionError`` with `unsupported`, never a wrong result.
public struct AggregationPlanner {
    enum Shape {
        /// Entities, with the properties that `compute` made.
        case entities([(name: String, value: TypedExpression)])
        case rows([AggregationPlan.Column])
    }

    let model: EntityModel
    let set: EntitySet
    private let guarded: (TypedExpression) -> TypedExpression
    var shape = Shape.entities([])
    var steps: [AggregationPlan.Step] = []
    var order: [ReadPlan.SortKey] = []

    /// - Parameter guarded: puts the paths of an expression over the entity behind the policies.
    init(model: EntityModel, set: EntitySet, guarded: @escaping (TypedExpression) -> TypedExpression) {
        self.model = model
        self.set = set
        self.guarded = guarded
    }

    /// Plans a sequence of transformations over a set.
    ///
    /// - Parameters:
    ///   - filter: the condition on the entities, policies included.
    ///   - guarded: puts the paths of an expression over the entity behind the policies.
    /// - Throws: ``TidelineModel/ExpressionError`` that says what is wrong, or not supported.
    public static func plan(
        _ transformations: [Transformation],
        over set: EntitySet,
        in model: EntityModel,
        filter: TypedExpression?,
        user: UserContext,
        guarded: @escaping (TypedExpression) -> TypedExpression
    ) throws(ExpressionError) -> AggregationPlan {
        var planner = AggregationPlanner(model: model, set: set, guarded: guarded)
        for transformation in transformations { try planner.add(transformation) }
        let columns = try planner.project()
        return AggregationPlan(
            model: model,
            set: set,
            filter: filter,
            steps: planner.steps,
            columns: columns,
            orderBy: planner.order,
            user: user
        )
    }

    // MARK: - Expressions

    func check(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        switch shape {
        case .entities(let made):
            var checker = ExpressionChecker(model: model, set: set)
            checker.computed = Dictionary(made.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
            return guarded(try checker.check(expression))
        case .rows(let columns):
            var checker = ExpressionChecker(model: model, set: AggregationPlan.derived(columns))
            for (place, column) in columns.enumerated() {
                checker.computed[column.path.joined(separator: "/")] = Self.column(place, column)
            }
            return try checker.check(expression)
        }
    }

    private func condition(_ expression: Expression) throws(ExpressionError) -> TypedExpression {
        let typed = try check(expression)
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

    static func unsupported(_ what: String) -> ExpressionError {
        ExpressionError(.unsupported, message: "$apply does not support \(what) here.", target: "$apply")
    }

    // MARK: - Transformations

    mutating func add(_ transformation: Transformation) throws(ExpressionError) {
        switch transformation {
        case .identity: break
        case .filter(let expression): steps.append(.filter(try condition(expression)))
        case .search(let search):
            guard case .entities = shape, !set.type.searchProperties.isEmpty else { throw Self.unsupported("search") }
            steps.append(.filter(ExpressionChecker.condition(for: search, over: set.type)))
        case .compute(let items): try compute(items)
        case .orderBy(let items):
            var keys: [ReadPlan.SortKey] = []
            for item in items { keys.append(.init(try check(item.expression), isDescending: item.isDescending)) }
            order = keys
        case .top(let count): steps.append(.order(order, skip: 0, top: Int(clamping: count)))
        case .skip(let count): steps.append(.order(order, skip: Int(clamping: count), top: nil))
        case .ranked(let ranking, let amount, let by): try rank(ranking, amount, by)
        case .aggregate(let items): try group(by: [], sets: [[]], items)
        case .groupBy(let elements, let inner): try group(elements, inner)
        case .concat(let sequences): try concat(sequences)
        case .expand: throw Self.unsupported("expand")
        case .addNested: throw Self.unsupported("addnested")
        case .join: throw Self.unsupported("join")
        case .nest: throw Self.unsupported("nest")
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
            shape = .rows(columns + values.map { Self.result([$0.name], $0.value) })
        }
    }

    static func result(_ path: [String], _ value: TypedExpression) -> AggregationPlan.Column {
        .init(path: path, type: value.type, enumeration: value.enumeration, structure: value.structure)
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
        steps.append(.rank(ranking, amount: number, by: value))
    }

    // MARK: - Unions

    private mutating func concat(_ sequences: [[Transformation]]) throws(ExpressionError) {
        var branches: [(steps: [AggregationPlan.Step], columns: [AggregationPlan.Column])] = []
        for sequence in sequences {
            var branch = self
            branch.steps = []
            for transformation in sequence { try branch.add(transformation) }
            let columns = try branch.project()
            if !branch.order.isEmpty { branch.order = [] }
            branches.append((branch.steps, columns))
        }
        var columns: [AggregationPlan.Column] = []
        for branch in branches {
            for column in branch.columns {
                guard let known = columns.firstIndex(where: { $0.path == column.path }) else {
                    columns.append(column)
                    continue
                }
                if columns[known].type == nil { columns[known].type = column.type }
                guard column.type == nil || column.type == columns[known].type else {
                    throw Self.unsupported("one name for values of two types in concat")
                }
            }
        }
        let aligned = branches.map { branch in
            (branch.steps, columns.map { column in branch.columns.firstIndex { $0.path == column.path } })
        }
        steps.append(.concat(aligned, types: columns.map(\.type)))
        shape = .rows(columns)
        order = []
    }

    /// Entities at the end are rows of all their properties and of those that were computed.
    mutating func project() throws(ExpressionError) -> [AggregationPlan.Column] {
        switch shape {
        case .rows(let columns): return columns
        case .entities(let made):
            var columns: [AggregationPlan.Column] = []
            var values: [TypedExpression] = []
            for place in Self.plainProperties(set.type) {
                let property = set.type.properties[place]
                let path = Self.path(of: place, in: set.type)
                let value = TypedExpression(
                    node: .path(.init(property: place)),
                    type: property.type,
                    enumeration: property.enumeration,
                    structure: property.structure
                )
                values.append(value)
                columns.append(Self.result(path, value))
            }
            for (name, value) in made {
                values.append(value)
                columns.append(Self.result([name], value))
            }
            // The order is over the entity: it goes on over the columns.
            order = try order.map { (key) throws(ExpressionError) in
                guard let place = values.firstIndex(of: key.expression) else {
                    throw Self.unsupported("orderby of what is no property of the result")
                }
                return .init(Self.column(place, columns[place]), isDescending: key.isDescending)
            }
            steps.append(.project(values))
            shape = .rows(columns)
            return columns
        }
    }
}
