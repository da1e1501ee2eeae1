// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
public import Tideline

/// Signs users in and opens their bookmarks: what the screens need of the device.
public struct BookmarkDevice: Sendable {
    /// The accounts of this device.
    public let accounts: AccountList
    private let transport: any Transport
    private let options: SyncOptions

    /// A device whose files lie in a folder.
    ///
    /// - Parameters:
    ///   - transport: how requests travel.
    ///   - options: patience and waiting of a sync.
    public init(
        folder: String,
        transport: any Transport = PlatformTransport.shared,
        options: SyncOptions = SyncOptions()
    ) {
        accounts = AccountList(folder: folder)
        self.transport = transport
        self.options = options
    }

    /// Signs a user in at the service, and opens the bookmarks that are on this device or brings them here.
    ///
    /// - Parameters:
    ///   - isRemembered: whether the next start does it by itself; else the sign-in ends with the program.
    ///   - isNew: whether the service does not know the user yet, and is to make one.
    /// - Throws: ``ClientError``, ``SyncError`` or ``LocalStoreError``; nobody is signed in then.
    public func signIn(
        _ credentials: Credentials,
        at service: String,
        isRemembered: Bool,
        isNew: Bool = false
    ) async throws -> BookmarkSession {
        let address = try ServiceAddress(service)
        let session = Session(address: address, transport: transport)
        if isNew { try await session.register(credentials) } else { try await session.signIn(credentials) }
        // As the service writes it: "Ada" and "ada" may be one.
        let user = try await session.userName() ?? credentials.user
        var account =
            try accounts.account(of: user, at: address.text)
            ?? Account(id: UUID().uuidString, service: address.text, user: user, isRemembered: isRemembered)
        account.isRemembered = isRemembered
        let kept = accounts.tokens(of: account)
        if isRemembered { try await session.keepTokens(in: kept) } else { try kept.remove() }
        do {
            let path = accounts.path(of: account)
            let store =
                FileManager.default.fileExists(atPath: path)
                ? try LocalStore(path: path, settings: settings)
                : try await clone(to: path, session)
            try accounts.keep(account)
            return open(account, store, session)
        } catch {
            _ = try? await session.signOut()
            throw error
        }
    }

    /// Opens the bookmarks of an account without asking the service: they are at hand with no connection.
    ///
    /// - Throws: ``LocalStoreError``.
    public func open(_ account: Account) throws -> BookmarkSession {
        let address = try ServiceAddress(account.service)
        let session = Session(address: address, transport: transport, tokens: accounts.tokens(of: account))
        return open(account, try LocalStore(path: accounts.path(of: account), settings: settings), session)
    }

    /// Ends a sign-in that the service takes no more: the next start asks again, and what is here stays.
    public func forget(_ account: Account) throws {
        var account = account
        account.isRemembered = false
        try accounts.tokens(of: account).remove()
        try accounts.keep(account)
    }

    private var settings: StoreSettings { .app(userFolder: accounts.folder) }

    private func clone(to path: String, _ session: Session) async throws -> LocalStore {
        let cloner = StoreCloner(client: ODataClient(session: session), settings: settings, options: options)
        let parts = ["Users", "Bookmarks"].map { SubscriptionRequest(set: $0) }
        return try await cloner.clone(to: path, requests: parts).store
    }

    private func open(_ account: Account, _ store: LocalStore, _ session: Session) -> BookmarkSession {
        BookmarkSession(
            account: account,
            book: BookmarkBook(store: store, userFolder: accounts.folder),
            engine: SyncEngine(store: store, client: ODataClient(session: session), options: options),
            session: session,
            accounts: accounts
        )
    }
}
