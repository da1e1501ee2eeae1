// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing
import TidelineClient
import TidelineModel
import TidelineService
import TidelineSQLite
import TidelineStorage
import TidelineStore
import TidelineSync

/// A published database, its service, and devices that clone it: all in one process and one folder.
final class World: Sendable {
    static let schema = """
        CREATE TABLE Parents (
            Id INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT NOT NULL, Note TEXT, Amount INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE Children (
            Id INTEGER PRIMARY KEY AUTOINCREMENT,
            ParentId INTEGER NOT NULL REFERENCES Parents(Id) ON DELETE CASCADE, Label TEXT NOT NULL);
        CREATE TABLE Products (Code TEXT NOT NULL PRIMARY KEY, Rank INTEGER NOT NULL UNIQUE, Name TEXT);
        INSERT INTO Parents (Id, Name, Note, Amount) VALUES (1, 'one', NULL, 10), (2, 'two', 'n', 20), (3, 'three', '', 30);
        INSERT INTO Children (Id, ParentId, Label) VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c');
        INSERT INTO Products (Code, Rank, Name) VALUES ('P1', 1, 'Lamp'), ('P2', 2, 'Chair'), ('P3', 3, NULL);
        """

    let folder: String
    let service: ODataService
    let database: DatabaseQueue

    /// - Parameters:
    ///   - guesses: what is published although it is doubtful.
    ///   - shaping: what the model has beyond the tables.
    ///   - describe: adds to the model what the database does not say.
    ///   - fails: whether the service may fail, as where another program broke a table.
    ///   - options: how the database is used.
    ///   - wrap: what stands between the service and the database.
    init(
        schema: String = World.schema,
        guesses: Set<Guess> = [],
        shaping: (inout [EntitySet]) -> Void = { _ in },
        describe: (inout EntityModel) -> Void = { _ in },
        fails: Bool = false,
        options: SQLiteStore.Options = .init(),
        wrap: (any Store) -> any Store = { $0 }
    ) throws {
        folder = NSTemporaryDirectory() + "tideline-sync-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/server.sqlite"
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(10)
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { try $0.execute(sql: schema) }
        let published = try SQLitePublisher.publish(path: path, namespace: "Test", guesses: guesses) { _ in }
        var sets = published.model.sets
        shaping(&sets)
        var model = published.model.replacing(sets: sets)
        describe(&model)
        let store = try SQLiteStore(path: path, model: model, options: options)
        let domain = Domain(name: "test", database: .init(path: path), isOpen: true, model: model)
        service = try ODataService(domain: domain, store: wrap(store), signingKey: Array(repeating: 7, count: 32)) {
            _,
            error in
            if !fails { Issue.record("The service failed: \(error)") }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Clones everything to a new device.
    func device(_ name: String, requests: [SubscriptionRequest]? = nil) async throws -> Device {
        let transport = ServiceTransport(service)
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let client = ODataClient(session: session)
        let cloner = StoreCloner(client: client, settings: try settings(of: name), options: Device.options)
        let (store, _) = try await cloner.clone(to: path(of: name), requests: requests)
        transport.begin()
        return Device(name: name, store: store, client: client, transport: transport)
    }

    private func path(of name: String) -> String { "\(folder)/\(name).tideline" }

    private func settings(of name: String) throws -> StoreSettings {
        let identities = folder + "/identity-" + name
        try FileManager.default.createDirectory(atPath: identities, withIntermediateDirectories: true)
        return StoreSettings(identityFolder: identities)
    }

    /// The device whose store was closed, started again.
    func reopened(_ device: Device) throws -> Device {
        let store = try LocalStore(path: path(of: device.name), settings: settings(of: device.name))
        return Device(name: device.name, store: store, client: device.client, transport: device.transport)
    }

    /// Another device with a copy of the closed file of a device.
    func copied(_ device: Device, as name: String) async throws -> Device {
        let other = try await self.device(name)
        try other.store.close()
        try FileManager.default.removeItem(atPath: path(of: name))
        try FileManager.default.copyItem(atPath: path(of: device.name), toPath: path(of: name))
        return try reopened(other)
    }

    /// Runs SQL as another program would.
    func execute(_ sql: String) throws {
        try database.write { try $0.execute(sql: sql) }
    }

    /// Rows of the server's database, each as text with `|` between the values.
    func rows(_ sql: String) throws -> [String] {
        try database.read { connection in
            try Row.fetchAll(connection, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }.joined(separator: "|")
            }
        }
    }
}

/// A device: a store, and its way to the service.
struct Device: Sendable {
    /// No waiting, and no chance.
    static let options = SyncOptions(sleep: { _ in }, random: { 0.5 }, now: { DateTimeOffset(seconds: 1_800_000_000) })
        .alone

    let name: String
    let store: LocalStore
    let client: ODataClient
    let transport: ServiceTransport

    @discardableResult
    func sync() async throws -> SyncReport {
        try await SyncEngine(store: store, client: client, options: Self.options).sync()
    }

    /// Syncs until it succeeds, as a person would who tries again.
    @discardableResult
    func syncUntilDone() async throws -> SyncReport {
        var report = SyncReport()
        for attempt in 0..<4 {
            do {
                let step = try await sync()
                report.sent += step.sent
                report.merged += step.merged
                report.conflicts += step.conflicts
                report.quarantined += step.quarantined
                return report
            } catch  where attempt < 3 { continue }
        }
        return report
    }

    func verify() async throws -> VerifyReport {
        try await StoreVerifier(store: store, client: client).verify()
    }

    @discardableResult
    func insert(_ values: [String: Value], into set: String) async throws -> Key {
        try await store.write { try $0.insert(values, into: set) }
    }

    func update(_ key: Value, _ values: [String: Value], in set: String) async throws {
        _ = try await store.write { try $0.update(Key([key]), values, in: set) }
    }

    func delete(_ key: Value, in set: String) async throws {
        _ = try await store.write { try $0.delete(Key([key]), in: set) }
    }
}
