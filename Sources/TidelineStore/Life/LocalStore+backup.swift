// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// Copies of the whole file, made while it is in use.
extension LocalStore {
    /// Writes a copy of the store to one file; reads and writes go on meanwhile.
    ///
    /// The copy is checked before it gets its name, in place of an earlier backup there. It has all that waits. Opened
    /// as a store it is another client, see ``StoreSettings/identityFolder``.
    /// - Throws: ``LocalStoreError``: `foreignFile` when another file has that name; `corrupt` when this store is
    ///   damaged; `full`, `io`. An earlier backup is still there then.
    @_disfavoredOverload
    public func backup(to path: String) throws {
        if StoreFile.exists(path) { try StoreFile.checkHeader(path) }
        try copied(beside: path) { copy in
            // A nonce that no folder knows: whoever opens the copy becomes another client.
            try copy.writing(durably: true) { connection in
                var random = SystemRandomNumberGenerator()
                try connection.setMeta("nonce", GUID(high: random.next(), low: random.next()).text)
                try connection.setMeta("is_noted", "1")
                return ((), [])
            }
        } place: {
            FailPoint.visit("backup.before-rename")
            try FileSystem.replace(path, with: $0)
        }
    }

    /// Writes a copy of the store to one file, on a thread of the store.
    public func backup(to path: String) async throws { try await onThread { try self.backup(to: path) } }

    /// Makes a checked copy beside a path, lends it to be changed, and then, closed, to be placed.
    func copied(beside path: String, change: (LocalStore) throws -> Void, place: (String) throws -> Void) throws {
        let temporary = FileSystem.temporaryName(beside: path)
        defer { FileSystem.removeDatabase(temporary) }
        try SQLiteRefusal.translated {
            let queue = try DatabaseQueue(path: temporary, configuration: StoreFile.configuration(self.settings))
            try pool.backup(to: queue)
            try queue.close()
        }
        var settings = settings
        settings.identityFolder = nil
        let copy = try LocalStore(path: temporary, settings: settings)
        do {
            let check = try copy.check()
            guard check.isSound else {
                throw LocalStoreError(.corrupt, message: "The copy is damaged: \(check.problems[0])")
            }
            try change(copy)
        } catch {
            try? copy.close()
            throw error
        }
        try copy.closeWhole()
        try FileSystem.synchronize(temporary)
        try place(temporary)
    }
}
