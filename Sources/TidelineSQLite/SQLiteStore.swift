// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
public import TidelineModel
public import TidelineStorage

/// A store over an SQLite file: a database that was published in place, or one that Tideline made for itself.
///
/// Reads run on a few connections of their own, each in a snapshot; writes queue on one connection, and a write that
/// returned is on disk. Other programs may use the file at the same time.
public final class SQLiteStore: Store {
    /// How a file is opened.
    public struct Options: Sendable {
        /// Whether changes are captured in a log: the feed of a published database.
        public var isTracked: Bool
        /// The wire names of properties whose changes narrow deltas, by the wire name of their set.
        public var scopes: [String: [String]]
        /// How long a transaction waits for other programs before it fails as busy.
        public var busyTimeout: Duration
        /// The most connections that read at the same time.
        public var maximumReaders: Int

        public init(
            isTracked: Bool = true,
            scopes: [String: [String]] = [:],
            busyTimeout: Duration = .seconds(10),
            maximumReaders: Int = 4
        ) {
            self.isTracked = isTracked
            self.scopes = scopes
            self.busyTimeout = busyTimeout
            self.maximumReaders = maximumReaders
        }

        /// For a database that nothing is synchronised from, such as that of the accounts.
        public static let untracked = Options(isTracked: false)
    }

    public let model: EntityModel

    /// Opens an existing file.
    ///
    /// - Throws: ``StorageError``: `io` when there is no such file, `corrupt` when it is no database, `unsupported`
    ///   when changes are to be captured and it was never published.
    public init(path: String, model: EntityModel, options: Options = Options()) throws {
        self.model = model
    }

    public func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
        throw StorageError(.unsupported, message: "Not here yet.")
    }

    public func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        throw StorageError(.unsupported, message: "Not here yet.")
    }

    /// Removes entries of the change log that are older than `entries` before its end; the newest one always stays.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    public func compact(keeping entries: Int64) throws -> Int { 0 }

    /// Closes the connections; the store cannot be used afterwards.
    public func close() throws {}
}
