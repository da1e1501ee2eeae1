// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Opening with a model: the file is made, taken from a seed, or brought to the model.
extension LocalStore {
    /// Opens an app's store: makes the file at the first time, and migrates a file that an older release made.
    ///
    ///     let store = try LocalStore.open(path: path, model: model, seed: bundle + "/start.tideline")
    ///
    /// Two processes may do it at once. Whatever fails leaves the file as it was, and none where there was none.
    /// - Parameters:
    ///   - seed: a store file that the new one begins as, or `nil` for an empty one; it is not looked at when the file
    ///     exists.
    ///   - migrations: what led from the model of the first release to this one; see ``StoreMigration``.
    ///   - origin: the service that a new file belongs to, where that is known.
    /// - Throws: ``LocalStoreError``: `notFound` when there is no such seed, `pendingChanges` when the seed has some,
    ///   `newerVersion` and `newerFormat` for a file of a newer release, `migrationNeeded`, `invalidValue` for a value
    ///   that cannot be converted, `foreignFile`, `corrupt`, `busy`, `full`, `io`; what a conversion of a migration
    ///   throws; what ``StoreSettings/prepareConnection`` throws.
    public static func open(
        path: String,
        model: EntityModel,
        seed: String? = nil,
        migrations: [StoreMigration] = [],
        origin: StoreOrigin? = nil,
        settings: StoreSettings = StoreSettings()
    ) throws -> LocalStore {
        let migrator = try Migrator(model, migrations)
        if !StoreFile.exists(path) {
            do {
                if let seed {
                    try SeedFile(path: seed, settings: settings).copy(to: path, migrator, origin)
                } else {
                    try StoreFile.create(
                        path: path,
                        model: model,
                        origin: origin,
                        version: migrator.version,
                        settings: settings
                    )
                }
            } catch let error as LocalStoreError where error.code == .exists {
                // Another process was faster: its file is as good.
            }
        }
        return try LocalStore(path: path, settings: settings, migrator: migrator)
    }
}

extension LocalStore {
    /// Makes a store that is gone when it is closed or no longer used: for tests, previews and scratch work.
    ///
    /// It lies in a folder of its own among the system's temporary files, and can do what every store can.
    /// - Throws: ``LocalStoreError``: `unsupported` for a model that no file can hold, `full`, `io`.
    public static func temporary(
        model: EntityModel,
        settings: StoreSettings = StoreSettings()
    ) throws -> LocalStore {
        let folder = try VanishingFolder()
        let path = folder.path + "/store.tideline"
        try StoreFile.create(path: path, model: model, origin: nil, settings: settings)
        return try LocalStore(path: path, settings: settings, migrator: nil, folder: folder)
    }
}

extension LocalStore {
    /// Takes out what counts as sent and waits no more, so that no answer would ever take it away.
    ///
    /// Two syncs of one file at once could leave that in it before each looked at what the other had settled.
    func removeStrays() throws {
        guard try reading({ try PendingLog.hasStrays($0) }) else { return }
        try writing(durably: true) { connection in
            try PendingLog.removeStrays(connection)
            return ((), [])
        }
    }
}

extension LocalStoreError {
    /// Whether a table or a value of another form may be the reason.
    var mayBeOfModel: Bool { code == .invalidSQL || code == .corrupt }
}
