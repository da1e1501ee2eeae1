// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
import TidelineModel
import TidelineOData
public import TidelineStore

/// Gives a store that was made with no server a service: its rows become the service's, and it is a clone from then on.
///
///     models compared ─► rows become pending inserts ─► sync
///     \_ refused here, nothing has changed    \_ one local transaction    \_ goes on with any later sync
///
/// Keys that the service makes replace the temporary ones, in the rows and in what refers to them.
public struct StoreAttacher: Sendable {
    private let client: ODataClient
    private let options: SyncOptions

    public init(client: ODataClient, options: SyncOptions = SyncOptions()) {
        self.client = client
        self.options = options
    }

    /// Attaches a store and syncs it; one that is attached to this service already is synced.
    ///
    /// - Parameters:
    ///   - store: a store without a service.
    ///   - requests: what of the service to have beside the rows of the store; `nil` is all of the store's sets.
    ///   - tokens: where the sign-in is kept, by the client's identity.
    /// - Returns: what the sync did.
    /// - Throws: ``ModelMismatch`` before anything is changed; ``SyncError`` `otherService` for a store of another service;
    ///   what a sync throws: the next one goes on.
    public func attach(
        _ store: LocalStore,
        requests: [SubscriptionRequest]? = nil,
        tokens: (@Sendable (String) -> TokenStorage)? = nil
    ) async throws -> SyncReport {
        let identity = try await store.perform { try $0.identity() }
        if let origin = identity.origin {
            guard try ServiceAddress(origin.serviceURL) == client.address else {
                throw SyncError(
                    .otherService,
                    "The store belongs to \(origin.serviceURL) already.",
                    advice:
                        "Attach a store that was made without a service; where its service is at another address now, "
                        + "move the store there."
                )
            }
            // Before the sign-in is kept as the store's.
            try SyncRun.checkUser(try await client.session.userName(), of: origin)
        } else {
            try await attachNow(store, requests)
        }
        if let tokens { try await client.session.keepTokens(in: tokens(identity.clientID.text)) }
        return try await SyncEngine(store: store, client: client, options: options).sync()
    }

    private func attachNow(_ store: LocalStore, _ requests: [SubscriptionRequest]?) async throws {
        let metadata = try await client.metadata()
        let readable = try await client.entitySets()
        let service = try DeviceModel(metadata, readable: readable).model.asOnDevice()
        let model = store.model
        let rows = try await store.perform { try $0.rowCounts() }
        let fit = ModelFit(store: model, service: service, rows: rows)
        guard fit.differences.isEmpty else { throw ModelMismatch(differences: fit.differences) }
        let wanted = SubscriptionRequest.joined(requests ?? model.sets.map { SubscriptionRequest(set: $0.names.wire) })
        for request in wanted where model[set: request.set] == nil {
            throw SyncError(
                .unknownSet,
                "The store has no set \(request.set).",
                advice: "It has: \(model.sets.map(\.names.wire).joined(separator: ", "))."
            )
        }
        let subscriptions = wanted.map { request in
            Subscription(set: request.set, filter: request.filter, properties: fit.narrowed[request.set])
        }
        let origin = StoreOrigin(serviceURL: client.address.text, userName: try await client.session.userName())
        let version = metadata.payloadVersion.rawValue
        _ = try await store.perform {
            try $0.attach(to: origin, subscriptions: subscriptions, payloadVersion: version)
        }
    }
}
