// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Synchronization
import TidelineClient
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineStore
import TidelineSync

/// One device and one service, each on a disk that can fail, driven by one thread.
///
/// `@unchecked Sendable`: the one task that plays a scenario uses it.
package final class ScenarioWorld: @unchecked Sendable {
    let deviceDisk: SimulatedDisk
    let serviceDisk: SimulatedDisk
    let transport: ScenarioTransport
    let published: EntityModel
    private(set) var store: LocalStore?
    private var serviceStore: SQLiteStore?
    /// The model of the app, and how it came to be; `nil` for what the file has.
    var release: (model: EntityModel, migrations: [StoreMigration])?
    /// What the service reported as its own failures.
    private let failures = Mutex<[String]>([])

    init() throws {
        deviceDisk = try SimulatedDisk()
        serviceDisk = try SimulatedDisk()
        transport = ScenarioTransport([deviceDisk, serviceDisk])
        published = try Harbour.publish(path: serviceDisk.folder + "/service.sqlite")
        try FileManager.default.createDirectory(atPath: identities, withIntermediateDirectories: true)
        try startService()
    }

    // MARK: The device

    var path: String { deviceDisk.folder + "/app.tideline" }
    private var identities: String { deviceDisk.folder + "/identities" }

    var settings: StoreSettings {
        var settings = StoreSettings(identityFolder: identities, watchInterval: nil)
        settings.worksInPlace = true
        return settings
    }

    /// Without waiting and without chance.
    private var options: SyncOptions {
        SyncOptions(sleep: { _ in }, random: { 0.5 }, now: { DateTimeOffset(seconds: 1_800_000_000) }).alone
    }

    private func client() throws -> ODataClient {
        let address = try ServiceAddress("http://127.0.0.1/odata/harbour/")
        return ODataClient(session: Session(address: address, transport: transport))
    }

    var hasStoreFile: Bool { FileManager.default.fileExists(atPath: path) }

    /// The open store.
    func device() throws -> LocalStore {
        guard let store else { throw LocalStoreError(.closed, message: "The scenario has no open store.") }
        return store
    }

    /// Clones the service to a new file.
    func clone() async throws {
        store = try await StoreCloner(client: client(), settings: settings, options: options).clone(to: path).store
    }

    /// Makes a file that knows no service.
    func makeLocal(model: EntityModel) throws {
        store = try LocalStore.create(path: path, model: model, settings: settings)
    }

    /// Opens the file, where there is one, as the app's release does.
    func openDevice() throws {
        guard store == nil, hasStoreFile else { return }
        if let release {
            store = try LocalStore.open(
                path: path,
                model: release.model,
                migrations: release.migrations,
                settings: settings
            )
        } else {
            store = try LocalStore(path: path, settings: settings)
        }
    }

    func closeDevice() throws {
        defer { store = nil }
        try store?.close()
    }

    /// Forgets the store as a killed process does.
    func dropDevice() { store = nil }

    @discardableResult
    func sync() async throws -> SyncReport {
        try await SyncEngine(store: device(), client: client(), options: options).syncAlone()
    }

    func attach() async throws {
        _ = try await StoreAttacher(client: client(), options: options).attach(device())
    }

    /// Whether device and service hold the same rows.
    func verify() async throws -> VerifyReport {
        try await StoreVerifier(store: device(), client: client()).verify()
    }

    /// The marks of the transactions that the device has.
    func marks() throws -> Set<String> {
        guard let store, let set = store.model[set: Harbour.marks] else { return [] }
        let plan = ReadPlan(model: store.model, set: set, columns: Array(set.type.properties.indices))
        return Set(try store.read { try $0.fetch(plan) }.compactMap { $0["Name"]?.text })
    }

    // MARK: The service

    var servicePath: String { serviceDisk.folder + "/service.sqlite" }

    func startService() throws {
        guard serviceStore == nil else { return }
        let opened = try SQLiteStore(path: servicePath, model: published)
        serviceStore = opened
        let domain = Domain(name: "harbour", database: .init(path: servicePath), isOpen: true, model: published)
        let service = try ODataService(
            domain: domain,
            store: opened,
            signingKey: Array(repeating: 7, count: 32),
            report: { [weak self] _, error in self?.failures.withLock { $0.append("\(error)") } },
            now: { 1_800_000_000 }
        )
        transport.connect(service)
    }

    func stopService() throws {
        defer { dropService() }
        try serviceStore?.close()
    }

    /// Forgets the service as a killed process does.
    func dropService() {
        transport.connect(nil)
        serviceStore = nil
    }

    func compactLog() throws {
        _ = try serviceStore?.compact(LogRetention(seconds: 0, entries: 1), now: 1_900_000_000, limit: 1000)
    }

    /// Runs SQL as another program would, once: in one transaction with the name of the edit.
    func edit(_ name: String, _ sql: String) throws {
        do { try runEdit(name, sql) } catch { throw ScenarioFault(cause: error) }
    }

    private func runEdit(_ name: String, _ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        let queue = try DatabaseQueue(path: servicePath, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.inTransaction(.immediate) {
                let isDone = try Bool.fetchOne(database, sql: "SELECT 1 FROM Edits WHERE Name = ?", arguments: [name])
                if isDone == nil {
                    try database.execute(sql: sql)
                    try database.execute(sql: "INSERT INTO Edits VALUES (?)", arguments: [name])
                }
                return .commit
            }
        }
        try queue.close()
    }

    /// What the service's database holds.
    func content() throws -> [String] {
        let queue = try DatabaseQueue(path: servicePath)
        defer { try? queue.close() }
        return try queue.read { database in
            try Harbour.content.flatMap { try String.fetchAll(database, sql: $0) }
        }
    }

    /// What the service reported since the last call.
    func takeFailures() -> [String] {
        failures.withLock { failures in
            defer { failures = [] }
            return failures
        }
    }
}
