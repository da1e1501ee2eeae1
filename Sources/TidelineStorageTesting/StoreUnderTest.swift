// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

/// One database of a backend with the sets of ``StoreFixture``, and what a test may do to it from outside.
///
/// Each backend's tests make one in their own way; ``StoreRule`` does the rest. What a backend cannot do answers false,
/// and the rule that needs it then proves nothing about that backend.
public protocol StoreUnderTest: AnyObject {
    /// Makes a new database with the tables, constraints and view of ``StoreFixture`` and no entity, opened as a store
    /// that logs its changes with ``StoreFixture/scopes``.
    init() throws

    /// The store; another one after ``reopen()`` and ``restoreCopy()``.
    ///
    /// Its model is ``StoreFixture/model``, but for storage forms and names in the database.
    var store: any Store { get }

    /// The key of the database's ETags.
    var etagKey: [UInt8] { get throws }

    /// Closes the store and opens it again, as after a restart.
    ///
    /// - Returns: false when nothing of this store outlives its process.
    func reopen() throws -> Bool

    /// Runs SQL as another program would, committed when it returns: plain statements over the tables of the fixture.
    ///
    /// - Returns: false when there is no SQL.
    func run(_ sql: String) throws -> Bool

    /// Keeps a copy of the database as a backup does.
    ///
    /// - Returns: false when this store cannot be copied.
    func keepCopy() throws -> Bool

    /// Puts the kept copy in the place of the database and opens it.
    func restoreCopy() throws

    /// Begins the change log anew, as when lost capture is restored.
    ///
    /// - Returns: false when a test cannot make that happen here.
    func beginEpoch() throws -> Bool
}
