// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
import TidelineModel
public import TidelineStore
public import TidelineSync

/// Asks the user for name and password when the service wants them; `nil` leaves the call refused.
public typealias SignIn = @Sendable () async throws -> Credentials?

extension LocalStore {
    /// Makes a local store from a service: its model and all rows that the user may read, or a part of them.
    ///
    ///     let store = try await LocalStore.clone("https://example.org/odata/shop/", to: path) {
    ///         Credentials(user: name, password: password)
    ///     }
    ///
    /// - Parameters:
    ///   - service: the address of the domain.
    ///   - path: where the file is made; nothing may be there.
    ///   - parts: the sets to have, each with a filter of OData or without: `Orders?$filter=Total gt 100`. `nil` is
    ///     everything.
    ///   - transport: how requests travel.
    ///   - userFolder: where the refresh token lies, and what tells the file from its copies.
    ///   - signIn: asked when the service wants to know who this is.
    /// - Throws: ``ClientError``, ``SyncError`` or ``LocalStoreError``; there is no file then.
    public static func clone(
        _ service: String,
        to path: String,
        parts: [String]? = nil,
        transport: any Transport = PlatformTransport.shared,
        userFolder: String = UserFolder.path,
        signIn: SignIn? = nil
    ) async throws -> LocalStore {
        let session = Session(address: try ServiceAddress(service), transport: transport) { _ in try await signIn?() }
        let cloner = StoreCloner(client: ODataClient(session: session), settings: .app(userFolder: userFolder))
        let requests = try parts?.map { try SubscriptionRequest(parsing: $0) }
        let clone = try await cloner.clone(to: path, requests: requests) {
            TokenStorage(client: $0, in: PlatformSecrets.store(userFolder: userFolder))
        }
        return clone.store
    }
}

extension LocalStore {
    /// Gives a store that was made with no server a service: its rows go there, and it is as a clone from then on.
    ///
    /// Keys that the service makes replace the temporary ones. Interrupted, it goes on with the next sync.
    ///
    /// - Parameters:
    ///   - service: the address of the domain.
    ///   - parts: what of the service to have, as for ``clone(_:to:parts:transport:userFolder:signIn:)``; `nil` is all
    ///     of the store's sets.
    ///   - transport: how requests travel.
    ///   - options: patience and waiting.
    ///   - userFolder: where the refresh token lies.
    ///   - signIn: asked when the service wants to know who this is.
    /// - Returns: what the first sync did.
    /// - Throws: ``ModelMismatch`` with what differs, before anything is changed; ``ClientError``, ``SyncError`` or
    ///   ``LocalStoreError``.
    @discardableResult
    public func attach(
        to service: String,
        parts: [String]? = nil,
        transport: any Transport = PlatformTransport.shared,
        options: SyncOptions = SyncOptions(),
        userFolder: String = UserFolder.path,
        signIn: SignIn? = nil
    ) async throws -> SyncReport {
        let session = Session(address: try ServiceAddress(service), transport: transport) { _ in try await signIn?() }
        let attacher = StoreAttacher(client: ODataClient(session: session), options: options)
        let requests = try parts?.map { try SubscriptionRequest(parsing: $0) }
        return try await attacher.attach(self, requests: requests) {
            TokenStorage(client: $0, in: PlatformSecrets.store(userFolder: userFolder))
        }
    }
}

extension LocalStore {
    /// Has the store follow its service to another address: another host, port, scheme or path.
    ///
    /// Rows, what waits and the conflict log stay, and nothing is sent twice; rows are loaded anew where the domain has
    /// another name, or the server another key for links. A store that is there already is synced, so that an app may call
    /// this at each start. Stop the store's engine before, and make one afterwards: one of the address before ends with
    /// ``SyncError/Code/otherService``.
    ///
    /// - Parameters:
    ///   - service: the address that the domain has now.
    ///   - transport: how requests travel.
    ///   - options: patience and waiting.
    ///   - userFolder: where the refresh token lies.
    ///   - signIn: asked where the service wants to know who this is: a sign-in goes to the address where it was made alone.
    /// - Returns: what the sync at the new address did.
    /// - Throws: ``SyncError/Code/otherService`` where another publication is there, ``SyncError/Code/otherUser``,
    ///   ``ClientError`` or ``LocalStoreError``; the store is where it was, unless the sign-in could not be kept or the sync
    ///   failed: then the next sync goes on.
    @discardableResult
    public func move(
        to service: String,
        transport: any Transport = PlatformTransport.shared,
        options: SyncOptions = SyncOptions(),
        userFolder: String = UserFolder.path,
        signIn: SignIn? = nil
    ) async throws -> SyncReport {
        let session = Session(address: try ServiceAddress(service), transport: transport) { _ in try await signIn?() }
        let mover = StoreMover(client: ODataClient(session: session), options: options)
        return try await mover.move(self) {
            TokenStorage(client: $0, in: PlatformSecrets.store(userFolder: userFolder))
        }
    }
}

extension StoreSettings {
    /// The settings of an app: a copied store file is noticed by what lies in the user's configuration folder.
    public static func app(userFolder: String = UserFolder.path) -> StoreSettings {
        StoreSettings(identityFolder: userFolder + "/stores")
    }
}

extension SyncEngine {
    /// An engine for a store and the service that it was cloned from.
    ///
    /// The refresh token lies in the keychain, or in a file of the user's configuration folder; never in the store.
    ///
    /// - Parameters:
    ///   - store: a store with an origin.
    ///   - transport: how requests travel.
    ///   - options: patience and waiting.
    ///   - userFolder: where the refresh token lies.
    ///   - signIn: asked when there is no sign-in that still holds.
    /// - Throws: ``SyncError/Code/noService`` for a store that was made without a service.
    public convenience init(
        store: LocalStore,
        transport: any Transport = PlatformTransport.shared,
        options: SyncOptions = SyncOptions(),
        userFolder: String = UserFolder.path,
        signIn: SignIn? = nil
    ) throws {
        let identity = try store.identity()
        guard let origin = identity.origin else {
            throw SyncError(
                .noService,
                "The store was made on this device and belongs to no service.",
                advice: "Attach it to one with LocalStore.attach, or make it with LocalStore.clone."
            )
        }
        let session = Session(
            address: try ServiceAddress(origin.serviceURL),
            transport: transport,
            tokens: TokenStorage(
                client: identity.clientID.text,
                in: PlatformSecrets.store(userFolder: userFolder)
            )
        ) { _ in try await signIn?() }
        self.init(store: store, client: ODataClient(session: session), options: options)
    }
}
