// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// A place that holds the entities of one model: the contract that every backend keeps.
///
/// Synchronous: inside the closures nothing awaits and no socket is touched. A read sees one snapshot; a write is one
/// transaction, durable when `write` returns, undone when the closure throws. A closure may be run again.
public protocol Store: Sendable {
    /// The model that the store publishes now.
    var model: EntityModel { get }

    /// Runs `body` in one snapshot.
    ///
    /// - Throws: ``StorageError`` of the store, or what `body` throws.
    func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result

    /// Runs `body` in one transaction. Writers queue; nobody waits for readers.
    ///
    /// - Throws: ``StorageError`` of the store, or what `body` throws; nothing is changed then.
    func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result

    /// Runs `body` in one snapshot of the database or of a copy of it that may lag behind: not for what speaks of changes.
    ///
    /// - Throws: ``StorageError`` of the store, or what `body` throws.
    func readCopy<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result

    /// Removes what the change log and the conflict log need not keep any longer: one step, in a transaction of its own.
    ///
    /// The newest change always stays. Positions that have not seen all that was removed are gone.
    /// Of the conflict log, what is older than `retention.seconds` goes, and what is beyond 10,000 entries or 64 MiB.
    ///
    /// - Parameters:
    ///   - now: seconds from 1970: an entry is as old as the first call after it says.
    ///   - limit: the most entries to remove.
    func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction

    /// How what the store has open stands to what its place names now.
    var place: StorePlace { get }

    /// Has `receive` called soon after another program has changed the database, where the database can tell of it.
    ///
    /// A hint and no more: one may come late, twice, for nothing or not at all, so who watches looks from time to time,
    /// too. It comes on a thread of the store's and must be quick.
    ///
    /// - Returns: what watches as long as somebody holds it; `nil` where the store is told nothing.
    func watch(_ receive: @escaping @Sendable () -> Void) -> (any StoreWatch)?
}

extension Store {
    /// For a store that has no file.
    public var place: StorePlace { .same }

    /// For a store that is told nothing.
    public func watch(_ receive: @escaping @Sendable () -> Void) -> (any StoreWatch)? { nil }

    /// For a store without copies.
    public func readCopy<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result { try read(body) }
}
