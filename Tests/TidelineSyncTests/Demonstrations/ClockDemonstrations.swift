// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// Clocks of devices that are wrong by years.
struct ClockDemonstrations {
    private static let now: Int64 = 1_800_000_000
    private static let tenYears: Int64 = 315_576_000

    /// Syncs with the device's clock where it stands.
    private func sync(_ device: Device, at seconds: Int64) async throws {
        var options = Device.options
        options.now = { DateTimeOffset(seconds: seconds) }
        _ = try await SyncEngine(store: device.store, client: device.client, options: options).sync()
    }

    @Test(arguments: [[now, now], [now - tenYears, now + tenYears], [now + tenYears, 0]])
    func `the course of a sync is the same at any time of the device's clock`(clocks: [Int64]) async throws {
        let (a, b) = (clocks[0], clocks[1])
        let served = try ServedDomain(.sqlite)
        try served.write {
            try $0.insert(["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")], into: "Notes")
        }
        let devices = (try await served.device("a"), try await served.device("b"))
        try await devices.0.update(.integer(1), ["Text": .string("A")], in: "Notes")
        try await devices.1.update(.integer(1), ["Text": .string("B"), "Amount": .integer(2)], in: "Notes")
        // An answer is lost, and a clock jumps back before the request is sent again.
        devices.0.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
        await #expect(throws: (any Error).self) { try await sync(devices.0, at: a) }
        devices.0.transport.begin()
        try await sync(devices.0, at: a - 86_400)
        try await sync(devices.1, at: b)
        try await sync(devices.0, at: a)
        #expect(try served.rows("Notes", "Text", "Amount") == ["A|2"])
        #expect(try devices.0.store.conflicts().isEmpty)
        #expect(try devices.1.store.conflicts().map { $0.properties.map(\.mine) } == [[.string("B")]])
        for device in [devices.0, devices.1] { #expect(try await device.verify().differences == []) }
    }
}
