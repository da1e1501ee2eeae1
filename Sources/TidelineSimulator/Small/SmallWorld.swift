// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TidelineClient
import TidelineModel
import TidelineSQLite
import TidelineService
import TidelineStorage
import TidelineStore
import TidelineSync

/// Two devices and a service with a set of two rows at most: the code that ships, taken one step from any image.
///
/// `@unchecked Sendable`: the one task that searches uses it.
final class SmallWorld: @unchecked Sendable {
    let disks: [SimulatedDisk]
    let serviceDisk: SimulatedDisk
    private let published: EntityModel
    static let set = "Notes"

    init() throws {
        disks = [try SimulatedDisk(), try SimulatedDisk()]
        serviceDisk = try SimulatedDisk()
        let path = serviceDisk.folder + "/service.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE Notes (Id TEXT NOT NULL PRIMARY KEY, Text TEXT NOT NULL)")
            try $0.execute(sql: "INSERT INTO Notes VALUES (?, '0')", arguments: [SmallWrite.keys[0]])
        }
        try queue.close()
        published = try SQLitePublisher.publish(path: path, namespace: "Small") { _ in }.model
    }

    // MARK: Steps

    /// Clones the service to both devices.
    func begin() async throws -> (devices: [(SmallDevice, DiskImage)], service: (SmallService, DiskImage)) {
        var devices: [(SmallDevice, DiskImage)] = []
        for device in 0..<2 {
            try FileManager.default.createDirectory(atPath: identities(device), withIntermediateDirectories: true)
            let store = try SQLiteStore(path: servicePath, model: published)
            let transport = DirectTransport(service: try service(store))
            let cloner = StoreCloner(client: try client(transport), settings: settings(device), options: options)
            try await cloner.clone(to: path(device)).store.close()
            try store.close()
            devices.append(try look(at: device))
        }
        return (devices, try lookAtService())
    }

    func write(_ change: SmallWrite, _ text: String, on device: Int, from image: DiskImage) async throws
        -> (SmallDevice, DiskImage)
    {
        try disks[device].set(image)
        let store = try LocalStore(path: path(device), settings: settings(device))
        try await Self.run(change, text, store)
        try store.close()
        return try look(at: device)
    }

    /// Gives up what the service refused.
    func discard(on device: Int, from image: DiskImage) throws -> (SmallDevice, DiskImage) {
        try disks[device].set(image)
        let store = try LocalStore(path: path(device), settings: settings(device))
        while let entry = try store.quarantined().first { try store.discard(quarantined: entry.id) }
        try store.close()
        return try look(at: device)
    }

    /// Begins a sync and lets it meet the events.
    func fly(_ device: Int, from image: DiskImage, _ events: [SmallFlightEvent]) async throws -> SmallFlightOutcome {
        try disks[device].set(image)
        let store = try LocalStore(path: path(device), settings: settings(device))
        let transport = SmallTransport(disks[device], events) { try await Self.run($0, $1, store) }
        var failure: String?
        do {
            _ = try await SyncEngine(store: store, client: client(transport), options: options).syncAlone()
        } catch {
            failure = "\(error)"
        }
        try store.close()
        if let (request, wreck) = transport.stop { return .request(request, wreck) }
        let (content, left) = try look(at: device)
        return .end(content, left, error: failure)
    }

    /// Opens a device that was not closed.
    func reopen(_ device: Int, from image: DiskImage) throws -> (SmallDevice, DiskImage) {
        try disks[device].set(image)
        try LocalStore(path: path(device), settings: settings(device)).close()
        return try look(at: device)
    }

    /// Lets the service answer.
    func answer(_ request: SmallRequest, from image: DiskImage) throws
        -> (TransportResponse, SmallService, DiskImage)
    {
        try serviceDisk.set(image)
        let store = try SQLiteStore(path: servicePath, model: published)
        let response = try service(store).respond(to: request.head, body: request.body, user: .anonymous)
        let answer = TransportResponse(head: response.head, body: try response.body.all())
        try store.close()
        let (content, left) = try lookAtService()
        return (answer, content, left)
    }

    private static func run(_ change: SmallWrite, _ text: String, _ store: LocalStore) async throws {
        let key = Key([.string(change.key)])
        try await store.write { transaction in
            switch change.operation {
            case .insert:
                _ = try transaction.insert(["Id": .string(change.key), "Text": .string(text)], into: set)
            case .update: _ = try transaction.update(key, ["Text": .string(text)], in: set)
            case .delete: _ = try transaction.delete(key, in: set)
            }
        }
    }

    // MARK: Parts

    var servicePath: String { serviceDisk.folder + "/service.sqlite" }
    func path(_ device: Int) -> String { disks[device].folder + "/app.tideline" }
    private func identities(_ device: Int) -> String { disks[device].folder + "/identities" }

    private func service(_ store: SQLiteStore) throws -> ODataService {
        try ODataService(
            domain: Domain(name: "small", database: .init(path: servicePath), isOpen: true, model: published),
            store: store,
            signingKey: Array(repeating: 7, count: 32),
            now: { 1_800_000_000 }
        )
    }

    private func settings(_ device: Int) -> StoreSettings {
        var settings = StoreSettings(identityFolder: identities(device), watchInterval: nil)
        settings.worksInPlace = true
        return settings
    }

    /// Without waiting and without chance: what fails is not tried again by the sync itself.
    private var options: SyncOptions {
        SyncOptions(
            retry: RetryPolicy(patience: .zero),
            sleep: { _ in },
            random: { 0.5 },
            now: { DateTimeOffset(seconds: 1_800_000_000) }
        ).alone
    }

    private func client(_ transport: any Transport) throws -> ODataClient {
        let address = try ServiceAddress("http://127.0.0.1/odata/small/")
        return ODataClient(session: Session(address: address, transport: transport))
    }
}
