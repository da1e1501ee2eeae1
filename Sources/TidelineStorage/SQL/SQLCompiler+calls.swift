// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Functions of the model inside statements.
///
///     (WITH tideline_a(a0) AS (SELECT t0.price), tideline_f(c0) AS (SELECT … (SELECT a0 FROM tideline_a) …)
///      SELECT tideline_f.c0 FROM tideline_f LIMIT 1)
///
/// What is no constant is computed outside of the function's own SQL, so that the names in that mean its own tables.
extension SQLCompiler {
    /// The value that a function gives.
    mutating func invoke(_ expression: TypedExpression, in scope: Scope) -> SQLOperand {
        let nothing = SQLOperand(constant(.null, type: expression.type ?? .string).sql, type: .string, isNullable: true)
        guard case .invoke(let call) = expression.node, let type = call.operation.returnType,
            let (with, query) = self.query(of: call, in: scope), call.column < query.columns.properties.count,
            let place = query.columns.places[call.column]
        else { return nothing }
        let property = query.columns.properties[call.column]
        let column = SQLFragment(raw: "tideline_f.c\(place)")
        if type.isCollection {
            let list = dialect.list(
                of: dialect.json(typed(column, property), property),
                from: "tideline_f",
                where: "TRUE",
                order: []
            )
            return SQLOperand("(\(with) SELECT \(list))", type: .string, isNullable: false)
        }
        let value: SQLFragment = "(\(with) SELECT \(typed(column, property)) FROM tideline_f LIMIT 1)"
        var operand = SQLOperand(column: value, StoredColumn(like: property), isNullable: true)
        operand.isSmall = false
        return operand
    }

    /// Whether a key is among those of the entities that a function gives.
    mutating func isResult(
        _ call: TypedExpression.Invocation,
        _ key: [TypedExpression],
        in scope: Scope
    ) -> SQLCondition {
        guard let (with, query) = self.query(of: call, in: scope), let functions = dialect.functions,
            let set = call.operation.returnType?.entitySet.flatMap({ model[set: $0] })
        else { return .unknown }
        var parts: [SQLFragment] = []
        for part in key { parts.append(operand(part, in: scope).sql) }
        let chosen = zip(query.columns.places, query.columns.properties).map { place, property in
            functions.key(SQLFragment(raw: "tideline_f.c\(place ?? 0)"), property, set)
        }
        let tuple = parts.count == 1 ? parts[0] : "(\(SQLFragment(parts, separator: ", ")))"
        return SQLCondition(
            "\(tuple) IN (\(with) SELECT \(SQLFragment(chosen, separator: ", ")) FROM tideline_f)",
            isNullable: true
        )
    }

    /// A result's column in the type that its property has.
    private func typed(_ column: SQLFragment, _ property: Property) -> SQLFragment {
        guard dialect.functions?.language == .postgres else { return column }
        return "CAST(\(column) AS \(raw: OperationCall.postgresType(of: property)))"
    }

    private mutating func query(
        of call: TypedExpression.Invocation,
        in scope: Scope
    ) -> (with: SQLFragment, query: FunctionQueries.Query)? {
        guard let functions = dialect.functions else { return nil }
        var outside: [SQLFragment] = []
        var values: [String: SQLFragment] = [:]
        values["me"] = try? OperationCall.fragment(of: user.id, functions.language)
        for (place, parameter) in call.operation.parameters.enumerated() {
            guard let property = model.property(of: parameter) else { return nil }
            let argument = call.arguments.indices.contains(place) ? call.arguments[place] : nil
            values[parameter.names.wire] = value(argument, property, functions, &outside, in: scope)
        }
        if let type = call.operation.binding.flatMap({ model[set: $0.set] })?.type {
            for (place, part) in zip(type.key, call.key) {
                let property = type.properties[place]
                values[property.names.wire] = reference(to: operand(part, in: scope).sql, property, &outside)
            }
        }
        if let keys = call.keys {
            let text = Property(names: Names(wire: "keys"), type: .string)
            values["keys"] = reference(to: computed(keys, in: scope).sql, text, &outside)
        }
        let arguments: [Value?] = call.arguments.map { $0.map { _ in Value.null } }
        guard let query = functions.query(OperationCall(call.operation, arguments: arguments, user: user), values)
        else {
            return nil
        }
        let names = (0..<query.columns.count).map { SQLFragment(raw: "c\($0)") }
        let list = SQLFragment(names, separator: ", ")
        // The line's end, because the query may end with a comment.
        let made: SQLFragment = "tideline_f(\(list)) AS (\(query.sql)\n)"
        guard !outside.isEmpty else { return ("WITH \(made)", query) }
        let places = SQLFragment(outside.indices.map { SQLFragment(raw: "a\($0)") }, separator: ", ")
        let given: SQLFragment = "tideline_a(\(places)) AS (SELECT \(SQLFragment(outside, separator: ", ")))"
        return ("WITH \(given), \(made)", query)
    }

    /// What stands for a parameter: a constant in its place, anything else computed outside.
    private mutating func value(
        _ argument: TypedExpression?,
        _ property: Property,
        _ functions: FunctionQueries,
        _ outside: inout [SQLFragment],
        in scope: Scope
    ) -> SQLFragment {
        var constant: Value?
        switch argument?.node {
        case nil: constant = .null
        case .literal(let value)?: constant = value
        case .me(let attribute)?: constant = user.value(attribute, as: property.type)
        default: break
        }
        if let constant {
            return (try? OperationCall.fragment(constant, of: property, in: model, functions.language)) ?? "NULL"
        }
        guard let argument else { return "NULL" }
        var sql = computed(argument, in: scope).sql
        if functions.language == .sqlite, property.type == .decimal { sql = "CAST(\(sql) AS NUMERIC)" }
        return reference(to: sql, property, &outside)
    }

    /// What stands in the function's SQL for a value that is computed outside of it.
    private func reference(
        to sql: SQLFragment,
        _ property: Property,
        _ outside: inout [SQLFragment]
    ) -> SQLFragment {
        outside.append(typed(sql, property))
        return SQLFragment(raw: "(SELECT a\(outside.count - 1) FROM tideline_a)")
    }
}
