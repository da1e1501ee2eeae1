// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization
import TidelineModel
import TidelineStorage

/// What all connections of one store share.
final class SQLiteContext: Sendable {
    let model: EntityModel
    let isTracked: Bool
    /// Fresh, with the key of the database's ETags.
    let hasher: ETagHasher
    private let statements: [String: SetStatements]
    /// The tables in which SQLite may give a key twice.
    private let reusing: Set<String>
    /// The tables whose constraints remove the rows that are in the way of another one.
    private let replacing: Set<String>
    private let operations: [EdmOperation: CompiledOperation]
    private let plans = StatementCache()
    /// The schema version at which capture was last found whole, or -1.
    ///
    /// Guarded by its lock.
    private let verified = Mutex<Int64>(-1)

    /// The tables with a full-text index are known to it.
    let dialect: SQLiteDialect

    init(
        model: EntityModel,
        isTracked: Bool,
        etagKey: [UInt8],
        searched: [String: String] = [:],
        reusing: Set<String> = [],
        replacing: Set<String> = [],
        operations: [CompiledOperation] = []
    ) {
        let operations = Dictionary(operations.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
        self.operations = operations
        self.reusing = reusing
        self.replacing = replacing
        self.model = model
        self.isTracked = isTracked
        let functions = FunctionQueries(.sqlite) { call, values in operations[call.operation]?.query(values) }
        dialect = SQLiteDialect(searched: searched, functions: operations.isEmpty ? nil : functions)
        hasher = ETagHasher(key: etagKey)
        statements = Dictionary(
            model.sets.map {
                let isReusing = reusing.contains($0.names.database)
                return ($0.names.wire, SetStatements($0, of: model, isTracked: isTracked, reusesKeys: isReusing))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    var verifiedSchema: Int64 {
        get { verified.withLock { $0 } }
        set { verified.withLock { $0 = newValue } }
    }

    /// The statements of a set, made anew for one that is not the model's own.
    func statements(_ set: EntitySet) -> SetStatements {
        guard let known = statements[set.names.wire], known.set == set else {
            let isReusing = reusing.contains(set.names.database)
            return SetStatements(set, of: model, isTracked: isTracked, reusesKeys: isReusing)
        }
        return known
    }

    /// Whether a change of a row of the set may remove others.
    func replaces(_ set: EntitySet) -> Bool { !replacing.isEmpty && replacing.contains(set.names.database) }

    /// An operation with what is known of its SQL.
    func compiled(_ operation: EdmOperation) throws -> CompiledOperation {
        guard let compiled = operations[operation] else {
            throw operation.unusable("it is none of this store's")
        }
        return compiled
    }

    /// A statement of a plan, kept for its connection.
    func prepared(_ connection: Database, _ sql: String) throws -> PreparedStatement {
        try plans.statement(connection, sql)
    }

    /// Forgets the statements of plans, so that connections can be closed.
    func forgetPlans() { plans.removeAll() }

    static func schemaVersion(_ connection: Database) throws -> Int64 {
        let statement = try PreparedStatement.cached(connection, "PRAGMA schema_version")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : -1
    }

    /// Whether the tables of all sets have the columns that the model names.
    func isAsPublished(in connection: Database) throws -> Bool {
        try model.sets.allSatisfy { set in
            guard let shape = try TableShape(set.names.database, in: connection) else { return false }
            let columns = Set(shape.columns.map(\.name))
            return set.type.properties.allSatisfy { $0.items != nil || columns.contains($0.names.database) }
        }
    }

    /// Runs `body`; errors leave with wire names in the place of tables and columns.
    func named<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw named(error)
        }
    }

    private func named(_ error: StorageError) -> StorageError {
        guard let table = error.set, model[set: table] == nil || !error.properties.isEmpty,
            let set = model.sets.first(where: { $0.names.database == table })
        else { return error }
        return error.named(by: set)
    }
}
