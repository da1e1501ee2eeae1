// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync

/// Copies of a device's file, and a server that goes back to a copy of its own.
struct CopyDemonstrations {
    func event(_ text: String) -> [String: Value] { ["OwnerId": .integer(1), "Text": .string(text)] }

    /// A sync that is cut off after its changes, with or without the answer to them.
    private func syncWithoutPull(_ device: Device, isAnswered: Bool) async {
        device.transport.begin { $0 > 0 ? .dropBefore : isAnswered ? nil : .dropAfter }
        await #expect(throws: ClientError.self) { try await device.sync() }
        device.transport.begin()
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D9 two devices with copies of one file both write, and all of it survives`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        var a = try await served.device("a")
        try await a.insert(event("before"), into: "Events")
        try await a.sync()
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        #expect(try a.store.identity().clientID != b.store.identity().clientID)
        for device in [a, b] {
            for number in 1...3 { try await device.insert(event("\(device.name)\(number)"), into: "Events") }
        }
        for device in [a, b, a, b] { try await device.sync() }
        let all = ["before", "a1", "a2", "a3", "b1", "b2", "b3"]
        #expect(try served.rows("Events", "Text").sorted() == all.sorted())
        for device in [a, b] {
            #expect(try device.store.quarantined().isEmpty)
            #expect(try await device.verify().differences == [])
        }
    }

    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D9 what waited when the file was copied takes effect once, whoever sends it first`(
        kind: ServedDomain.Kind,
        wasSent: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        var a = try await served.device("a")
        try await a.insert(event("once"), into: "Events")
        if wasSent { await syncWithoutPull(a, isAnswered: false) }
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        for device in [b, a, b] { try await device.sync() }
        #expect(try served.rows("Events", "Text") == ["once"])
        // What each sends from then on counts anew, and takes nothing of it away.
        for device in [a, b] {
            try await device.insert(event("then \(device.name)"), into: "Events")
            try await device.insert(event("and \(device.name)"), into: "Events")
        }
        for device in [b, a, b] { try await device.sync() }
        #expect(try served.rows("Events", "Text").count == 5)
        for device in [a, b] {
            #expect(try device.store.quarantined().isEmpty)
            #expect(try await device.verify().differences == [])
        }
    }

    /// Found by the simulator: seed 9019.
    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D9 what was inserted in the file and is deleted on the service before a pull goes from the copy too`(
        kind: ServedDomain.Kind,
        wasAnswered: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        var a = try await served.device("a")
        try await a.insert(event("fleeting"), into: "Events")
        await syncWithoutPull(a, isAnswered: wasAnswered)
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        if !wasAnswered { await syncWithoutPull(b, isAnswered: true) }
        try served.write { try $0.delete(1, in: "Events") }
        for device in [a, b] {
            try await device.sync()
            #expect(try device.rows("Events") == [])
            #expect(try await device.verify().differences == [])
        }
    }

    /// Found by the simulator: seed 312.
    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D9 what waited and is changed again in the copy takes effect once`(
        kind: ServedDomain.Kind,
        isCopyFirst: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        var a = try await served.device("a")
        let gone = try await a.store.write { transaction in
            _ = try transaction.insert(event("once"), into: "Events")
            return try transaction.insert(event("gone"), into: "Events")
        }
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try await b.delete(gone.values[0], in: "Events")
        for device in isCopyFirst ? [b, a, b] : [a, b, a] { try await device.sync() }
        #expect(try served.rows("Events", "Text") == ["once"])
        for device in [a, b] {
            #expect(try device.store.quarantined().isEmpty)
            #expect(try await device.verify().differences == [])
        }
    }

    /// Found by the simulator: seeds 1872 and 4444.
    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D9 what waited and is changed again in the original takes effect once`(
        kind: ServedDomain.Kind,
        isCopyFirst: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        var a = try await served.device("a")
        let gone = try await a.store.write { transaction in
            _ = try transaction.insert(event("once"), into: "Events")
            return try transaction.insert(event("gone"), into: "Events")
        }
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try await a.delete(gone.values[0], in: "Events")
        let (early, late) = isCopyFirst ? (b, a) : (a, b)
        for device in [early, late, early] { try await device.sync() }
        // The original, which knows of no copy, sends nothing of a row that is gone before it was sent.
        #expect(try served.rows("Events", "Text").sorted() == (isCopyFirst ? ["gone", "once"] : ["once"]))
        #expect(try early.store.quarantined().isEmpty)
        let entry = try #require(try late.store.quarantined().first)
        #expect(entry.code == "RepeatabilityMismatch" && entry.message.contains("in another form"))
        #expect(try late.store.discard(quarantined: entry.id) == [entry.id])
        for device in [a, b] {
            try await device.sync()
            #expect(try await device.verify().differences == [])
        }
        #expect(try served.rows("Events", "Text").count == (isCopyFirst ? 2 : 1))
    }

    /// Found by the simulator: seed 2701.
    @Test(arguments: ServedDomain.Kind.allCases)
    func `D9 what waits behind a transaction that is merged in the original takes effect once`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let note: [String: Value] = ["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")]
        try served.write { try $0.insert(note, into: "Notes") }
        var a = try await served.device("a")
        try await a.update(.integer(1), ["Amount": .integer(3)], in: "Notes")
        try await a.insert(event("once"), into: "Events")
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try served.write { try $0.update(1, ["Text": .string("new")], in: "Notes") }
        try await b.sync()
        // The original sends one after the other: the second is not on its way when the first is merged.
        a.transport.begin(hook: { if $0 == 0 { throw ClientError(.tooLarge, "Too large.", advice: "", status: 413) } })
        try await a.sync()
        try await b.sync()
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try a.store.quarantined().isEmpty)
        let entry = try #require(try b.store.quarantined().first)
        #expect(entry.code == "ConflictOfCopy")
        #expect(try b.store.discard(quarantined: entry.id) == [entry.id])
        for device in [a, b] {
            try await device.sync()
            #expect(try await device.verify().differences == [])
        }
    }

    /// Found by the simulator: seed 39.
    @Test(arguments: [ServedDomain.Kind.sqlite, .memory], [false, true])
    func `D9 what waited and meets a change of the service is merged by one device and waits on the copy`(
        kind: ServedDomain.Kind,
        isCopyFirst: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        let note: [String: Value] = ["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")]
        try served.write { try $0.insert(note, into: "Notes") }
        var a = try await served.device("a")
        try await a.store.write { transaction in
            _ = try transaction.insert(event("once"), into: "Events")
            try transaction.update(Key([.integer(1)]), ["Amount": .integer(3)], in: "Notes")
        }
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        let other = try await served.device("c")
        try await other.update(.integer(1), ["Text": .string("new")], in: "Notes")
        try await other.sync()
        for device in isCopyFirst ? [b, a, b, a] : [a, b, a, b] { try await device.sync() }
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try a.store.quarantined().isEmpty)
        let entry = try #require(try b.store.quarantined().first)
        // The service has decided on its number by then, or the copy meets the change itself.
        #expect(entry.code == (isCopyFirst ? "ConflictOfCopy" : "AlreadyDecided"))
        try b.store.discard(quarantined: entry.id)
        for device in [a, b] {
            try await device.sync()
            #expect(try device.rows("Notes").map { $0["Text"] } == [.string("new")])
            #expect(try device.rows("Notes").map { $0["Amount"] } == [.integer(3)])
            #expect(try await device.verify().differences == [])
        }
    }

    /// Found by the simulator: seed 181.
    @Test(arguments: [ServedDomain.Kind.sqlite, .memory], [false, true])
    func `D9 a row that is gone on the service is brought back by one of two copies`(
        kind: ServedDomain.Kind,
        isCopyFirst: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        // The later one keeps SQLite from giving the key of the one that goes again.
        try served.write { for text in ["old", "later"] { try $0.insert(event(text), into: "Events") } }
        var a = try await served.device("a")
        let other = try await served.device("c")
        try await a.update(.integer(1), ["Text": .string("new")], in: "Events")
        try a.store.close()
        let b = try await served.copied(a, as: "b")
        a = try served.reopened(a)
        try await other.delete(.integer(1), in: "Events")
        try await other.sync()
        for device in isCopyFirst ? [b, a, b] : [a, b, a] { try await device.sync() }
        #expect(try served.rows("Events", "Text").sorted() == ["later", "new"])
        #expect(try a.store.quarantined().isEmpty)
        let entry = try #require(try b.store.quarantined().first)
        #expect(entry.code == (isCopyFirst ? "ConflictOfCopy" : "AlreadyDecided"))
        try b.store.discard(quarantined: entry.id)
        for device in [a, b] {
            try await device.sync()
            #expect(try await device.verify().differences == [])
        }
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D10 devices that are ahead of a restored server notice it, keep what waits, and agree with it`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        let a = try await served.device("a")
        let b = try await served.device("b")
        try await a.insert(event("old"), into: "Events")
        for device in [a, b] { try await device.sync() }
        let restore = try served.backup()
        try await a.insert(event("lost"), into: "Events")
        for device in [a, b] { try await device.sync() }
        #expect(try served.rows("Events", "Text") == ["old", "lost"])
        try await a.insert(event("waiting"), into: "Events")
        try restore()
        #expect(try served.rows("Events", "Text") == ["old"])
        // Others write before the devices come back: the log is as long as it was.
        try served.write { try $0.insert(event("after"), into: "Events") }
        for device in [a, b, a] { try await device.sync() }
        #expect(try served.rows("Events", "Text").sorted() == ["after", "old", "waiting"])
        for device in [a, b] {
            #expect(try device.rows("Events").count == 3)
            #expect(try device.store.status().pendingTransactions == 0)
            #expect(try device.store.quarantined().isEmpty)
            #expect(try await device.verify().differences == [])
        }
    }

    /// Found by the simulator: seed 82049.
    @Test(arguments: ServedDomain.Kind.allCases)
    func `D10 a push that arrives late at a restored server is not done beside what was sent in its place`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write {
            try $0.insert(["Id": .integer(1), "OwnerId": .integer(1), "Text": .string("old")], into: "Notes")
        }
        let device = try await served.device("a")
        let restore = try served.ownBackup()
        _ = try await device.store.write { transaction in
            try transaction.update(Key([.integer(1)]), ["Text": .string("mine")], in: "Notes")
            try transaction.insert(event("once"), into: "Events")
        }
        try served.write { try $0.update(1, ["Amount": .integer(5)], in: "Notes") }
        served.forgetRequests()
        // The change meets another one and is merged; what goes in its place does not arrive.
        device.transport.begin { $0 > 1 ? .dropBefore : nil }
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try served.rows("Events", "Text").isEmpty)
        try restore()
        #expect(try served.repeatFirst(of: "a").contains("\"EpochChanged\""))
        #expect(try served.rows("Events", "Text").isEmpty)
        device.transport.begin()
        let report = try await device.sync()
        #expect(report.sent == 1)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try served.rows("Notes", "Id", "Text", "Amount") == ["1|mine|0"])
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try device.store.quarantined().isEmpty)
        #expect(try await device.verify().differences == [])
    }

    /// Found by the simulator: seed 736.
    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D10 a row that is lost with a server, or deleted there, is brought back by each device that changed it`(
        kind: ServedDomain.Kind,
        isDeleted: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        let devices = [try await served.device("a"), try await served.device("b"), try await served.device("c")]
        let restore = try served.backup()
        // With rows before it and after it, its key is not given again at once.
        for text in ["first", "row", "later"] { try await devices[2].insert(event(text), into: "Events") }
        for device in devices.reversed() { try await device.sync() }
        #expect(try served.rows("Events", "Text") == ["first", "row", "later"])
        for device in devices[..<2] {
            try await device.update(.integer(2), ["Text": .string(device.name)], in: "Events")
        }
        if isDeleted { try served.write { try $0.delete(2, in: "Events") } } else { try restore() }
        for device in devices + devices { try await device.sync() }
        #expect(try served.rows("Events", "Text").sorted() == ["a", "b"] + (isDeleted ? ["first", "later"] : []))
        for device in devices {
            let conflicts = try device.store.conflicts()
            #expect(conflicts.map(\.kind) == (device.name == "c" ? [] : [.deletedThere]))
            #expect(try device.store.quarantined().isEmpty)
            #expect(try await device.verify().differences == [])
        }
    }
}
