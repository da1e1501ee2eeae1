// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// Brings the file of a store to the model of the app, in one transaction.
///
/// The steps of the newer versions are laid over the file's own model (``StoreShape``), the result is compared with the
/// app's (``LayoutMapping``), and then tables and the store's own records follow. What is read is read whole before
/// anything is written. A process that ends meanwhile leaves the old file.
struct Migrator {
    let model: EntityModel
    let migrations: [StoreMigration]

    init(_ model: EntityModel, _ migrations: [StoreMigration]) throws {
        self.model = try StoreLayout.stored(model)
        self.migrations = migrations.sorted { $0.version < $1.version }
        guard Set(migrations.map(\.version)).count == migrations.count, migrations.allSatisfy({ $0.version > 1 }) else {
            throw StoreShape.unfit("The versions of migrations are 2 or more, each named once.")
        }
    }

    /// The data version that a file has afterwards.
    var version: Int { migrations.last?.version ?? 1 }

    /// Migrates where the file differs.
    func run(on pool: DatabasePool) throws {
        try pool.writeWithoutTransaction { database in
            guard try needs(database) else { return }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.inTransaction(.immediate) {
                // Another process may have done it meanwhile.
                if try needs(database) { try migrate(database) }
                FailPoint.visit("migration.before-commit")
                return .commit
            }
        }
    }

    private func needs(_ database: Database) throws -> Bool {
        let file = try StoreFile.modelBytes(database)
        let version = try dataVersion(database)
        guard version <= self.version else {
            throw LocalStoreError(
                .newerVersion,
                message: "A newer release of the app wrote the file: its data have version \(version), this release "
                    + "knows \(self.version)."
            )
        }
        return version < self.version || file.bytes != ModelCodec.encode(model)
    }

    private func dataVersion(_ database: Database) throws -> Int {
        let text = try String.fetchOne(database, sql: "SELECT value FROM tideline_meta WHERE name = 'data_version'")
        return text.flatMap { Int($0) } ?? 1
    }

    private func migrate(_ database: Database) throws {
        let file = try StoreFile.modelBytes(database)
        let old = StoreLayout(try ModelCodec.decode(file.bytes))
        let new = StoreLayout(model)
        let from = try dataVersion(database)
        var shape = StoreShape(old)
        for migration in migrations where migration.version > from {
            for step in migration.steps { try shape.apply(step) { old.sets[$0].key } }
        }
        let mapping = try shape.mapping(from: old, to: new)
        if !mapping.isIdentity {
            let records = try MigratedRecords(Connection(database, old), mapping)
            try MigratedTables(Connection(database, new), mapping).move()
            try records.store(Connection(database, new))
        } else {
            try MigratedTables(Connection(database, new), mapping).index()
        }
        let connection = Connection(database, new)
        try connection.run("DELETE FROM main.tideline_model")
        try connection.run("INSERT INTO main.tideline_model VALUES (?, ?)") {
            $0.integer(file.revision + 1)
            $0.blob(ModelCodec.encode(model))
        }
        try connection.setNumber("data_version", Int64(version))
    }
}
