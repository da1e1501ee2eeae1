// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelinePostgres
import TidelineService
import TidelineSQLite
import TidelineStorage

/// A database that is published, or is to be.
enum DatabaseSource: Sendable {
    /// The path of the file, from the root.
    case sqlite(String)
    case postgres(PostgresAddress)

    /// The database of a domain, given the folder of its file.
    init(_ database: Domain.Database, folder: String) {
        switch database.kind {
        case .sqlite: self = .sqlite(FilePath.resolve(database.path, in: folder))
        case .postgres:
            self = .postgres(
                PostgresAddress(
                    url: database.url,
                    schema: database.schema,
                    passwordFile: database.passwordFile.map { FilePath.resolve($0, in: folder) },
                    replica: database.replica
                )
            )
        }
    }

    /// How the file of a domain names it.
    var database: Domain.Database {
        switch self {
        case .sqlite(let path): Domain.Database(path: path)
        case .postgres(let address):
            Domain.Database(
                url: address.url,
                schema: address.schema,
                passwordFile: address.passwordFile.map(FilePath.absolute),
                replica: address.replica
            )
        }
    }

    /// The database for people: no password stands in it.
    var shown: String {
        switch self {
        case .sqlite(let path): path
        case .postgres(let address): address.shown
        }
    }

    /// Whether the file of a domain that names it is nobody else's to read.
    var isSecret: Bool {
        if case .postgres(let address) = self { address.hasPassword } else { false }
    }

    /// Whether it is surely not another one: a file that is gone may come back under any name.
    func isOther(than other: DatabaseSource) -> Bool {
        switch (self, other) {
        case (.sqlite(let left), .sqlite(let right)): FilePath.exists(left) && !FilePath.isSame(left, right)
        case (.postgres(let left), .postgres(let right)): left.shown != right.shown || left.schema != right.schema
        default: true
        }
    }

    /// Whether it is surely the same one, by which links or paths ever it is named.
    func isSame(as other: DatabaseSource) -> Bool {
        switch (self, other) {
        case (.sqlite(let left), .sqlite(let right)): FilePath.isSame(left, right)
        // What publishing adds is there once in a database, whatever schema is published.
        case (.postgres(let left), .postgres(let right)): left.shown == right.shown
        default: false
        }
    }

    /// Looks at the database; changes nothing.
    func scan(namespace: String, _ choices: PublishingChoices) throws -> Introspection {
        switch self {
        case .sqlite(let path):
            try SQLiteIntrospection.scan(
                path: path,
                namespace: namespace,
                viewKeys: choices.keys,
                skipping: choices.skipped,
                guesses: choices.guesses
            )
        case .postgres(let address):
            try PostgresIntrospection.scan(
                conninfo: address.conninfo(),
                schema: address.schema,
                namespace: namespace,
                viewKeys: choices.keys,
                skipping: choices.skipped,
                guesses: choices.guesses
            )
        }
    }

    /// Adds change capture; see ``SQLitePublisher`` and ``PostgresPublisher``, which agree in all of this.
    func publish(
        namespace: String,
        _ choices: PublishingChoices,
        scopes: (EntityModel) -> [String: [String]],
        isLeftover: () -> Bool,
        beforeCommit: (Introspection) throws -> Void
    ) throws -> Introspection {
        switch self {
        case .sqlite(let path):
            try SQLitePublisher.publish(
                path: path,
                namespace: namespace,
                viewKeys: choices.keys,
                skipping: choices.skipped,
                guesses: choices.guesses,
                scopes: scopes,
                isLeftover: isLeftover,
                beforeCommit: beforeCommit
            )
        case .postgres(let address):
            try PostgresPublisher.publish(
                conninfo: address.conninfo(),
                schema: address.schema,
                namespace: namespace,
                viewKeys: choices.keys,
                skipping: choices.skipped,
                guesses: choices.guesses,
                scopes: scopes,
                isLeftover: isLeftover,
                beforeCommit: beforeCommit
            )
        }
    }

    /// Whether change capture is there.
    func isPublished() throws -> Bool {
        switch self {
        case .sqlite(let path): try SQLitePublisher.isPublished(path: path)
        case .postgres(let address): try PostgresPublisher.isPublished(conninfo: address.conninfo())
        }
    }

    /// Takes change capture away, together with what `beforeCommit` does.
    func unpublish(beforeCommit: () throws -> Void) throws {
        switch self {
        case .sqlite(let path): try SQLitePublisher.unpublish(path: path, beforeCommit: beforeCommit)
        case .postgres(let address):
            try PostgresPublisher.unpublish(conninfo: address.conninfo(), beforeCommit: beforeCommit)
        }
    }

    /// Opens the store of a domain.
    func open(_ domain: Domain) throws -> any Store {
        let statement = Duration.seconds(domain.limits.statementSeconds)
        let lock = Duration.seconds(domain.limits.lockSeconds)
        switch self {
        case .sqlite(let path):
            return try SQLiteStore(
                path: path,
                model: domain.model,
                options: .init(scopes: domain.scopeProperties, busyTimeout: lock, statementTimeout: statement)
            )
        case .postgres(let address):
            return try PostgresStore(
                conninfo: address.conninfo(),
                model: domain.model,
                options: .init(
                    scopes: domain.scopeProperties,
                    schema: address.schema,
                    replica: try address.replicaConninfo(),
                    statementTimeout: statement,
                    lockTimeout: lock
                )
            )
        }
    }
}
