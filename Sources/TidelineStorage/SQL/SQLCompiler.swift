// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Compiles typed expressions to SQL over one table and the to-one joins that their paths need.
///
///     filter ──► condition(_, exact: false)          a > ?            plain where a conjunct: an index serves it
///                condition(_, negated, exact: true)  (a > ?) IS NOT TRUE
///     order, arguments ──► operand(_)                columns raw, the rest computed
///
/// Joins gather while expressions are compiled; ``from`` is read last.
struct SQLCompiler<Dialect: SQLDialect> {
    /// The table that paths start from.
    struct Scope {
        let alias: String
        let set: EntitySet
        /// Whether paths join; else each is a subquery of its own, as inside the condition of a join.
        var joins: Bool
        /// The subquery whose FROM the joins belong to.
        var frame = 0
        /// The scopes around this one, the outermost first.
        var outer: [Scope] = []
        /// Whether the columns hold computed values already, as those of a subquery do.
        var isDerived = false
        /// The JSON text of the item that the scope is, where it is no table.
        var element: SQLFragment?

        init(alias: String, set: EntitySet, joins: Bool, frame: Int = 0, isDerived: Bool = false) {
            self.alias = alias
            self.set = set
            self.joins = joins
            self.frame = frame
            self.isDerived = isDerived
        }

        /// The scope so many steps further out.
        func at(_ up: Int) -> Scope { up == 0 || up > outer.count ? self : outer[outer.count - up] }
    }

    private struct JoinKey: Hashable {
        var alias: String
        var navigation: Int
        var guardCondition: TypedExpression?
    }

    private let surroundings: Surroundings
    let dialect: Dialect
    let root: Scope
    /// What is read from instead of the table.
    var source: SQLFragment?
    private var joined: [JoinKey: String] = [:]
    /// The joins of the statement itself and of each subquery.
    var frames: [[SQLFragment]] = [[]]
    private var aliases = 1

    init(model: EntityModel, set: EntitySet, user: UserContext, dialect: Dialect, isDerived: Bool = false) {
        surroundings = Surroundings(model, user)
        self.dialect = dialect
        root = Scope(alias: "t0", set: set, joins: true, isDerived: isDerived)
    }

    var model: EntityModel { surroundings.model }
    var user: UserContext { surroundings.user }

    /// The tables to read from, all joins so far included.
    var from: SQLFragment {
        let table: SQLFragment = "\(source ?? dialect.table(named: root.set.names.database)) AS t0"
        return frames[0].isEmpty ? table : SQLFragment([table] + frames[0], separator: " ")
    }

    /// A column of the table at hand.
    func column(_ property: Property, of scope: Scope) -> SQLFragment {
        if scope.isDerived, property.items != nil {
            var plain = property
            plain.items = nil
            return dialect.column(plain, in: scope.set, of: scope.alias)
        }
        return dialect.column(property, in: scope.set, of: scope.alias)
    }

    /// The value at a path.
    mutating func path(_ path: TypedExpression.Path, in inner: Scope) -> SQLOperand {
        path.up == 0 ? self.path(path, from: inner) : self.path(path, from: inner.at(path.up))
    }

    private mutating func path(_ path: TypedExpression.Path, from scope: Scope) -> SQLOperand {
        guard !path.navigations.isEmpty else {
            let column = StoredColumn(of: scope.set, at: path.property)
            let sql = self.column(column.property, of: scope)
            if scope.isDerived { return SQLOperand(sql, type: column.property.type, isNullable: true) }
            return SQLOperand(column: sql, column, isNullable: column.property.isNullable)
        }
        return scope.joins && !path.isFenced ? joinedPath(path, in: scope) : subqueryPath(path, in: scope)
    }

    private mutating func joinedPath(_ path: TypedExpression.Path, in scope: Scope) -> SQLOperand {
        var current = scope
        for (step, navigation) in path.navigations.enumerated() {
            let key = JoinKey(alias: current.alias, navigation: navigation, guardCondition: guardCondition(path, step))
            let target = target(navigation, of: current.set)
            if let alias = joined[key] {
                current = Scope(alias: alias, set: target, joins: true, frame: scope.frame)
                continue
            }
            let alias = nextAlias()
            let condition = joinCondition(navigation, from: current, to: alias, target, key.guardCondition)
            frames[scope.frame].append(
                "LEFT JOIN \(dialect.table(target)) AS \(raw: alias) ON \(condition)"
            )
            joined[key] = alias
            current = Scope(alias: alias, set: target, joins: true, frame: scope.frame)
        }
        let stored = StoredColumn(of: current.set, at: path.property)
        return SQLOperand(column: column(stored.property, of: current), stored, isNullable: true)
    }

    private mutating func subqueryPath(_ path: TypedExpression.Path, in scope: Scope) -> SQLOperand {
        var current = scope
        var tables: [SQLFragment] = []
        var conditions: [SQLFragment] = []
        for (step, navigation) in path.navigations.enumerated() {
            let target = target(navigation, of: current.set)
            let alias = nextAlias()
            conditions.append(joinCondition(navigation, from: current, to: alias, target, guardCondition(path, step)))
            tables.append("\(dialect.table(target)) AS \(raw: alias)")
            current = Scope(alias: alias, set: target, joins: false)
        }
        let stored = StoredColumn(of: current.set, at: path.property)
        let column = column(stored.property, of: current)
        let from = SQLFragment(tables, separator: ", ")
        return SQLOperand(
            column: "(SELECT \(column) FROM \(from) WHERE \(SQLFragment(conditions, separator: " AND ")))",
            stored,
            isNullable: true
        )
    }

    mutating func joinCondition(
        _ navigation: Int,
        from scope: Scope,
        to alias: String,
        _ target: EntitySet,
        _ condition: TypedExpression?
    ) -> SQLFragment {
        var terms: [SQLFragment] = scope.set.type.navigationProperties[navigation].constraints.map { pair in
            let source = column(scope.set.type.properties[pair.source], of: scope)
            return "\(dialect.column(target.type.properties[pair.target], in: target, of: alias)) = \(source)"
        }
        if let condition {
            let inner = Scope(alias: alias, set: target, joins: false)
            terms.append(self.condition(condition, in: inner).grouped)
        }
        return SQLFragment(terms, separator: " AND ")
    }

    /// The innermost scope of this table joined with those of other sets, each row with each.
    mutating func crossing(_ sets: [EntitySet]) -> Scope {
        var scope = root
        for set in sets {
            let alias = nextAlias()
            frames[0].append("INNER JOIN \(dialect.table(set)) AS \(raw: alias) ON TRUE")
            var next = Scope(alias: alias, set: set, joins: true)
            next.outer = scope.outer + [scope]
            scope = next
        }
        return scope
    }

    /// The innermost scope of this table joined with what a navigation property of its rows leads to.
    ///
    /// - Parameter links: the condition on the link rows; each pair is there once, however many rows link it.
    mutating func following(_ navigation: Int, where links: TypedExpression?) -> Scope {
        let target = target(navigation, of: root.set)
        var from = root
        var step = navigation
        if let link = root.set.type.navigationProperties[navigation].link, let set = model[set: link.set],
            let toOwner = set.type.navigationIndex(wire: link.toOwner),
            let toTarget = set.type.navigationIndex(wire: link.toTarget)
        {
            let ways = [toOwner, toTarget].map { set.type.navigationProperties[$0].constraints }
            let row = Scope(alias: nextAlias(), set: set, joins: false)
            let columns = Set(ways.joined().map(\.source)).sorted().map { place -> SQLFragment in
                "\(raw: row.alias).\(name: set.type.properties[place].names.database)"
            }
            let test: SQLFragment = links.map { " WHERE \(condition($0, in: row).grouped)" } ?? ""
            let pairs: SQLFragment =
                "SELECT DISTINCT \(SQLFragment(columns, separator: ", ")) FROM \(dialect.table(set)) AS \(raw: row.alias)\(test)"
            let alias = nextAlias()
            let owner = ways[0].map { pair -> SQLFragment in
                let own = column(root.set.type.properties[pair.target], of: root)
                return "\(dialect.column(set.type.properties[pair.source], in: set, of: alias)) = \(own)"
            }
            frames[0].append(
                "INNER JOIN (\(pairs)) AS \(raw: alias) ON \(SQLFragment(owner, separator: " AND "))"
            )
            from = Scope(alias: alias, set: set, joins: false)
            step = toTarget
        }
        let alias = nextAlias()
        let tie = joinCondition(step, from: from, to: alias, target, nil)
        frames[0].append("INNER JOIN \(dialect.table(target)) AS \(raw: alias) ON \(tie)")
        var scope = Scope(alias: alias, set: target, joins: true)
        scope.outer = [root]
        return scope
    }

    private func guardCondition(_ path: TypedExpression.Path, _ step: Int) -> TypedExpression? {
        step < path.guards.count ? path.guards[step] : nil
    }

    func target(_ navigation: Int, of set: EntitySet) -> EntitySet {
        let name = set.type.navigationProperties[navigation].targetSet
        guard let target = model[set: name] else { preconditionFailure("The model has no entity set '\(name)'.") }
        return target
    }

    mutating func nextAlias() -> String {
        defer { aliases += 1 }
        return "t\(aliases)"
    }
}

/// What expressions are compiled with; by reference, because the compiler is copied.
private final class Surroundings: Sendable {
    let model: EntityModel
    let user: UserContext

    init(_ model: EntityModel, _ user: UserContext) {
        self.model = model
        self.user = user
    }
}
