// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import TidelineClient
import TidelineModel
import TidelineOData
public import TidelineStore

/// Makes a device's store from a service: its model, what is subscribed, and the first load.
///
/// The store is made beside its place and moved there when it is complete: a clone that fails or is killed leaves no
/// file of that name.
public struct StoreCloner: Sendable {
    private let client: ODataClient
    private let settings: StoreSettings
    private let options: SyncOptions

    public init(client: ODataClient, settings: StoreSettings = StoreSettings(), options: SyncOptions = SyncOptions()) {
        self.client = client
        self.settings = settings
        self.options = options
    }

    /// - Parameters:
    ///   - path: where the store file is made; nothing may be there.
    ///   - requests: what to subscribe to; `nil` for every set that the user may read.
    ///   - tokens: where the tokens of the sign-in are kept, from the identity of the new store.
    ///   - progress: told how far the load has come.
    /// - Returns: the store, open, and what was loaded.
    /// - Throws: ``ClientError``, ``SyncError`` or `LocalStoreError`; there is no file then.
    public func clone(
        to path: String,
        requests: [SubscriptionRequest]? = nil,
        tokens: (@Sendable (String) -> TokenStorage)? = nil,
        progress: (@Sendable (SyncProgress) -> Void)? = nil
    ) async throws -> (store: LocalStore, report: SyncReport) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw LocalStoreError(.exists, message: "\(path) exists already; it was not touched.")
        }
        let metadata = try await client.metadata()
        let readable = try await client.entitySets()
        let device = DeviceModel(metadata, readable: readable)
        let model = device.model
        let subscriptions = try subscriptions(requests, readable: readable, model: model)
        let user = try await client.session.userName()
        let origin = StoreOrigin(serviceURL: client.address.text, userName: user)
        CloneDraft.removeAbandoned(of: path)
        let draft = CloneDraft(of: path)
        do {
            let store = try LocalStore.create(path: draft.path, model: model, origin: origin, settings: settings)
            var report: SyncReport
            do {
                try await store.perform {
                    try $0.setPayloadVersion(metadata.payloadVersion.rawValue)
                    try $0.setSubscriptions(subscriptions)
                }
                report = try await load(store, progress: progress)
                report.leftOut = device.leftOut + report.leftOut
                if let tokens {
                    let identity = try await store.perform { try $0.identity() }
                    try await client.session.keepTokens(in: tokens(identity.clientID.text))
                }
            } catch {
                try? store.close()
                throw error
            }
            try store.closeWhole()
            try draft.move()
            return (try LocalStore(path: path, settings: settings), report)
        } catch {
            draft.remove()
            throw error
        }
    }

    private func load(_ store: LocalStore, progress: (@Sendable (SyncProgress) -> Void)?) async throws -> SyncReport {
        let engine = SyncEngine(store: store, client: client, options: options)
        guard let progress else { return try await engine.syncAlone() }
        let stream = engine.progress
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await step in stream { progress(step) } }
            defer { group.cancelAll() }
            return try await engine.syncAlone()
        }
    }

    private func subscriptions(
        _ requests: [SubscriptionRequest]?,
        readable: [String],
        model: EntityModel
    ) throws -> [Subscription] {
        guard let requests, !requests.isEmpty else {
            return readable.filter { model[set: $0] != nil }.map { Subscription(set: $0) }
        }
        for request in requests where !readable.contains(request.set) || model[set: request.set] == nil {
            throw SyncError(
                .unknownSet,
                "The service has no set \(request.set) that you may read.",
                advice: "It has: \(readable.joined(separator: ", "))."
            )
        }
        return SubscriptionRequest.joined(requests).map { Subscription(set: $0.set, filter: $0.filter) }
    }
}
