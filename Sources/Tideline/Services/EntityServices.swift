// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineClient
import TidelineMemory
import TidelineModel
public import TidelineStore
public import TidelineSync

/// The services of an app's entities: one factory, and one value that says where the entities are kept.
///
///     let services = try await EntityServices(configuration, entities: [FishingSpot.self, Catch.self])
///     let spots = services.service(for: FishingSpot.self)
///
/// The code that uses the services is the same for every configuration.
public final class EntityServices: Sendable {
    private enum Place: Sendable {
        case remote(RemoteConnection)
        case local(LocalStore)
        case synced(LocalStore, SyncEngine, BackgroundSync)
        case memory(MemoryStore)
        case fishing(FishingConnection)
    }

    /// Where the entities are kept.
    public let configuration: ServiceConfiguration
    private let place: Place

    /// Opens what the configuration names.
    ///
    /// A file that is not there is made: empty for `.local`, cloned from the service for `.synced`, which needs the
    /// service once. `.remote` and `.fishing` ask the service nothing before the first call.
    /// - Parameters:
    ///   - entities: the entity types, with all that they refer to.
    ///   - transport: how requests travel.
    ///   - options: patience and waiting of the syncs.
    ///   - userFolder: where the refresh token lies, and what tells a file from its copies.
    ///   - signIn: asked when the service wants to know who this is.
    /// - Throws: ``EntityServiceError``.
    public init(
        _ configuration: ServiceConfiguration,
        entities: [any Queryable.Type],
        transport: any Transport = PlatformTransport.shared,
        options: SyncOptions = SyncOptions(),
        userFolder: String = UserFolder.path,
        signIn: SignIn? = nil
    ) async throws(EntityServiceError) {
        let way = Way(transport: transport, options: options, userFolder: userFolder, signIn: signIn)
        do {
            place = try await Self.place(configuration, entities, way)
        } catch {
            throw EntityServiceError(error, set: "")
        }
        self.configuration = configuration
    }

    /// The way to a service.
    private struct Way {
        let transport: any Transport
        let options: SyncOptions
        let userFolder: String
        let signIn: SignIn?
    }

    private static func place(
        _ configuration: ServiceConfiguration,
        _ entities: [any Queryable.Type],
        _ way: Way
    ) async throws -> Place {
        let model = try EntityRegistry(entities).model()
        switch configuration {
        case .remote(let service):
            let signIn = way.signIn
            let session = Session(address: try ServiceAddress(service), transport: way.transport) { _ in
                try await signIn?()
            }
            return .remote(RemoteConnection(ODataClient(session: session)))
        case .local(let path):
            let store = try open(path) ?? LocalStore.create(path: path, model: model)
            try check(entities, in: store)
            return .local(store)
        case .synced(let service, let path):
            let store = try await synced(service, path, way)
            try check(entities, in: store)
            let engine = try SyncEngine(
                store: store,
                transport: way.transport,
                options: way.options,
                userFolder: way.userFolder,
                signIn: way.signIn
            )
            return .synced(store, engine, BackgroundSync(engine))
        case .memory:
            return .memory(MemoryStore(model: model, random: SystemRandomNumberGenerator(), now: { DeviceClock.now }))
        case .fishing(let service):
            let address = try ServiceAddress(service)
            return .fishing(FishingConnection(address: address, transport: way.transport, signIn: way.signIn))
        }
    }

    private static func synced(_ service: String, _ path: String, _ way: Way) async throws -> LocalStore {
        if let store = try open(path, .app(userFolder: way.userFolder)) { return store }
        return try await LocalStore.clone(
            service,
            to: path,
            transport: way.transport,
            userFolder: way.userFolder,
            signIn: way.signIn
        )
    }

    /// The service of an entity type.
    public func service<Element: Queryable>(for type: Element.Type) -> any EntityService<Element> {
        switch place {
        case .remote(let connection): RemoteEntityService<Element>(connection)
        case .local(let store): LocalEntityService<Element>(store)
        case .synced(let store, _, let background):
            LocalEntityService<Element>(store) { background.request() }
        case .memory(let store): MemoryEntityService<Element>(store)
        case .fishing(let connection): FishingEntityService<Element>(connection)
        }
    }

    /// The store file, where there is one: for live lists, contexts and raw SQL over the same entities.
    public var store: LocalStore? {
        switch place {
        case .local(let store), .synced(let store, _, _): store
        case .remote, .memory, .fishing: nil
        }
    }

    /// Brings what is kept here and the service in step now; `nil` where nothing is kept in two places.
    ///
    /// - Throws: ``EntityServiceError``; nothing is lost then.
    @discardableResult
    public func sync() async throws(EntityServiceError) -> SyncReport? {
        guard case .synced(let store, let engine, _) = place else { return nil }
        return try await EntityServiceError.telling(of: "") {
            let report = try await engine.sync()
            // A sync that was under way may have begun before the last change.
            return try store.status().pendingTransactions == 0 ? report : try await engine.sync()
        }
    }

    /// Ends the sync behind the calls and closes the file; calls after this one fail.
    public func close() async throws(EntityServiceError) {
        switch place {
        case .remote, .memory, .fishing: return
        case .local(let store): try await EntityServiceError.telling(of: "") { try store.close() }
        case .synced(let store, _, let background):
            await background.end()
            try await EntityServiceError.telling(of: "") { try store.close() }
        }
    }

    private static func open(_ path: String, _ settings: StoreSettings = StoreSettings()) throws -> LocalStore? {
        do {
            return try LocalStore(path: path, settings: settings)
        } catch let error as LocalStoreError where error.code == .notFound {
            return nil
        }
    }

    /// Refuses a file that lacks what the entities have, before the first call.
    private static func check(_ entities: [any Queryable.Type], in store: LocalStore) throws {
        do {
            for entity in entities { _ = try entity.columns(in: entity.entitySet(in: store.model)) }
        } catch {
            try? store.close()
            throw error
        }
    }
}
