// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
import TidelineModel
import TidelineOData
public import TidelineStore

/// Has a store follow its service to another address: another host, port, scheme or path.
///
///     who is there compared ─► address and links changed ─► sync
///     \_ refused here, nothing has changed    \_ one local transaction    \_ goes on with any later sync
///
/// Rows, what waits, the conflict log and the client stay, and nothing is sent twice. Rows are loaded anew where the domain
/// has another name, or the server another key for links, for its service does not know those of the one before.
public struct StoreMover: Sendable {
    private let client: ODataClient
    private let options: SyncOptions

    /// - Parameter client: of the new address.
    public init(client: ODataClient, options: SyncOptions = SyncOptions()) {
        self.client = client
        self.options = options
    }

    /// Moves a store to the client's address and syncs it; one that is there already is synced.
    ///
    /// No engine of the store may be running: each belongs to one address, and its next sync says so.
    ///
    /// - Parameters:
    ///   - store: a store of a service.
    ///   - tokens: where the sign-in is kept, by the client's identity; `nil` leaves it where the client has it.
    /// - Returns: what the sync did.
    /// - Throws: ``SyncError`` `noService`, `otherService` where another publication is there, `otherUser`; what a request
    ///   throws. The store has moved only where the sign-in cannot be kept or the sync throws: the next one goes on.
    public func move(
        _ store: LocalStore,
        tokens: (@Sendable (String) -> TokenStorage)? = nil
    ) async throws -> SyncReport {
        try await follow(store)
        if let tokens {
            let identity = try await store.perform { try $0.identity() }
            try await client.session.keepTokens(in: tokens(identity.clientID.text))
        }
        return try await SyncEngine(store: store, client: client, options: options).sync()
    }

    /// Moves a store to the client's address, without a sync; one that is there already stays as it is.
    package func follow(_ store: LocalStore) async throws {
        let identity = try await store.perform { try $0.identity() }
        guard let origin = identity.origin else {
            throw SyncError(
                .noService,
                "The store was made on this device and belongs to no service.",
                advice: "Attach it to one."
            )
        }
        let old = try ServiceAddress(origin.serviceURL)
        let isThere = old == client.address
        if !isThere { try await checkService(identity, store) }
        // Before the sign-in is kept as the store's.
        try SyncRun.checkUser(try await client.session.userName(), of: origin)
        guard !isThere else { return }
        let new = client.address.text
        try await store.perform { try $0.move(from: (origin.serviceURL, old.path), to: new) }
    }

    /// Makes sure that the service at the new address is the store's own.
    private func checkService(_ identity: StoreIdentity, _ store: LocalStore) async throws {
        let sets = try await client.entitySets()
        let subscribed = try await store.perform { try $0.subscriptions() }.map(\.set)
        // One that a user may not read any more is no sign of another service; none at all is.
        guard subscribed.isEmpty || subscribed.contains(where: sets.contains) else {
            throw otherService("It has no set of the store.")
        }
        // One that takes no batch of 4.01 tells none either.
        let isAsked = identity.epoch != nil || identity.payloadVersion.flatMap(ODataVersion.init(rawValue:)) == .v401
        switch (identity.epoch, isAsked ? try await client.epoch(of: identity.clientID, asking: sets.first) : nil) {
        // A service that is not Tideline's tells nothing of itself: it is the one that was named.
        case (nil, nil): break
        // The store was attached, and its service has not been heard of.
        case (nil, _?) where try await store.perform({ try $0.hasUndecided() }):
            throw otherService(
                "What was sent from here, or from a copy, was never answered, so nobody knows whose it is."
            )
        case (nil, _?): break
        case (let known?, let told?) where LocalStore.isSamePublication(known, told): break
        case (_?, nil) where sets.isEmpty: throw otherService("The user may read no set there.")
        case (_?, nil): throw otherService("It does not tell which publication it is.")
        default: throw otherService("It is another publication, which knows nothing of what this device sent.")
        }
    }

    private func otherService(_ reason: String) -> SyncError {
        SyncError(
            .otherService,
            "What is published at \(client.address.text) is not known to be the store's service. \(reason)",
            advice: "Look at the address. What another service has is cloned into a file of its own."
        )
    }
}
