// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// An operation whose SQL was prepared on the database once, so that what it gives is known.
struct CompiledOperation: Sendable {
    private enum Body: Sendable {
        case script(OperationScript)
        case routine(RoutineCall)
    }

    let operation: EdmOperation
    private let model: EntityModel
    private let dialect: PostgresDialect
    private let body: Body
    /// How rows are read, where the operation returns something.
    private let columns: OperationColumns?
    /// The columns of the SQL that are arrays of PostgreSQL.
    private let arrays: Set<Int>
    /// The statement that gives the result.
    private let resultStatement: Int?

    /// Prepares the SQL.
    ///
    /// - Returns: `nil` for an operation that is code of the program, or has no body.
    /// - Throws: ``StorageError`` `unsupported` that names the operation.
    init?(
        _ operation: EdmOperation,
        of model: EntityModel,
        _ dialect: PostgresDialect,
        on connection: PostgresConnection
    ) throws {
        switch operation.body {
        case .sql(_, let postgres?)?:
            let script = OperationScript(postgres, language: .postgres)
            if let problem = script.problem(for: operation, in: model) {
                throw operation.unusable(problem.prefix(1).lowercased() + problem.dropFirst().dropLast())
            }
            body = .script(script)
        case .sql(_, nil)?: throw operation.unusable("it has no SQL for PostgreSQL")
        case .routine(let name, let isProcedure)?:
            body = .routine(try Self.routine(name, isProcedure: isProcedure, operation, connection))
        case .handler?, nil: return nil
        }
        self.operation = operation
        self.model = model
        self.dialect = dialect
        let statements = try Self.statements(.sample(operation, in: model), body, model)
        var result: (place: Int, columns: [PostgresConnection.Column])?
        do {
            for (place, statement) in statements.enumerated() {
                let found = try connection.describe(statement.rendered(dialect).text)
                // A procedure's or function's own nothing is no result.
                if !found.isEmpty, found.map(\.isVoid) != [true] { result = (place, found) }
            }
            if operation.kind == .function, let first = statements.first {
                // Only a query can stand here: nothing that changes rows.
                let query: SQLFragment = "SELECT * FROM (\(first)\n) AS f"
                _ = try connection.describe(query.rendered(dialect).text)
            }
        } catch let failure as PostgresFailure {
            throw operation.unusable("PostgreSQL refuses its SQL: \(failure.message)")
        }
        guard operation.returnType != nil else {
            columns = nil
            arrays = []
            resultStatement = nil
            return
        }
        let found = result?.columns ?? []
        columns = try OperationColumns(found.map(\.name), of: operation, in: model)
        arrays = Set(found.indices.filter { found[$0].isArray })
        resultStatement = result?.place
        if operation.kind == .action, !arrays.isDisjoint(with: columns?.places.compactMap(\.self) ?? []) {
            guard case .routine(let call) = body, !call.routine.isProcedure else {
                throw operation.unusable("its SQL gives an array: cast it with to_json")
            }
        }
    }

    private static func routine(
        _ name: String,
        isProcedure: Bool,
        _ operation: EdmOperation,
        _ connection: PostgresConnection
    ) throws -> RoutineCall {
        let what = isProcedure ? "procedure" : "function"
        guard let routine = try RoutineCatalog(connection: connection).routine(name),
            routine.isProcedure == isProcedure
        else {
            throw operation.unusable(
                "the database has no \(what) \(name), or several, which the types of their arguments tell apart"
            )
        }
        return try RoutineCall(routine, operation)
    }

    private static func statements(_ call: OperationCall, _ body: Body, _ model: EntityModel) throws -> [SQLFragment] {
        let values = try call.values(in: model, .postgres)
        switch body {
        case .script(let script):
            return script.statements.indices.map { script.fragment(of: $0) { values[$0] ?? "NULL" } }
        case .routine(let routine): return [try routine.sql(call, values)]
        }
    }

    // MARK: Running

    /// Runs the statements one after another.
    ///
    /// - Throws: ``PostgresFailure`` as PostgreSQL refuses.
    func run(_ call: OperationCall, on connection: PostgresConnection) throws -> OperationResult {
        var output = OperationOutput(call, columns)
        var affected: Int?
        for (place, statement) in try Self.statements(call, body, model).enumerated() {
            let isResult = place == resultStatement
            let sql = (isResult ? readable(statement) : statement).rendered(dialect)
            let result = try connection.query(sql.text, sql.bindings, isKept: true)
            if let count = result.changedRows { affected = (affected ?? 0) + count }
            guard isResult, let columns else { continue }
            guard result.columnCount == columns.count else {
                throw StorageError(.schemaChanged, message: "The tables of \(operation.names.wire) were changed.")
            }
            for row in result {
                let wantsMore = try output.take { try value(row.string($0), of: columns.properties[$1]) }
                if !wantsMore { break }
            }
        }
        return try output.result(rowsAffected: affected ?? -1)
    }

    private func value(_ text: String?, of property: Property) throws -> Value {
        guard let text else { return .null }
        guard let value = TextValue.value(text, of: property, in: model) else {
            throw StorageError(
                .unreadableValue,
                properties: [property.names.wire],
                message: "\(operation.names.wire) gives a \(property.names.wire) that is no \(property.type.rawValue)."
            )
        }
        return value
    }

    /// A query whose arrays are JSON.
    private func readable(_ query: SQLFragment) -> SQLFragment {
        guard !arrays.isEmpty, let columns else { return query }
        // The items of an array are the values of a collection.
        if operation.returnType?.isCollection == true, columns.count == 1, columns.properties.first?.structure == nil {
            return """
                SELECT u.item FROM (\(query)
                ) AS f(c0) CROSS JOIN LATERAL unnest(f.c0) WITH ORDINALITY AS u(item, place) ORDER BY u.place
                """
        }
        let names = (0..<columns.count).map { SQLFragment(raw: "c\($0)") }
        let values = (0..<columns.count).map { column -> SQLFragment in
            SQLFragment(raw: arrays.contains(column) ? "array_to_json(f.c\(column))" : "f.c\(column)")
        }
        return """
            SELECT \(SQLFragment(values, separator: ", ")) FROM (\(query)
            ) AS f(\(SQLFragment(names, separator: ", ")))
            """
    }

    /// The query of a call inside an expression; `nil` for what gives no rows.
    func query(_ call: OperationCall, _ values: [String: SQLFragment]) -> FunctionQueries.Query? {
        guard operation.kind == .function, let columns else { return nil }
        switch body {
        case .script(let script):
            let sql = script.fragment(of: 0) { values[$0] ?? "NULL" }
            return FunctionQueries.Query(sql: readable(sql), columns: columns)
        case .routine(let routine):
            return (try? routine.sql(call, values)).map { FunctionQueries.Query(sql: readable($0), columns: columns) }
        }
    }

    /// A column of a result as a key property is compared.
    static func key(
        _ column: SQLFragment,
        _ property: Property,
        of set: EntitySet,
        _ dialect: PostgresDialect
    ) -> SQLFragment {
        switch dialect.columns[set.names.database]?[property.names.database]?.kind {
        case .padded?, .asText?: "CAST(\(column) AS text)"
        case .cast(let type)?: "CAST(\(column) AS \(SQLFragment(raw: type)))"
        default: column
        }
    }

    /// The condition that a row's key is among those that the function gives.
    func restriction(_ call: OperationCall, of set: EntitySet) throws -> SQLFragment {
        guard operation.kind == .function, operation.returnType?.entitySet == set.names.wire, let columns,
            let query = try Self.statements(call, body, model).first
        else { throw operation.unusable("it returns no entities of \(set.names.wire)") }
        return RowRestriction.rows(Self.key(of: set, dialect), in: query, columns) { column, place in
            Self.key(column, columns.properties[place], of: set, dialect)
        }
    }

    /// The columns of the key of the table `t0`.
    static func key(of set: EntitySet, _ dialect: PostgresDialect) -> [SQLFragment] {
        set.type.key.map { dialect.column(set.type.properties[$0], in: set, of: "t0") }
    }
}
