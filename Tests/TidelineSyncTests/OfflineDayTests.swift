// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineTestSupport

@testable import TidelineSync

/// A day without a network, with the store closed and carried about.
struct OfflineDayTests {
    private func edit(_ device: Device) async throws {
        for number in 1...4 {
            try await device.insert(["Name": .string("new \(number)")], into: "Parents")
        }
        for id in 1...3 {
            try await device.update(.integer(Int64(id)), ["Name": .string("edited \(id)")], in: "Parents")
        }
        try await device.update(.string("P1"), ["Name": .string("Lantern")], in: "Products")
        try await device.update(.integer(3), ["Label": .string("z")], in: "Children")
        try await device.delete(.string("P3"), in: "Products")
    }

    private let parents = [
        "1|edited 1", "2|edited 2", "3|edited 3", "4|new 1", "5|new 2", "6|new 3", "7|new 4",
    ]

    private func check(_ world: World, _ device: Device) async throws {
        #expect(try world.rows("SELECT Id, Name FROM Parents ORDER BY Id") == parents)
        #expect(try world.rows("SELECT Code, Name FROM Products ORDER BY Code") == ["P1|Lantern", "P2|Chair"])
        #expect(try world.rows("SELECT Label FROM Children ORDER BY Id") == ["a", "b", "z"])
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try await device.verify().differences == [])
    }

    @Test(.covers("DA-97"))
    func `load, go offline, restart, edit ten rows, restart, go online: the server equals the device`() async throws {
        let world = try World()
        let device = try await world.device("a")
        let settings = StoreSettings(identityFolder: world.folder + "/identity-a")
        func restarted(_ old: Device) throws -> Device {
            try old.store.close()
            let store = try LocalStore(path: "\(world.folder)/a.tideline", settings: settings)
            return Device(name: "a", store: store, client: old.client, transport: old.transport)
        }
        device.transport.begin { _ in .dropBefore }
        var day = try restarted(device)
        await #expect(throws: (any Error).self) { try await day.sync() }
        try await edit(day)
        day = try restarted(day)
        #expect(try day.store.status().pendingTransactions == 10)
        day.transport.begin()
        #expect(try await day.sync().sent == 10)
        try await check(world, day)
    }

    /// A new store that takes a briefcase.
    private func taker(of path: String, _ world: World, _ device: Device) throws -> LocalStore {
        let store = try LocalStore.open(
            path: world.folder + "/b.tideline",
            model: device.store.model,
            settings: StoreSettings(identityFolder: world.folder + "/identity-b")
        )
        #expect(try store.importBriefcase(from: path, version: "1") == .imported(properties: [:]))
        return store
    }

    @Test(.covers("DA-97"), arguments: [Briefcase.Form.file, .folder])
    func `changes that were sent and not answered are held by the store that takes the briefcase, and happen once`(
        form: Briefcase.Form
    ) async throws {
        let world = try World()
        let device = try await world.device("a")
        try await edit(device)
        // The service applies all of it, and the answer is lost.
        device.transport.begin { _ in .dropAfter }
        await #expect(throws: (any Error).self) { try await device.sync() }
        let path = world.folder + "/case"
        try device.store.exportBriefcase(to: path, form: form, version: "1")
        try device.store.close()

        let store = try taker(of: path, world, device)
        let other = Device(name: "b", store: store, client: device.client, transport: device.transport)
        other.transport.begin()
        let held = try store.quarantined()
        #expect(!held.isEmpty)
        #expect(try held.count + store.status().pendingTransactions == 10)
        #expect(held.allSatisfy { $0.code == "Undecided" })
        try await other.syncUntilDone()
        // The server has all of it: seen, they are given up here.
        #expect(try world.rows("SELECT Id, Name FROM Parents ORDER BY Id") == parents)
        for entry in try store.quarantined() { try store.discard(quarantined: entry.id) }
        try await other.syncUntilDone()
        try await check(world, other)
    }

    @Test(arguments: [Briefcase.Form.file, .folder], [false, true])
    func `what waits in a briefcase happens once, though the store that it came from sends it too`(
        form: Briefcase.Form,
        isFirst: Bool
    ) async throws {
        let world = try World()
        let device = try await world.device("a")
        try await edit(device)
        let path = world.folder + "/case"
        try device.store.exportBriefcase(to: path, form: form, version: "1")
        // Changed again before it is sent: that is a transaction of its own.
        try await device.update(.integer(1), ["Note": .string("since")], in: "Parents")
        let store = try taker(of: path, world, device)
        let transport = ServiceTransport(world.service)
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let other = Device(name: "b", store: store, client: ODataClient(session: session), transport: transport)
        for one in isFirst ? [device, other] : [other, device] { try await one.syncUntilDone() }
        // And again, with a change of each since.
        try await device.update(.integer(2), ["Note": .string("a")], in: "Parents")
        try await other.update(.integer(3), ["Note": .string("b")], in: "Parents")
        for one in [device, other, device] {
            try await one.syncUntilDone()
            #expect(try one.store.quarantined() == [])
        }
        #expect(try world.rows("SELECT Note FROM Parents WHERE Id <= 3 ORDER BY Id") == ["since", "a", "b"])
        for one in [device, other] { try await check(world, one) }
    }
}
