// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Lambdas, counts and JSON.
///
///     any   EXISTS (SELECT 1 FROM details AS t1 WHERE t1.order_id = t0.id AND guard AND body)
///     all   NOT EXISTS (… AND (body) IS NOT TRUE)
///     count (SELECT COUNT(*) FROM …)
extension SQLCompiler {
    mutating func lambda(
        _ quantifier: Expression.Quantifier,
        _ items: TypedExpression.Items,
        _ body: TypedExpression?,
        negated: Bool,
        in scope: Scope
    ) -> SQLCondition {
        let query = subquery(items, in: scope) { compiler, inner in
            guard let body else { return ("1", nil) }
            let condition = compiler.condition(body, in: inner).grouped
            return ("1", quantifier == .any ? condition : "\(condition) IS NOT TRUE")
        }
        let isExisting = (quantifier == .any) != negated
        return SQLCondition("\(raw: isExisting ? "EXISTS" : "NOT EXISTS") \(query)")
    }

    mutating func count(_ items: TypedExpression.Items, _ body: TypedExpression?, in scope: Scope) -> SQLOperand {
        let query = subquery(items, in: scope) { compiler, inner in
            ("COUNT(*)", body.map { compiler.condition($0, in: inner).grouped })
        }
        return SQLOperand(query, type: .int64, isNullable: false)
    }

    mutating func fold(
        _ folding: Folding,
        _ items: TypedExpression.Items,
        _ body: TypedExpression?,
        _ value: TypedExpression,
        as type: PrimitiveType,
        in scope: Scope
    ) -> SQLOperand {
        var operand = SQLOperand("NULL", type: value.type ?? .string, isNullable: true)
        let query = subquery(items, in: scope, atMost: folding == .only ? 1 : nil) { compiler, inner in
            operand = compiler.computed(value, in: inner)
            return ("\(operand.sql) AS v", body.map { compiler.condition($0, in: inner).grouped })
        }
        if folding == .only { return SQLOperand(query, type: type, isNullable: true) }
        // An aggregate whose argument has columns of outer tables alone would be one of the outer query.
        let alias = SQLFragment(raw: nextAlias())
        operand.sql = "\(alias).v"
        return SQLOperand(
            "(SELECT \(folded(folding, operand)) FROM \(query) AS \(alias))",
            type: type,
            isNullable: true
        )
    }

    /// The values of an expression over several rows as one.
    func folded(_ folding: Folding, _ operand: SQLOperand) -> SQLFragment {
        switch folding {
        case .countDistinct: "COUNT(DISTINCT \(comparable(operand).sql))"
        case .min: "MIN(\(comparable(operand).sql))"
        case .max: "MAX(\(comparable(operand).sql))"
        case .sum: dialect.sum(operand.sql, operand.type)
        case .average: dialect.average(operand.sql, operand.type)
        case .only: operand.sql
        case .keys: dialect.keys(operand.sql)
        }
    }

    /// Whether two JSON texts are the same structure; a collection without a value is empty.
    mutating func isSame(_ left: TypedExpression, _ right: TypedExpression, in scope: Scope) -> SQLFragment {
        var texts: [SQLFragment] = []
        for side in [left, right] {
            let text = jsonText(side, in: scope)
            if case .collection? = side.structure {
                texts.append("COALESCE(\(text), '[]')")
            } else {
                texts.append(text)
            }
        }
        return "COALESCE(\(dialect.call(.same, texts)), \(texts[0]) IS NULL AND \(texts[1]) IS NULL)"
    }

    /// A query over the items in parentheses, with what it selects and a condition compiled in their scope.
    private mutating func subquery(
        _ items: TypedExpression.Items,
        in scope: Scope,
        atMost most: Int? = nil,
        _ parts: (inout SQLCompiler, Scope) -> (columns: SQLFragment, condition: SQLFragment?)
    ) -> SQLFragment {
        let frame = frames.count
        frames.append([])
        var inner: Scope
        var tables: [SQLFragment] = []
        var conditions: [SQLFragment] = []
        switch items {
        case .entities(let way):
            inner = follow(way, from: scope, &tables, &conditions)
        case .set(let name, let condition):
            guard let set = model[set: name] else { preconditionFailure("The model has no entity set '\(name)'.") }
            inner = Scope(alias: nextAlias(), set: set, joins: false)
            tables.append("\(dialect.table(set)) AS \(raw: inner.alias)")
            if let condition { conditions.append(self.condition(condition, in: inner).grouped) }
            inner.joins = true
        case .values(let array):
            if let (items, owner) = itemTable(array, in: scope) {
                let alias = nextAlias()
                tables.append(dialect.itemSource(items, alias: alias))
                conditions.append(
                    dialect.itemCondition(items, alias: alias, of: owner.set, row: SQLFragment(raw: owner.alias))
                )
                inner = Scope(alias: alias, set: scope.set, joins: false)
                inner.element = dialect.item(items, alias: alias)
                break
            }
            let json = jsonText(array, in: scope)
            let alias = nextAlias()
            tables.append(dialect.elements(of: json, as: alias))
            inner = Scope(alias: alias, set: scope.set, joins: false)
            inner.element = dialect.element(of: json, as: alias)
        }
        inner.frame = frame
        inner.outer = scope.outer + [scope]
        let (columns, condition) = parts(&self, inner)
        if let condition { conditions.append(condition) }
        var from = SQLFragment(tables, separator: ", ")
        if !frames[frame].isEmpty { from = "\(from) \(SQLFragment(frames[frame], separator: " "))" }
        let end: SQLFragment = most.map { dialect.limit($0, skip: 0) } ?? ""
        guard !conditions.isEmpty else { return "(SELECT \(columns) FROM \(from)\(end))" }
        return "(SELECT \(columns) FROM \(from) WHERE \(SQLFragment(conditions, separator: " AND "))\(end))"
    }

    /// The table of a collection's items, where it is a property of a row at hand that has one.
    private func itemTable(_ array: TypedExpression, in scope: Scope) -> (ItemTable, Scope)? {
        guard case .path(let path) = array.node, path.navigations.isEmpty else { return nil }
        let owner = scope.at(path.up)
        guard !owner.isDerived, owner.element == nil, let items = owner.set.type.properties[path.property].items else {
            return nil
        }
        return (items, owner)
    }

    /// The tables of a way, each tied to the one before and behind its guard.
    private mutating func follow(
        _ way: TypedExpression.Way,
        from scope: Scope,
        _ tables: inout [SQLFragment],
        _ conditions: inout [SQLFragment]
    ) -> Scope {
        var current = scope.at(way.up)
        for (step, place) in way.navigations.enumerated() {
            let target = target(place, of: current.set)
            let guardCondition = step < way.guards.count ? way.guards[step] : nil
            let alias: String
            if let link = current.set.type.navigationProperties[place].link {
                let linkGuard = step < way.linkGuards.count ? way.linkGuards[step] : nil
                alias = followLink(link, linkGuard, from: current, to: target, guardCondition, &tables, &conditions)
            } else {
                alias = nextAlias()
                conditions.append(joinCondition(place, from: current, to: alias, target, guardCondition))
                tables.append("\(dialect.table(target)) AS \(raw: alias)")
            }
            current = Scope(alias: alias, set: target, joins: true)
        }
        return current
    }

    private mutating func followLink(
        _ link: LinkTable,
        _ linkGuard: TypedExpression?,
        from scope: Scope,
        to target: EntitySet,
        _ condition: TypedExpression?,
        _ tables: inout [SQLFragment],
        _ conditions: inout [SQLFragment]
    ) -> String {
        guard let set = model[set: link.set], let owner = set.type.navigationIndex(wire: link.toOwner),
            let other = set.type.navigationIndex(wire: link.toTarget)
        else { preconditionFailure("The model has no link table '\(link.set)'.") }
        let row = Scope(alias: nextAlias(), set: set, joins: false)
        tables.append("\(dialect.table(set)) AS \(raw: row.alias)")
        // The link row holds the keys of both ends, so the way to the owner is read backwards.
        conditions.append(joinCondition(owner, from: row, to: scope.alias, scope.set, nil))
        if let linkGuard { conditions.append(self.condition(linkGuard, in: row).grouped) }
        let alias = nextAlias()
        tables.append("\(dialect.table(target)) AS \(raw: alias)")
        conditions.append(joinCondition(other, from: row, to: alias, target, condition))
        return alias
    }

    // MARK: - JSON

    /// The JSON text that an expression is.
    private mutating func jsonText(_ expression: TypedExpression, in scope: Scope) -> SQLFragment {
        switch expression.node {
        case .item(let up): return scope.at(up).element ?? "NULL"
        case .member(let base, let names):
            return dialect.jsonText(jsonText(base, in: scope), at: names)
        case .element(let base, let place): return dialect.item(of: jsonText(base, in: scope), at: place)
        case .list: return json(expression, in: scope).sql
        default: return operand(expression, in: scope).sql
        }
    }

    /// A value in JSON: an item, a member of something, or a list.
    mutating func json(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        let type = expression.type ?? .string
        switch expression.node {
        case .list(let items):
            let values = items.map { item in
                guard case .literal(let value) = item.node else { return JSONValue.null }
                return JSONValue(value)
            }
            return SQLOperand(SQLFragment(bind: .text(JSONValue.array(values).text)), type: .string, isNullable: false)
        case .item, .member, .element:
            if expression.structure != nil {
                var text = jsonText(expression, in: scope)
                if case .member = expression.node {} else { text = dialect.jsonText(text, at: []) }
                return SQLOperand(text, type: .string, isNullable: true)
            }
            if case .member(let base, let names) = expression.node {
                let value = dialect.jsonValue(jsonText(base, in: scope), at: names, as: type)
                return SQLOperand(value, type: type, isNullable: true)
            }
            let value = dialect.jsonValue(jsonText(expression, in: scope), at: [], as: type)
            return SQLOperand(value, type: type, isNullable: true)
        default: return computed(expression, in: scope)
        }
    }

    mutating func arrayTest(
        _ function: Expression.Function,
        _ arguments: [TypedExpression],
        in scope: Scope
    ) -> SQLCondition {
        // A column without a value is an empty collection.
        var arrays: [SQLFragment] = []
        for argument in arguments { arrays.append("COALESCE(\(jsonText(argument, in: scope)), '[]')") }
        let name: SQLFunction = function == .hassubset ? .hasSubset : .hasSubsequence
        return SQLCondition(dialect.call(name, arrays), isNullable: true, isAtom: true)
    }
}
