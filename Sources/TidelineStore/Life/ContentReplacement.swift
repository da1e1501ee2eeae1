// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineStorage

/// Puts the content of another store file of the same model in place of the store's own, in one transaction.
struct ContentReplacement {
    /// The name of the attached file.
    static let schema = "tideline_from"

    /// What comes along with the rows.
    enum Scope {
        /// Rows and what is known of the server; the store stays the client that it is.
        case rows
        /// Everything that waits too; the store becomes another client.
        case everything
    }

    let store: LocalStore
    let scope: Scope

    /// - Parameters:
    ///   - discards: whether changes that wait may be given up.
    ///   - advice: what a refusal tells to do.
    /// - Returns: the changes that were given up.
    func run(from file: String, discards: Bool, advice: String) throws -> [Change] {
        try store.onWriter { connection in
            try connection.run("ATTACH ? AS \(ContentReplacement.schema)") { $0.text(file) }
            defer {
                connection.forgetStatements()
                _ = try? connection.run("DETACH \(ContentReplacement.schema)")
                connection.forgetStatements()
            }
            return try store.transaction(on: connection, durably: true) { connection in
                try checkModel(connection)
                if scope == .everything { try checkOwner(connection) }
                let waiting = try LocalStore.waitingChanges(connection)
                guard waiting.isEmpty || discards else {
                    throw LocalStoreError.waiting(waiting, "The store has", advice)
                }
                try replace(connection)
                FailPoint.visit("content.before-commit")
                return (waiting, .whole(connection.layout))
            }
        }
    }

    private func checkModel(_ connection: Connection) throws {
        let model = try connection.query(
            "SELECT model FROM \(ContentReplacement.schema).tideline_model ORDER BY version DESC LIMIT 1"
        ) { $0.bytes(0) }
        let other = try model.first.map { try Self.contentModel(ModelCodec.decode($0)) }
        guard other == Self.contentModel(connection.layout.model) else {
            throw LocalStoreError(
                .migrationNeeded,
                message: "The file has another model than the store: open the store with the migrations between them."
            )
        }
    }

    /// What a model says of the content: many to many adds nothing to it, and stores of earlier releases do not have it.
    private static func contentModel(_ model: EntityModel) -> [UInt8] {
        var sets = model.sets
        for place in sets.indices { sets[place].type.navigationProperties.removeAll { $0.link != nil } }
        return ModelCodec.encode(EntityModel(namespace: model.namespace, container: model.container, sets: sets))
    }

    /// Refuses what is of another user: it would be shown, and sent, as this one's.
    private func checkOwner(_ connection: Connection) throws {
        func differs(_ name: String) throws -> Bool {
            guard let mine = try connection.meta(name), let other = try other(name, connection) else { return false }
            return !other.isEmpty && mine != other
        }
        guard try differs("owner") || differs("user_name") || differs("service_url") && !isOfService(connection) else {
            return
        }
        throw LocalStoreError(.foreignFile, message: "The content belongs to another user, or to another service.")
    }

    /// Whether both know the same publication: its service may have another address by now.
    private func isOfService(_ connection: Connection) throws -> Bool {
        guard let mine = try connection.meta("epoch"), let other = try other("epoch", connection) else { return false }
        return LocalStore.isSamePublication(mine, other)
    }

    private func replace(_ connection: Connection) throws {
        let from = ContentReplacement.schema
        store.unclaimed.prepared.withLock { $0 = [] }
        for set in connection.layout.sets {
            for table in [set.loadTable, set.stageTable] { try connection.run("DROP TABLE IF EXISTS main.\(table)") }
            try connection.run("DELETE FROM main.\(set.table)")
            let columns = set.list(set.columns.indices) + ", tideline_etag"
            try connection.run(
                "INSERT INTO main.\(set.table) (\(columns)) SELECT \(columns) FROM \(from).\(set.table)"
            )
        }
        try PullClaim.release(connection)
        let last = try PendingLog.nextNumber(connection) - 1
        if last > 0 { try PendingLog.retire(last, connection) }
        for table in StoreFile.recordTables {
            try connection.run("DELETE FROM main.\(table)")
            let isCopied = scope == .everything && table != "tideline_sent" || table == "tideline_subscriptions"
            if isCopied { try connection.run("INSERT INTO main.\(table) SELECT * FROM \(from).\(table)") }
        }
        if try connection.meta("service_url") != other("service_url", connection) {
            // From the root of another host, or with the path of another address: those sets are loaded anew.
            try connection.run("UPDATE main.tideline_subscriptions SET delta_link = NULL WHERE delta_link LIKE '/%'")
        }
        try connection.setMeta(LocalStore.conflictsSeen, nil)
        // The rows that came may have temporary keys that were given up here.
        try connection.forgetRenamed()
        // A sync that runs goes on with nothing of what it asked for before.
        try connection.changeContent()
        // Keys that stand in for the server's are used once, also those of the rows that came.
        for name in Connection.temporaryKeySettings {
            try connection.setNumber(name, min(try connection.number(name), try number(name, connection)))
        }
        // What the rows are of: a service that was published anew since then counts the uses of their keys from none.
        for name in [KnownPositions.setting, "epoch"] { try connection.setMeta(name, try other(name, connection)) }
        guard scope == .everything else { return }
        try takeIdentity(connection)
        try holdUndecided(connection)
    }

    /// Puts what the other client sent, and has no answer to, into the quarantine: the server may have it.
    private func holdUndecided(_ connection: Connection) throws {
        let numbers = try connection.query(
            "SELECT number FROM \(ContentReplacement.schema).tideline_sent ORDER BY number"
        ) { $0.integer(0) }
        guard !numbers.isEmpty else { return }
        let effects = try ServerEffects(connection)
        for number in numbers {
            try effects.toQuarantine(
                number,
                code: "Undecided",
                message:
                    "The transaction was sent from elsewhere and not answered: the server may have it. Sync, look, "
                    + "and discard or retry it.",
                status: 0
            )
        }
        try effects.save()
    }

    /// A setting of the attached file.
    private func other(_ name: String, _ connection: Connection) throws -> String? {
        try connection.query(
            "SELECT value FROM \(ContentReplacement.schema).tideline_meta WHERE name = ?",
            { $0.text(name) }
        ) { $0.string(0) }.first ?? nil
    }

    private func number(_ name: String, _ connection: Connection) throws -> Int64 {
        try other(name, connection).flatMap { Int64($0) } ?? 0
    }

    /// What waits was made by another client: its numbers count here too.
    private func takeIdentity(_ connection: Connection) throws {
        let last = max(try connection.number("last_number"), try number("last_number", connection))
        try connection.setNumber("last_number", last)
        for name in LocalStore.waitingSettings { try connection.setMeta(name, try other(name, connection)) }
        if try connection.meta("service_url") == nil {
            for name in ["service_url", "user_name"] { try connection.setMeta(name, try other(name, connection)) }
        }
        try LocalStore.renewIdentity(connection)
        let client = try other("client_id", connection)
        try connection.setMeta("previous_client_id", client)
        guard let client = client.flatMap({ GUID($0) }) else { return }
        try connection.keepWaiting(
            of: client,
            StoreIdentity.Inherited.read(try other("inherited", connection) ?? "")
        )
    }
}

extension LocalStoreError {
    fileprivate static let contentReplaced = LocalStoreError(
        .busy,
        message: "The store's content was replaced, or the store was moved, while a sync ran. Sync again."
    )
}

extension StoreIdentity {
    /// Refuses to go on with what was meant for a content that is gone.
    package func checkContent(_ number: Int64) throws {
        guard content == number else { throw LocalStoreError.contentReplaced }
    }
}

extension Connection {
    /// Begins another content: what is asked of a server by now was meant for the one before.
    func changeContent() throws {
        try setNumber("content", try number("content") + 1)
    }

    /// Refuses what was meant for a content that is gone.
    func checkContent(_ number: Int64?) throws {
        guard let number, try self.number("content") != number else { return }
        throw LocalStoreError.contentReplaced
    }
}
