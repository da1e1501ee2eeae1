// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelinePostgres
import TidelineServer
import TidelineService
import TidelineSQLite
import TidelineStorage

/// The making of a database and its domain from a model: both, or none.
///
///     model ─► tables ─► change capture and the domain's file, with the whole model
struct Creation {
    let model: CreationModel
    let name: String
    let data: DataDirectory
    let isOpen: Bool
    /// YAML of policies, or `nil`.
    let policies: String?
    /// Where the tables are made; `nil` is a file of SQLite in the data folder.
    let postgres: PostgresAddress?

    /// - Throws: ``CommandFailure``, or an error of the database; nothing is changed then.
    func create() throws -> PublicationReport {
        guard !FilePath.exists(data.file(domain: name)) else {
            throw CommandFailure(
                "The domain \(name) exists in \(data.path).",
                next: "Choose another name, or take it away first: "
                    + "tideline unpublish \(name) --data \(ShellWord.quoted(data.path))"
            )
        }
        if let postgres { return try create(in: postgres) }
        try data.create()
        let folder = data.path + "/databases"
        try DataDirectory.makeFolder(folder)
        let path = "\(folder)/\(name).sqlite"
        guard !FilePath.exists(path) else {
            throw CommandFailure("There is a file \(path) already.", next: "Publish it, or move it away.")
        }
        let prepared = SQLiteSchema.prepared(model.model)
        do {
            try SQLiteSchema.createFile(prepared, path: path)
            return try publish(
                .sqlite(FilePath.absolute(path)),
                prepared,
                written: .init(path: "../../databases/\(name).sqlite")
            )
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { FilePath.remove(path + suffix) }
            throw error
        }
    }

    private func create(in address: PostgresAddress) throws -> PublicationReport {
        let prepared = PostgresSchema.prepared(model.model)
        let conninfo = try address.conninfo()
        try PostgresSchema.create(prepared, conninfo: conninfo, schema: address.schema)
        do {
            return try publish(.postgres(address), prepared, written: nil)
        } catch {
            do {
                try PostgresSchema.drop(prepared, conninfo: conninfo, schema: address.schema)
            } catch let second {
                throw CommandFailure(
                    "The domain was not made, and its new tables in the schema \(address.schema) are still there.",
                    why: [error, second].map { CommandFailure.wrap("", $0) }.map { $0.why ?? $0.what }.joined(
                        separator: "\n"
                    ),
                    next: "Drop them before the next try."
                )
            }
            throw error
        }
    }

    private func publish(
        _ source: DatabaseSource,
        _ model: EntityModel,
        written: Domain.Database?
    ) throws -> PublicationReport {
        // What is there beside the new tables is nobody's of this domain.
        let others = try source.scan(namespace: model.namespace, PublishingChoices()).model.sets
            .map(\.names.database)
            .filter { table in !model.sets.contains { $0.names.database == table } }
        return try Publication(
            source: source,
            name: name,
            data: data,
            isOpen: isOpen,
            choices: PublishingChoices(skipped: Set(others)),
            policies: policies,
            written: written,
            adjust: { $0 = model }
        ).publish()
    }
}
