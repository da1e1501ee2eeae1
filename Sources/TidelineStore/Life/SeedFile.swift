// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel

/// A store file that other files begin as.
///
/// It may lie where nothing can be written, for example in an app's bundle: it is copied byte by byte, and prepared under
/// another name before it gets its own.
struct SeedFile {
    let path: String
    let settings: StoreSettings

    /// Makes the file of a store: the rows of the seed, in the app's model, under a new identity.
    ///
    /// - Throws: ``LocalStoreError``; `exists` when there is a file of that name meanwhile.
    func copy(to target: String, _ migrator: Migrator?, _ origin: StoreOrigin?) throws {
        try prepared(beside: target, migrator, origin) { try StoreFile.place($0, at: target) }
    }

    /// Lends a prepared copy, closed.
    func prepared<Result>(
        beside target: String,
        _ migrator: Migrator?,
        _ origin: StoreOrigin?,
        _ body: (String) throws -> Result
    ) throws -> Result {
        guard StoreFile.exists(path) else {
            throw LocalStoreError(.notFound, message: "There is no seed file '\(path)'.")
        }
        guard FileSystem.size(of: path + "-wal") ?? 0 == 0 else {
            throw LocalStoreError(.busy, message: "The seed '\(path)' is in use: close it before it is copied.")
        }
        let temporary = FileSystem.temporaryName(beside: target)
        defer { FileSystem.removeDatabase(temporary) }
        try FileSystem.copy(path, to: temporary)
        try prepare(temporary, migrator, origin)
        return try body(temporary)
    }

    private func prepare(_ copy: String, _ migrator: Migrator?, _ origin: StoreOrigin?) throws {
        var settings = settings
        // A copy is no store yet: nobody knows its identity.
        settings.identityFolder = nil
        let store = try LocalStore(path: copy, settings: settings, migrator: migrator)
        do {
            let waiting = try store.waitingChanges()
            guard waiting.isEmpty else {
                throw LocalStoreError.waiting(waiting, "The seed '\(path)' has", "Make it with 'exportSeed'.")
            }
            try store.takeNewIdentity(origin)
        } catch {
            try? store.close()
            throw error
        }
        try store.closeWhole()
    }
}
