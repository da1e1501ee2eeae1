// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import HTTPTypes
import Synchronization
import TidelineClient
import TidelineMemory
import TidelineModel
import TidelinePostgres
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// A domain over a store of any kind, its service, and devices of its users: all in one process and one folder.
///
/// Each member sees the rows whose `OwnerId` is the user's, a clerk of them the events alone, a junior of them the first two;
/// ann is 1, bob is 2. Keys of notes are given by who writes them, those of events by the database.
final class ServedDomain: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case sqlite, memory, postgres
    }

    static let ann = UserContext(id: .integer(1), name: "ann", roles: ["member"])
    static let bob = UserContext(id: .integer(2), name: "bob", roles: ["member"])

    let kind: Kind
    let folder: String
    let domain: Domain
    private let state: Mutex<State>

    private struct State {
        var place: String
        var store: any Store
        var service: ODataService
        /// Who a device signs in as, by the device's name.
        var users: [String: UserContext] = [:]
        /// Every byte that was sent to a device, by its name.
        var bytes: [String: [UInt8]] = [:]
        /// Every request that arrived, by the device's name.
        var requests: [String: [(HTTPRequest, [UInt8])]] = [:]
    }

    /// - Parameters:
    ///   - pageRows: the most rows that the service puts on a page.
    ///   - counts: whether both changes of a note's amount count.
    init(_ kind: Kind, pageRows: Int = 5_000, counts: Bool = false) throws {
        if kind == .postgres { try PostgresCluster.require() }
        self.kind = kind
        folder = NSTemporaryDirectory() + "tideline-demonstration-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let generated = kind == .postgres ? "serial" : "INTEGER"
        let tables = """
            CREATE TABLE "Notes" ("Id" int NOT NULL PRIMARY KEY, "OwnerId" int NOT NULL, "Text" varchar(80),
                "Amount" int NOT NULL DEFAULT 0, "Rank" int UNIQUE);
            CREATE TABLE "Events" ("Id" \(generated) PRIMARY KEY, "OwnerId" int NOT NULL, "Text" varchar(80));
            """
        let place: String
        var model: EntityModel
        if kind == .postgres {
            place = try PostgresCluster.shared().makeDatabase(tables)
            model = try PostgresPublisher.publish(conninfo: place, namespace: "Test") { _ in }.model
        } else {
            place = folder + "/server.sqlite"
            let database = try DatabaseQueue(path: place)
            try database.write { try $0.execute(sql: tables) }
            try database.close()
            model = try SQLitePublisher.publish(path: place, namespace: "Test") { _ in }.model
        }
        if counts, var notes = model[set: "Notes"], let amount = notes.type.propertyIndex(wire: "Amount") {
            notes.type.properties[amount].conflictPolicy = .counter
            model = model.replacing(sets: model.sets.map { $0.names.wire == "Notes" ? notes : $0 })
        }
        domain = Domain(
            name: "test",
            database: Domain.Database(path: place),
            model: model,
            policies: [
                Policy(role: "member", sets: nil, operations: Policy.Operation.allCases, where: "OwnerId eq @me"),
                Policy(role: "clerk", sets: ["Events"], operations: Policy.Operation.allCases, where: "OwnerId eq @me"),
                Policy(
                    role: "junior",
                    sets: nil,
                    operations: Policy.Operation.allCases,
                    where: "OwnerId eq @me and Id le 2"
                ),
            ],
            limits: ServiceLimits(pageRows: pageRows)
        )
        let store = try Self.store(kind, place, domain)
        state = Mutex(State(place: place, store: store, service: try Self.service(domain, store)))
    }

    deinit {
        (store as? PostgresStore)?.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func store(_ kind: Kind, _ place: String, _ domain: Domain) throws -> any Store {
        switch kind {
        case .sqlite:
            try SQLiteStore(path: place, model: domain.model, options: .init(scopes: domain.scopeProperties))
        case .memory: MemoryStore(model: domain.model)
        case .postgres:
            try PostgresStore(conninfo: place, model: domain.model, options: .init(maximumConnections: 2))
        }
    }

    private static func service(_ domain: Domain, _ store: any Store) throws -> ODataService {
        try ODataService(
            domain: domain,
            store: store,
            signingKey: Array(repeating: 7, count: 32),
            report: { id, error in print("The service failed (\(id)): \(error)") },
            now: { 1_800_000_000 }
        )
    }

    var store: any Store { state.withLock(\.store) }
    /// The file or the connection of the database.
    var place: String { state.withLock(\.place) }

    /// Goes on with another store at the same place, as after a restart.
    func restart() throws {
        (store as? PostgresStore)?.close()
        let store = try Self.store(kind, place, domain)
        let service = try Self.service(domain, store)
        state.withLock { state in
            state.store = store
            state.service = service
        }
    }

    // MARK: Devices

    /// Makes a device that is signed in as a user, and clones everything that the user may read.
    func device(_ name: String, of user: UserContext = ServedDomain.ann) async throws -> Device {
        setUser(user, of: name)
        let transport = ServiceTransport { [unowned self] request, body in
            state.withLock { $0.requests[name, default: []].append((request, body)) }
            let answer = try answer(request, body, name)
            state.withLock { $0.bytes[name, default: []] += answer.body }
            return answer
        }
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let client = ODataClient(session: session)
        let cloner = StoreCloner(client: client, settings: settings(of: name), options: Device.options)
        let (store, _) = try await cloner.clone(to: path(of: name))
        transport.begin()
        return Device(name: name, store: store, client: client, transport: transport)
    }

    private func answer(_ request: HTTPRequest, _ body: [UInt8], _ name: String) throws -> TransportResponse {
        let (service, user) = state.withLock { ($0.service, $0.users[name] ?? .anonymous) }
        let response = service.respond(to: request, body: body, user: user)
        return TransportResponse(head: response.head, body: try response.body.all())
    }

    /// Has the first request of a device that arrived since ``forgetRequests()`` arrive again, as networks have it.
    ///
    /// - Returns: the answer, as text.
    func repeatFirst(of name: String) throws -> String {
        let first = state.withLock { $0.requests[name]?.first }
        guard let (request, body) = first else { return "" }
        return String(decoding: try answer(request, body, name).body, as: UTF8.self)
    }

    /// Forgets the requests that have arrived.
    func forgetRequests() { state.withLock { $0.requests = [:] } }

    func path(of name: String) -> String { "\(folder)/\(name).tideline" }

    /// Each device keeps the identities of its stores in a folder of its own.
    func settings(of name: String) -> StoreSettings { StoreSettings(identityFolder: "\(folder)/identity-\(name)") }

    /// Gives the user of a device other rights, or signs another in.
    func setUser(_ user: UserContext, of name: String) { state.withLock { $0.users[name] = user } }

    /// What was sent to a device since the last call, as text.
    func takeBytes(of name: String) -> String {
        String(decoding: state.withLock { $0.bytes.removeValue(forKey: name) } ?? [], as: UTF8.self)
    }

    /// Ends a device as it stands before an exchange of its next sync, with no time to close its store, and starts it
    /// again.
    func kill(_ device: Device, before exchange: Int) async throws -> Device {
        let (path, copy) = (path(of: device.name), "\(folder)/killed-\(device.name)")
        device.transport.begin { index in
            guard index >= exchange else { return }
            if index == exchange {
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
                }
            }
            throw ClientError(.interrupted, "Killed.", advice: "")
        }
        do {
            try await device.sync()
            return device
        } catch is ClientError {}
        try device.store.close()
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try FileManager.default.moveItem(atPath: copy + suffix, toPath: path + suffix)
        }
        device.transport.begin()
        return try reopened(device)
    }

    /// The device with its store, closed before, opened again.
    func reopened(_ device: Device) throws -> Device {
        let store = try LocalStore(path: path(of: device.name), settings: settings(of: device.name))
        return Device(name: device.name, store: store, client: device.client, transport: device.transport)
    }

    /// Another device with a copy of the closed file of a device, as a backup or a tool for moving house makes.
    func copied(_ device: Device, as name: String) async throws -> Device {
        let other = try await self.device(name)
        try other.store.close()
        try FileManager.default.removeItem(atPath: path(of: name))
        try FileManager.default.copyItem(atPath: path(of: device.name), toPath: path(of: name))
        return try reopened(other)
    }

    // MARK: Other programs

    /// Writes as another program does, in one transaction.
    func write(_ body: (OutsideWriter) throws -> Void) throws {
        try store.write { try body(OutsideWriter(writer: $0, model: domain.model)) }
    }

    /// The values of rows of the service's database, by key, each as text with `|` between them.
    func rows(_ set: String, _ names: String...) throws -> [String] {
        guard let set = domain.model[set: set] else { return [] }
        let columns = names.compactMap { name in set.type.properties.firstIndex { $0.names.wire == name } }
        return try store.read { reader in
            let sink = TextSink()
            _ = try reader.read(ReadPlan(model: domain.model, set: set, columns: columns), into: sink)
            return sink.rows
        }
    }

    // MARK: Backups

    /// Backs the database up as `tideline backup` does.
    ///
    /// - Returns: what puts the copy back as `tideline restore` does: a new epoch begins.
    func ownBackup() throws -> () throws -> Void {
        switch store {
        case let store as MemoryStore:
            let restore = try backup()
            return {
                try restore()
                store.beginEpoch()
            }
        case is PostgresStore: return try backup()
        default:
            let copy = folder + "/own-backup.sqlite"
            try SQLiteBackup.write(place, to: copy)
            return { [self] in try SQLiteBackup.restore(copy, into: place, model: domain.model) }
        }
    }

    /// Copies the database as its administrator does.
    ///
    /// - Returns: what puts the copy back in place of the database, as after a disaster.
    func backup() throws -> () throws -> Void {
        switch store {
        case let store as MemoryStore:
            let backup = store.backup
            return { store.restore(backup) }
        case is PostgresStore:
            let cluster = try PostgresCluster.shared()
            let copy = try cluster.makeDatabase()
            try cluster.restore(place, into: copy)
            return { [self] in
                let name = cluster.name(of: place)
                (store as? PostgresStore)?.close()
                try cluster.run("DROP DATABASE \(name) WITH (FORCE)", database: "postgres")
                try cluster.run("CREATE DATABASE \(name) TEMPLATE template0", database: "postgres")
                try cluster.restore(copy, into: place)
                try restart()
            }
        default:
            let copy = folder + "/backup.sqlite"
            let database = try DatabaseQueue(path: place)
            try database.vacuum(into: copy)
            try database.close()
            return { [self] in
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: place + suffix) }
                try FileManager.default.copyItem(atPath: copy, toPath: place)
                try restart()
            }
        }
    }
}
