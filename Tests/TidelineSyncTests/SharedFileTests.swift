// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineClient
import TidelineModel
import TidelineSync

@testable import TidelineStore

/// Two that sync one file at once, as an app and its extension, or a sync that watches and one that is called.
struct SharedFileTests {
    private static func note(_ id: Int64) -> [String: Value] {
        ["Id": .integer(id), "OwnerId": .integer(1), "Text": .string("n\(id)"), "Rank": .integer(id)]
    }

    /// A device of a service with ten notes, and another engine of the same file, in another process or in this one.
    private func devices(of served: ServedDomain, isOneProcess: Bool = false) async throws -> (
        one: Device, other: Device
    ) {
        let devices = try await served.twoOfOneFile(isOneProcess: isOneProcess)
        try served.write { writer in
            for id in 1...10 { try writer.insert(Self.note(Int64(id)), into: "Notes") }
        }
        return devices
    }

    @Test(arguments: 0..<5, [true, false])
    func `both load a set anew, and each has what the service has`(exchange: Int, isOneProcess: Bool) async throws {
        let served = try ServedDomain(.sqlite, pageRows: 3)
        let (one, other) = try await devices(of: served, isOneProcess: isOneProcess)
        try one.store.forgetDeltaLinks(of: ["Notes", "Events"])
        // The other one syncs while a page of this one is on its way.
        one.transport.begin { index in
            if index == exchange { try await other.sync() }
        }
        try await one.sync()
        #expect(one.transport.exchanges > exchange)
        #expect(try one.rows("Notes").count == 10)
        #expect(try await one.verify().differences == [])
        let after = try await other.sync()
        #expect(after.received == 0 && after.sent == 0)
    }

    @Test func `an answer that comes after another one was applied takes nothing back`() async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await devices(of: served)
        let slow = RecordingTransport { request, body in
            let answer = try await one.transport.send(request, body: body)
            // It is read here, and comes there when the other one has what was changed since.
            if request.method == .post, try other.rows("Notes").isEmpty {
                try served.write { try $0.update(1, ["Text": .string("changed")], in: "Notes") }
                try await other.sync()
            }
            return answer
        }
        let client = ODataClient(session: Session(address: one.client.address, transport: slow))
        _ = try await SyncEngine(store: one.store, client: client, options: Device.options).sync()
        #expect(slow.sent.count == 2)
        let text = try await one.store.read { try $0.entity(Key([.integer(1)]), in: "Notes")?["Text"] }
        #expect(text == .string("changed"))
        #expect(try await one.verify().differences == [])
    }

    @Test(arguments: 0..<3, [true, false])
    func `what both send takes effect once`(exchange: Int, isOneProcess: Bool) async throws {
        let served = try ServedDomain(.sqlite)
        let (one, other) = try await devices(of: served, isOneProcess: isOneProcess)
        for text in ["first", "second"] {
            try await one.insert(["OwnerId": .integer(1), "Text": .string(text)], into: "Events")
        }
        try served.write { try $0.update(2, ["Text": .string("theirs")], in: "Notes") }
        one.transport.begin { index in
            if index == exchange { try await other.sync() }
        }
        try await one.sync()
        one.transport.begin()
        try await one.sync()
        #expect(try served.rows("Events", "Text").sorted() == ["first", "second"])
        #expect(try one.rows("Events").count == 2)
        let status = try one.store.status()
        #expect(status.pendingTransactions == 0 && status.quarantined == 0)
        #expect(try await one.verify().differences == [])
    }

    private final class Rests: Sendable {
        let count = Mutex(0)
    }

    /// Loads two sets anew; while the fourth answer is on its way, something else is done.
    ///
    /// - Parameter beats: the waits for the next sign of life.
    private func load(
        _ device: Device,
        _ beats: ManualSleep,
        _ meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws {
        try device.store.forgetDeltaLinks(of: ["Notes", "Events"])
        device.transport.begin { index in
            if index == 3 { try await meanwhile() }
        }
        var options = Device.options
        options.beat = { try await beats.sleep($0) }
        _ = try await SyncEngine(store: device.store, client: device.client, options: options).sync()
    }

    /// An engine that waits for another sync, which shows four times in each of its first rests that it lives.
    private func engine(_ device: Device, _ beats: ManualSleep, _ rests: Rests, signs: Int) -> SyncEngine {
        var options = Device.options
        options.sleep = { duration in
            #expect(duration == .seconds(4))
            let count = rests.count.withLock { count in
                count += 1
                return count
            }
            guard count <= signs else { return }
            for _ in 0..<4 {
                beats.wake()
                // The next wait begins when the sign is in the file.
                let wait = await beats.next()
                #expect(wait == .seconds(2))
            }
        }
        return SyncEngine(store: device.store, client: device.client, options: options)
    }

    @Test(arguments: [true, false])
    func `a pull is not overtaken while it lives, though a page takes longer than a minute`(
        isOneProcess: Bool
    ) async throws {
        let served = try ServedDomain(.sqlite, pageRows: 3)
        let (one, other) = try await devices(of: served, isOneProcess: isOneProcess)
        try one.store.forgetDeltaLinks(of: ["Notes", "Events"])
        one.transport.begin()
        try await one.sync()
        let undisturbed = one.transport.exchanges
        let (beats, rests) = (ManualSleep(), Rests())
        let engine = engine(other, beats, rests, signs: .max)
        try await load(one, beats) {
            _ = await beats.next()
            // Each gives up after ten rests of four seconds.
            for _ in 0..<2 {
                let error = await #expect(throws: LocalStoreError.self) { try await engine.sync() }
                #expect(error?.code == .busy)
            }
        }
        #expect(rests.count.withLock { $0 } == 20)
        #expect(undisturbed > 3 && one.transport.exchanges == undisturbed)
        #expect(try one.rows("Notes").count == 10)
        #expect(try await one.verify().differences == [])
        #expect(try await other.sync().received == 0)
    }

    @Test(arguments: [0, 2, 9], [true, false])
    func `a pull is taken over four seconds after its last sign of life, and begins again where it wakes`(
        signs: Int,
        isOneProcess: Bool
    ) async throws {
        let served = try ServedDomain(.sqlite, pageRows: 3)
        let (one, other) = try await devices(of: served, isOneProcess: isOneProcess)
        let (beats, rests) = (ManualSleep(), Rests())
        let engine = engine(other, beats, rests, signs: signs)
        try await load(one, beats) {
            _ = await beats.next()
            _ = try await engine.sync()
            beats.wake()
            _ = await beats.next()
            // What has woken does not take the file back.
            let isContested = try other.store.claimPull().isContested
            #expect(!isContested)
        }
        #expect(rests.count.withLock { $0 } == signs + 1)
        #expect(try one.rows("Notes").count == 10)
        #expect(try await one.verify().differences == [])
    }

    @Test func `a sync that is cancelled shows no sign of life any more`() async throws {
        let served = try ServedDomain(.sqlite, pageRows: 3)
        let (one, other) = try await devices(of: served)
        let (beats, page) = (ManualSleep(), ManualSleep())
        let sync = Task {
            try await load(one, beats) { try await page.sleep(.seconds(60)) }
        }
        #expect(await page.next() == .seconds(60))
        sync.cancel()
        await #expect(throws: CancellationError.self) { try await sync.value }
        #expect(beats.count == 0)
        try await other.sync()
        #expect(try other.rows("Notes").count == 10)
    }

    /// Syncs while another process has a load under way that writes a page in each of its rests, some times.
    ///
    /// - Returns: how often the sync waited, and its error.
    private func sync(_ device: Device, whileLoading pages: Int) async throws -> (rests: Int, LocalStoreError.Code?) {
        let other = try LocalStore(path: device.store.path)
        let claim = try other.claimPull()
        _ = try other.beginLoad(set: "Notes", claim: claim)
        let rests = Rests()
        var options = Device.options
        options.sleep = { duration in
            #expect(duration == .seconds(4))
            let count = rests.count.withLock { count in
                count += 1
                return count
            }
            if count <= pages { _ = try other.beginLoad(set: "Notes", claim: claim) }
        }
        do {
            _ = try await SyncEngine(store: device.store, client: device.client, options: options).sync()
            return (rests.count.withLock(\.self), nil)
        } catch let error as LocalStoreError {
            return (rests.count.withLock(\.self), error.code)
        }
    }

    @Test(arguments: [(0, 1), (3, 4), (9, 10)])
    func `a pull of another process is waited for while it goes on, and taken over when it was killed`(
        pages: Int,
        rests: Int
    ) async throws {
        let served = try ServedDomain(.sqlite)
        let (one, _) = try await devices(of: served)
        let (waited, error) = try await sync(one, whileLoading: pages)
        #expect(waited == rests)
        #expect(error == nil)
        #expect(try one.rows("Notes").count == 10)
        #expect(try await one.verify().differences == [])
    }

    @Test func `a pull of another process that does not end is told of`() async throws {
        let served = try ServedDomain(.sqlite)
        let (one, _) = try await devices(of: served)
        let (waited, error) = try await sync(one, whileLoading: 100)
        #expect(waited == 10)
        #expect(error == .busy)
        #expect(try one.rows("Notes").isEmpty)
    }
}
