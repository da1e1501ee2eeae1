// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStorage

/// One database of a backend with the sets of ``StoreFixture``, and what a test may do to it from outside.
///
/// Each backend's tests make one in their own way; ``StoreRule`` does the rest. A rule that needs what a backend lacks is
/// cancelled there with the reason, so a run says what it did not prove.
public protocol StoreUnderTest: AnyObject {
    /// Makes a new database with the tables, constraints and view of ``StoreFixture`` and no entity, opened as a store
    /// that logs its changes with ``StoreFixture/scopes``.
    init() throws

    /// What cannot be asked of this backend, each with the reason as a sentence; the methods for it are not called.
    static var lacks: [StoreAbility: String] { get }

    /// The store; another one after ``reopen()`` and ``takeBack(_:)``.
    ///
    /// Its model is ``StoreFixture/model``, but for storage forms and names in the database.
    var store: any Store { get }

    /// The key of the database's ETags.
    var etagKey: [UInt8] { get throws }

    /// Closes the store and opens it again: ``StoreAbility/reopening``.
    func reopen() throws

    /// Runs SQL as another program would, committed when it returns: ``StoreAbility/sql``.
    ///
    /// - Parameter sql: plain statements over the tables of the fixture.
    func run(_ sql: String) throws

    /// Runs changes, and then puts a copy of before in the place of the database, as from a backup:
    /// ``StoreAbility/copies``.
    func takeBack(_ changes: () throws -> Void) throws

    /// Begins the change log anew: ``StoreAbility/epochs``.
    func beginEpoch() throws
}
