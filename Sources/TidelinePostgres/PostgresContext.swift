// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What all connections of one store share.
final class PostgresContext: Sendable {
    let model: EntityModel
    let isTracked: Bool
    /// Fresh, with the key of the database's ETags.
    let hasher: ETagHasher
    let dialect: PostgresDialect
    private let columns: StoreColumns
    private let statements: [String: SetStatements]
    private let operations: [EdmOperation: CompiledOperation]

    init(
        model: EntityModel,
        columns: StoreColumns,
        isTracked: Bool,
        etagKey: [UInt8],
        searched: Set<String> = [],
        operations: [CompiledOperation] = []
    ) {
        let operations = Dictionary(operations.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
        self.operations = operations
        self.model = model
        self.isTracked = isTracked
        self.columns = columns
        var dialect = PostgresDialect(columns: columns.columns, searched: searched)
        if !operations.isEmpty {
            let plain = dialect
            dialect.functions = FunctionQueries(
                .postgres,
                key: { column, property, set in CompiledOperation.key(column, property, of: set, plain) },
                query: { call, values in operations[call.operation]?.query(call, values) }
            )
        }
        self.dialect = dialect
        hasher = ETagHasher(key: etagKey)
        statements = Dictionary(
            model.sets.map { set in
                let isLockable = columns.lockable.contains(set.names.database) && !set.isReadOnly
                return (set.names.wire, SetStatements(set, model: model, dialect: dialect, isLockable: isLockable))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// An operation with what is known of its SQL.
    func compiled(_ operation: EdmOperation) throws -> CompiledOperation {
        guard let compiled = operations[operation] else {
            throw operation.unusable("it is none of this store's")
        }
        return compiled
    }

    /// The statements of a set, made anew for one that is not the model's own.
    func statements(_ set: EntitySet) -> SetStatements {
        guard let known = statements[set.names.wire], known.set == set else {
            return SetStatements(
                set,
                model: model,
                dialect: dialect,
                isLockable: columns.lockable.contains(set.names.database)
            )
        }
        return known
    }

    /// Runs `body`; failures of PostgreSQL leave as errors of the store, with wire names in the place of tables and
    /// columns.
    func named<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as PostgresFailure where !failure.isForStore {
            throw named(failure)
        }
    }

    func named(_ failure: PostgresFailure) -> StorageError {
        var error = failure.storageError
        guard let table = failure.table,
            let set = model.sets.first(where: { $0.names.database == table || $0.names.database.hasSuffix(".\(table)") }
            )
        else { return error }
        if let constraint = failure.constraint {
            let name = "\(set.names.database) \(constraint)"
            switch failure.sqlState {
            case "23505": error.properties = columns.unique[name] ?? []
            // A column that is not published has no name for anybody.
            case "23503", "23001":
                let key = columns.references[name] ?? []
                let published = Set(set.type.properties.map(\.names.database))
                error.properties = published.isSuperset(of: key) ? key : []
            default: break
            }
        }
        return error.named(by: set)
    }
}
