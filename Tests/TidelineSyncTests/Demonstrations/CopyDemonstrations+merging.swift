// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStore
import TidelineSync

/// What waited in two copies of a file, and was merged by the one that synced first.
extension CopyDemonstrations {
    /// Found by the simulator: seeds 9777, 10669 and 17044.
    @Test(arguments: ServedDomain.Kind.allCases)
    func `D9 what builds on a transaction that is merged in the original takes effect once`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let note: [String: Value] = ["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")]
        try served.write { try $0.insert(note, into: "Notes") }
        var a = try await served.device("a")
        try await a.update(.integer(1), ["Amount": .integer(3)], in: "Notes")
        try await a.store.write { transaction in
            _ = try transaction.insert(event("once"), into: "Events")
            try transaction.update(Key([.integer(1)]), ["Amount": .integer(4)], in: "Notes")
        }
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try served.write { try $0.update(1, ["Text": .string("new")], in: "Notes") }
        // The original sends both again under other numbers, and the service forgets what it answered to the old ones.
        try await a.sync()
        #expect(try served.rows("Events", "Text") == ["once"])
        try await b.sync()
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try a.store.quarantined().isEmpty)
        let entries = try b.store.quarantined()
        #expect(entries.map(\.code) == ["AlreadyDecided", "DependsOnQuarantined"])
        #expect(try b.store.discard(quarantined: try #require(entries.first).id) == entries.map(\.id))
        for device in [a, b] {
            try await device.sync()
            #expect(try device.rows("Notes").map { $0["Text"] } == [.string("new")])
            #expect(try device.rows("Notes").map { $0["Amount"] } == [.integer(4)])
            #expect(try await device.verify().differences == [])
        }
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D9 a change that one copy sent, and others undid, is not done again by the other`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let note: [String: Value] = ["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")]
        try served.write { try $0.insert(note, into: "Notes") }
        var a = try await served.device("a")
        try await a.update(.integer(1), ["Text": .string("new")], in: "Notes")
        try a.store.close()
        let (b, c) = (try await served.copied(a, as: "b"), try await served.copied(a, as: "c"))
        a = try served.reopened(a)
        try await a.sync()
        // With its next transaction the original says that it has the answer, and the service forgets that.
        try await a.insert(event("later"), into: "Events")
        try await a.sync()
        // What the service has is what the change would leave: there is nothing to do.
        try await c.sync()
        #expect(try c.store.quarantined().isEmpty)
        try served.write { try $0.update(1, ["Text": .string("old")], in: "Notes") }
        try await b.sync()
        #expect(try served.rows("Notes", "Text") == ["old"])
        let entry = try #require(try b.store.quarantined().first)
        #expect(entry.code == "AlreadyDecided")
        #expect(try b.store.discard(quarantined: entry.id) == [entry.id])
        for device in [a, b, c] {
            try await device.sync()
            #expect(try await device.verify().differences == [])
        }
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D9 what is added to a number in two copies of a file is added once`(kind: ServedDomain.Kind) async throws {
        let served = try ServedDomain(kind, counts: true)
        let note: [String: Value] = ["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")]
        try served.write { try $0.insert(note, into: "Notes") }
        var a = try await served.device("a")
        try await a.update(.integer(1), ["Amount": .integer(1000)], in: "Notes")
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try await a.sync()
        // With its next transaction the original says that it has the answer, and the service forgets that.
        try await a.insert(event("later"), into: "Events")
        try await a.sync()
        let report = try await b.sync()
        #expect(report.sent == 1 && report.merged == 0 && report.conflicts == 0 && report.quarantined == 0)
        #expect(try served.rows("Notes", "Amount") == ["1000"])
        try await b.update(.integer(1), ["Amount": .integer(1001)], in: "Notes")
        try await b.sync()
        try await a.sync()
        for device in [a, b] {
            #expect(try device.rows("Notes").map { $0["Amount"] } == [.integer(1001)])
            #expect(try device.store.conflicts().isEmpty)
            #expect(try await device.verify().differences == [])
        }
        #expect(try served.rows("Notes", "Amount") == ["1001"])
    }

    /// Found by the simulator: seed 162213.
    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D9 what was refused for a row that is the same is sent anew by the original alone`(
        kind: ServedDomain.Kind,
        isCopyFirst: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        var a = try await served.device("a")
        let note: [String: Value] = ["Id": .integer(7), "OwnerId": .integer(1), "Text": .string("same")]
        try await a.store.write { transaction in
            _ = try transaction.insert(event("once"), into: "Events")
            _ = try transaction.insert(note, into: "Notes")
        }
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try served.write { try $0.insert(note, into: "Notes") }
        for device in isCopyFirst ? [b, a, b] : [a, b, a] { try await device.sync() }
        #expect(try a.store.quarantined().isEmpty)
        #expect(try served.rows("Events", "Text") == ["once"])
        let entry = try #require(try b.store.quarantined().first)
        // Once the original has sent it anew, the service keeps no answer to what it was before.
        #expect(entry.code == (isCopyFirst ? "ConflictOfCopy" : "AlreadyDecided"))
        #expect(entry.status == (isCopyFirst ? 409 : 412))
        if isCopyFirst {
            #expect(entry.message.contains("the store that this one was copied from may have sent it"))
            #expect(entry.message.hasSuffix("The key of the new entity of Notes is taken."))
        }
        #expect(try b.store.discard(quarantined: entry.id) == [entry.id])
        for device in [a, b] {
            try await device.sync()
            #expect(try device.rows("Events").map { $0["Text"] } == [.string("once")])
            #expect(try device.rows("Notes").map { $0["Text"] } == [.string("same")])
            #expect(try await device.verify().differences == [])
        }
    }
}
