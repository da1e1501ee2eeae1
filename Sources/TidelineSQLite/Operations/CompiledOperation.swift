// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import TidelineModel
import TidelineStorage

/// An operation whose SQL was prepared on the database once, so that what it gives is known.
struct CompiledOperation: Sendable {
    let operation: EdmOperation
    let script: OperationScript
    /// How rows are read, where the operation returns something.
    let columns: OperationColumns?
    let readers: [ColumnReader]
    /// The statement that gives the result.
    private let resultStatement: Int?
    private let model: EntityModel

    /// Prepares the SQL.
    ///
    /// - Returns: `nil` for an operation that is code of the program, or has no body.
    /// - Throws: ``StorageError`` `unsupported` that names the operation.
    init?(_ operation: EdmOperation, of model: EntityModel, on connection: Database) throws {
        switch operation.body {
        case .sql(let sqlite?, _)?: script = OperationScript(sqlite, language: .sqlite)
        case .sql(nil, _)?: throw operation.unusable("it has no SQL for SQLite")
        case .routine?: throw operation.unusable("SQLite has no functions and procedures of its own")
        case .handler?, nil: return nil
        }
        self.operation = operation
        self.model = model
        if let problem = script.problem(for: operation, in: model) {
            throw operation.unusable(problem.prefix(1).lowercased() + problem.dropFirst().dropLast())
        }
        let values = try OperationCall.sample(operation, in: model).values(in: model, .sqlite)
        var result: (place: Int, names: [String])?
        for place in script.statements.indices {
            let sql = script.fragment(of: place) { values[$0] ?? "NULL" }.rendered(SQLiteDialect()).text
            let statement: PreparedStatement
            do {
                statement = try PreparedStatement(connection, sql)
            } catch let error as StorageError {
                let parts = error.message.split(separator: "model: ", maxSplits: 1)
                let reason = (parts.last ?? "").trimmingSuffix { $0 == "." }
                throw operation.unusable("SQLite refuses its SQL: \(reason)")
            }
            if operation.kind == .function, !statement.isReadOnly {
                throw operation.unusable("a function only reads, and its SQL changes rows: make it an action")
            }
            let names = statement.columnNames
            if !names.isEmpty { result = (place, names) }
        }
        guard operation.returnType != nil else {
            columns = nil
            readers = []
            resultStatement = nil
            return
        }
        let columns = try OperationColumns(result?.names ?? [], of: operation, in: model)
        resultStatement = result?.place
        readers = columns.properties.enumerated().map { place, property in
            ColumnReader(property, place: place, enumeration: model.enumeration(of: property))
        }
        self.columns = columns
    }

    /// Runs the statements one after another.
    func run(_ call: OperationCall, on connection: Database) throws -> OperationResult {
        let values = try call.values(in: model, .sqlite)
        var output = OperationOutput(call, columns)
        var affected: Int?
        for place in script.statements.indices {
            let sql = script.fragment(of: place) { values[$0] ?? "NULL" }.rendered(SQLiteDialect())
            let statement = try PreparedStatement.cached(connection, sql.text)
            defer { statement.reset() }
            statement.bind(sql.bindings, after: 0)
            var wantsMore = place == resultStatement
            while try statement.step() {
                guard wantsMore else { continue }
                guard statement.columnCount == columns?.count else {
                    throw StorageError(.schemaChanged, message: "The tables of \(operation.names.wire) were changed.")
                }
                wantsMore = try output.take { try readers[$1].value(statement, Int32($0)) }
                // What changes rows runs to its end.
                if !wantsMore, statement.isReadOnly { break }
            }
            if !statement.isReadOnly { affected = (affected ?? 0) + connection.changesCount }
        }
        return try output.result(rowsAffected: affected ?? -1)
    }

    /// The condition that a row's key is among those that the function gives.
    func restriction(_ call: OperationCall, of set: EntitySet) throws -> SQLFragment {
        guard operation.kind == .function, operation.returnType?.entitySet == set.names.wire, let columns else {
            throw operation.unusable("it returns no entities of \(set.names.wire)")
        }
        let values = try call.values(in: model, .sqlite)
        let query = script.fragment(of: 0) { values[$0] ?? "NULL" }
        return RowRestriction.rows(Self.key(of: set), in: query, columns)
    }

    /// The query of a call inside an expression; `nil` for what gives no rows.
    func query(_ values: [String: SQLFragment]) -> FunctionQueries.Query? {
        guard operation.kind == .function, let columns else { return nil }
        return FunctionQueries.Query(sql: script.fragment(of: 0) { values[$0] ?? "NULL" }, columns: columns)
    }

    /// The columns of the key of the table `t0`.
    static func key(of set: EntitySet) -> [SQLFragment] {
        set.type.key.map { SQLiteDialect().column(set.type.properties[$0], in: set, of: "t0") }
    }
}

extension Substring {
    /// Without what stands at the end.
    fileprivate func trimmingSuffix(_ isLeftOut: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return rest
    }
}

extension PreparedStatement {
    /// Whether the statement changes nothing.
    var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

    var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

    /// The names of the result columns; empty for a statement that gives no rows.
    var columnNames: [String] {
        (0..<Int32(columnCount)).map { column in
            unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
        }
    }
}
