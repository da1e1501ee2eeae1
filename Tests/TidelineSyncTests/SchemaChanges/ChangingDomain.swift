// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization
import TidelineClient
import TidelineModel
import TidelinePostgres
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// A domain whose model changes while devices are away: the tables of its database only grow, what is served of them is
/// chosen anew by ``serve(_:)``.
final class ChangingDomain: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case sqlite, postgres
    }

    private struct State {
        var store: any Store
        var service: ODataService
    }

    let kind: Kind
    private let folder: String
    private let place: String
    private let state: Mutex<State>

    /// - Parameter tables: the statements that make the tables and rows of the first model.
    init(_ kind: Kind, _ tables: String) throws {
        if kind == .postgres { try PostgresCluster.require() }
        self.kind = kind
        folder = NSTemporaryDirectory() + "tideline-schema-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let model: EntityModel
        switch kind {
        case .postgres:
            place = try PostgresCluster.shared().makeDatabase(tables)
            model = try PostgresPublisher.publish(conninfo: place, namespace: "Test") { _ in }.model
        case .sqlite:
            place = folder + "/server.sqlite"
            try Self.make(tables, place)
            model = try SQLitePublisher.publish(path: place, namespace: "Test") { _ in }.model
        }
        state = Mutex(try Self.open(kind, place, model))
    }

    deinit {
        state.withLock { ($0.store as? PostgresStore)?.close() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func make(_ sql: String, _ path: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    private static func open(_ kind: Kind, _ place: String, _ model: EntityModel) throws -> State {
        let store: any Store =
            switch kind {
            case .sqlite: try SQLiteStore(path: place, model: model)
            case .postgres: try PostgresStore(conninfo: place, model: model, options: .init(maximumConnections: 2))
            }
        let domain = Domain(name: "test", database: Domain.Database(path: place), isOpen: true, model: model)
        let service = try ODataService(domain: domain, store: store, signingKey: Array(repeating: 7, count: 32))
        return State(store: store, service: service)
    }

    /// Runs SQL in the database, as its owner does who changes tables.
    func run(_ sql: String) throws {
        switch kind {
        case .sqlite: try Self.make(sql, place)
        case .postgres:
            let cluster = try PostgresCluster.shared()
            try cluster.run(sql, database: cluster.name(of: place))
        }
    }

    /// Publishes the domain again, as `tideline publish` does, and goes on with what its tables are now.
    func publishAgain() throws {
        let model: EntityModel
        switch kind {
        case .sqlite:
            model = try SQLitePublisher.publish(path: place, namespace: "Test", isLeftover: { true }) { _ in }.model
        case .postgres:
            model = try PostgresPublisher.publish(conninfo: place, namespace: "Test", isLeftover: { true }) { _ in }
                .model
        }
        let next = try Self.open(kind, place, model)
        state.withLock { state in
            (state.store as? PostgresStore)?.close()
            state = next
        }
    }

    /// Goes on with the model of these tables, as after a change of the domain's file.
    ///
    /// - Parameters:
    ///   - shaping: what the domain's file says beyond the tables, such as names.
    ///   - enumerations: the types that properties are given there.
    func serve(
        _ tables: String,
        shaping: (inout [EntitySet]) -> Void = { _ in },
        enumerations: [EnumerationType] = []
    ) throws {
        var model: EntityModel
        switch kind {
        case .sqlite:
            let path = "\(folder)/model-\(UUID().uuidString).sqlite"
            try Self.make(tables, path)
            model = try SQLiteIntrospection.scan(path: path, namespace: "Test").model
        case .postgres:
            let draft = try PostgresCluster.shared().makeDatabase(tables)
            model = try PostgresIntrospection.scan(conninfo: draft, namespace: "Test").model
        }
        var sets = model.sets
        shaping(&sets)
        model = model.replacing(sets: sets)
        model.enumerations += enumerations
        let next = try Self.open(kind, place, model)
        state.withLock { state in
            (state.store as? PostgresStore)?.close()
            state = next
        }
    }

    /// Makes a device that clones everything, with the model that is served now.
    func device(_ name: String) async throws -> Device {
        let transport = ServiceTransport { [unowned self] request, body in
            let response = state.withLock(\.service).respond(to: request, body: body, user: .anonymous)
            return TransportResponse(head: response.head, body: try response.body.all())
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let client = ODataClient(session: session)
        let cloner = StoreCloner(client: client, settings: settings(name), options: Device.options)
        let (store, _) = try await cloner.clone(to: path(name))
        return Device(name: name, store: store, client: client, transport: transport)
    }

    /// The device after its app became a newer one: the same file, with another model.
    func updated(_ device: Device, to model: EntityModel, _ migrations: [StoreMigration]) throws -> Device {
        try device.store.close()
        let store = try LocalStore.open(
            path: path(device.name),
            model: model,
            migrations: migrations,
            settings: settings(device.name)
        )
        return Device(name: device.name, store: store, client: device.client, transport: device.transport)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name).tideline" }

    private func settings(_ name: String) -> StoreSettings {
        StoreSettings(identityFolder: "\(folder)/identity-\(name)")
    }

    /// What has lost on the service's side.
    func conflicts() throws -> [LoggedConflict] {
        try state.withLock(\.store).read { try $0.conflicts(ConflictQuery()) }
    }

    /// The rows that the service has of a set, as text, by key.
    func rows(_ set: String, _ names: String...) throws -> [String] {
        let store = state.withLock(\.store)
        guard let set = store.model[set: set] else { return [] }
        let columns = names.compactMap { name in set.type.properties.firstIndex { $0.names.wire == name } }
        return try store.read { reader in
            let sink = TextSink()
            _ = try reader.read(ReadPlan(model: store.model, set: set, columns: columns), into: sink)
            return sink.rows
        }
    }
}
