// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import SixBookmarks
public import Tideline

/// A signed-in user's bookmarks, and the engine that keeps them in step.
public final class BookmarkSession: Sendable {
    /// Whose bookmarks they are.
    public let account: Account
    /// The bookmarks on this device.
    public let book: BookmarkBook
    /// Brings both sides in step; a screen shows its status.
    public let engine: SyncEngine
    private let session: Session
    private let accounts: AccountList
    /// How often one sync sends again what another device's place refused.
    private static let mostRounds = 3

    init(account: Account, book: BookmarkBook, engine: SyncEngine, session: Session, accounts: AccountList) {
        self.account = account
        self.book = book
        self.engine = engine
        self.session = session
        self.accounts = accounts
    }

    /// Syncs, and gives bookmarks whose place was taken elsewhere another one.
    ///
    /// - Throws: as ``SyncEngine/sync()``; nothing is lost then.
    public func sync() async throws -> BookmarkSync {
        var result = BookmarkSync(try await engine.sync())
        for _ in 0..<Self.mostRounds {
            let (plan, isToBeSent) = try book.repairPlaces()
            result.moved += plan.moves
            result.homeless = plan.homeless
            guard isToBeSent else { break }
            result.add(try await engine.sync())
        }
        return result
    }

    /// How many changes the service does not have: those that wait, and those that it refused.
    public func waitingChanges() throws -> Int {
        let status = try book.store.status()
        return status.pendingTransactions + status.quarantined
    }

    /// Signs out: the service revokes the sign-in, and the user's rows leave this device.
    ///
    /// - Parameter discardingChanges: whether changes that the service does not have may go too.
    /// - Returns: whether the service was told; without a connection its side of the sign-in ends by itself later.
    /// - Throws: ``LocalStoreError`` with `pendingChanges` where such changes wait, and nothing is done.
    public func signOut(discardingChanges: Bool = false) async throws -> Bool {
        guard try discardingChanges || waitingChanges() == 0 else {
            throw LocalStoreError(.pendingChanges, message: "Changes wait that were not sent. Sync first.")
        }
        await engine.stop()
        let isRevoked: Bool
        do {
            _ = try await session.signOut()
            isRevoked = true
        } catch is ClientError {
            isRevoked = false
        }
        try accounts.remove(account)
        try book.store.wipe(discardingChanges: true)
        return isRevoked
    }

    /// Ends the use without signing out; what is here stays.
    public func close() async throws {
        await engine.stop()
        try book.store.close()
    }
}
