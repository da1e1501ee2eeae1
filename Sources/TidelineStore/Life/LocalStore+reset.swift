// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Going back to the beginning, and going away.
extension LocalStore {
    /// Puts the rows of a seed in place of all rows; live results are told.
    ///
    /// What waited to be sent is never dropped silently: without `discardingChanges` its presence ends the call.
    /// - Returns: the changes that were given up.
    /// - Throws: ``LocalStoreError``: `pendingChanges` with the list of them; `notFound` when there is no such seed;
    ///   `migrationNeeded` when the seed is older and the store was not opened with migrations. Nothing is changed then.
    @discardableResult
    public func reset(toSeed seed: String, discardingChanges: Bool = false) throws -> [Change] {
        try SeedFile(path: seed, settings: settings).prepared(beside: path, migrator, nil) { copy in
            try ContentReplacement(store: self, scope: .rows).run(
                from: copy,
                discards: discardingChanges,
                advice: "Send them first, or reset with 'discardingChanges'."
            )
        }
    }

    /// Writes a file that other stores can begin as: the rows of this one, without anything that waits.
    ///
    /// A store without a service gives its rows as they are.
    /// - Throws: ``LocalStoreError``: `exists` when there is such a file; `pendingChanges` when rows of a service have
    ///   changes that it does not have.
    public func exportSeed(to path: String) throws {
        guard !StoreFile.exists(path) else {
            throw LocalStoreError(.exists, message: "The file '\(path)' exists.")
        }
        try copied(beside: path) { copy in
            try copy.writing(durably: true) { connection in
                let waiting = try LocalStore.waitingChanges(connection)
                // Nothing would ever tell such rows from the service's, and no sync would put them right.
                guard try waiting.isEmpty || connection.meta("service_url") == nil else {
                    throw LocalStoreError.waiting(waiting, "The store has", "Send or discard them before the export.")
                }
                for table in StoreFile.recordTables where table != "tideline_subscriptions" {
                    try connection.run("DELETE FROM main.\(table)")
                }
                try LocalStore.renewIdentity(connection)
                for name in [
                    "service_url", "user_name", "owner", "last_number", "handed_out", TransactionMarks.unmet,
                    TransactionMarks.failures, SyncLog.lastSuccess,
                ] {
                    try connection.setMeta(name, nil)
                }
                try connection.run("DROP TABLE IF EXISTS main.\(SyncLog.table)")
                try connection.forgetRenamed()
                try DroppedChanges.remove(connection)
                for table in connection.layout.sets.flatMap({ [$0.loadTable, $0.stageTable] }) {
                    try connection.run("DROP TABLE IF EXISTS main.\(table)")
                }
                return ((), [])
            }
            // What was deleted is still readable in the free pages, and the file is given away.
            _ = try copy.onWriter { try $0.run("VACUUM main") }
        } place: {
            try StoreFile.place($0, at: path)
        }
    }

    /// Closes the store and removes its file, for example when its user signs out.
    ///
    /// What another process still has open goes when it closes it.
    /// - Returns: the changes that were given up.
    /// - Throws: ``LocalStoreError``: `pendingChanges` with the list of them, and the store stays open.
    @discardableResult
    public func wipe(discardingChanges: Bool = false) throws -> [Change] {
        let client = try identity().clientID.text
        let waiting = try onWriter { connection in
            let waiting = try transaction(on: connection, durably: false) { connection in
                let waiting = try LocalStore.waitingChanges(connection)
                guard waiting.isEmpty || discardingChanges else {
                    throw LocalStoreError.waiting(
                        waiting,
                        "The store has",
                        "Send them first, or wipe with 'discardingChanges'."
                    )
                }
                return (waiting, [])
            }
            // Still on the writing connection: no write of this store comes after that look.
            guard beginClosing() else { throw LocalStoreError(.closed, message: "The store was closed.") }
            return waiting
        }
        try finishClosing()
        FileSystem.removeDatabase(path)
        FileSystem.synchronize(folderOf: path)
        if let folder = settings.identityFolder { FileSystem.remove("\(folder)/\(client).store") }
        return waiting
    }
}
