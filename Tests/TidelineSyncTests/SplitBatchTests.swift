// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// Pushes that a service finds too large, of transactions that build on each other.
struct SplitBatchTests {
    private static let tooLarge = ClientError(.tooLarge, "Too large.", advice: "", status: 413)
    private static let interrupted = ClientError(.interrupted, "Cut.", advice: "")

    /// A device with a parent in one transaction and its child in the next.
    private func device(_ world: World) async throws -> Device {
        let a = try await world.device("a")
        let parent = try await a.insert(["Name": .string("mother")], into: "Parents")
        try await a.insert(["ParentId": parent.values[0], "Label": .string("child")], into: "Children")
        return a
    }

    private func check(_ world: World, _ a: Device) async throws {
        #expect(try a.store.quarantined().isEmpty)
        let joined =
            "SELECT p.Name, c.Label FROM Children c JOIN Parents p ON p.Id = c.ParentId WHERE c.Label = 'child'"
        #expect(try world.rows(joined) == ["mother|child"])
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Name = 'mother'") == ["1"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what a smaller batch sends knows the keys that the one before it brought`() async throws {
        let world = try World()
        let idle = try await world.device("b")
        try await idle.sync()
        idle.transport.begin()
        try await idle.sync()
        let a = try await device(world)
        a.transport.begin(hook: { if $0 == 0 { throw Self.tooLarge } })
        #expect(try await a.sync().sent == 2)
        // What was refused, and two batches of one transaction.
        #expect(a.transport.exchanges == idle.transport.exchanges + 3)
        try await check(world, a)
    }

    @Test func `what may have arrived before goes with what it names, in a smaller batch too`() async throws {
        let world = try World()
        let a = try await device(world)
        a.transport.begin(hook: {
            if $0 == 0 { throw Self.interrupted }
            if $0 == 1 { throw Self.tooLarge }
        })
        #expect(try await a.sync().sent == 2)
        try await check(world, a)
    }

    @Test func `what has arrived goes again as it was, though the keys that it lacked could be known`() async throws {
        let world = try World()
        let a = try await device(world)
        // The answer is lost, and what lies between takes less than before: in a batch of its own the child would name
        // its mother by her key, and be another request under the number of one that was done.
        a.transport.begin(chance: { $0 == 0 ? .dropAfter : nil }, hook: { if $0 == 1 { throw Self.tooLarge } })
        #expect(try await a.sync().sent == 2)
        try await check(world, a)
    }

    /// Found by the simulator: seed 1608.
    @Test(arguments: [nil, .refuse, .dropAfter] as [NetworkFault?])
    func `one that is too large alone is kept, and it is told whether it may have been carried out`(
        before: NetworkFault?
    ) async throws {
        let wasSent = before == .dropAfter
        let world = try World()
        let a = try await world.device("a")
        try await a.insert(["Name": .string("mother")], into: "Parents")
        a.transport.begin(
            chance: { $0 == 0 ? before : nil },
            hook: { if $0 == (before == nil ? 0 : 1) { throw Self.tooLarge } }
        )
        #expect(try await a.sync().quarantined == 1)
        let entry = try #require(try a.store.quarantined().first)
        #expect(entry.code == (wasSent ? "OutcomeUnknown" : "TooLarge"))
        #expect(entry.status == 413)
        #expect(entry.message.contains("may have been carried out") == wasSent)
        try a.store.discard(quarantined: entry.id)
        try await a.sync()
        #expect(try world.rows("SELECT COUNT(*) FROM Parents WHERE Name = 'mother'") == [wasSent ? "1" : "0"])
        #expect(try await a.verify().differences == [])
    }
}
