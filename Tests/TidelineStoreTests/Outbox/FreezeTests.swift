// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

/// What is frozen of what was read, where another process has synced the same file between.
struct FreezeTests {
    let folder: TestFolder
    let store: LocalStore
    let other: LocalStore
    private let a = Key([.string("a")])

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        try Fixture.load(store, "Tags", [([.string("a"), .integer(1), .string("A"), .null], 1)])
        let key = a
        try store.write { try $0.update(key, ["Title": .string("mine")], in: "Tags") }
        other = try LocalStore(path: folder.file("a.tideline"))
    }

    private func group(_ number: Int64) -> FrozenGroup {
        FrozenGroup(number: number, requestID: GUID(high: 2, low: UInt64(number)), bytes: [9])
    }

    /// The numbers and the bytes of what is frozen.
    private func frozen() throws -> [String] {
        try store.reading { connection in
            try connection.query("SELECT number, bytes FROM main.tideline_sent ORDER BY number") {
                "\($0.integer(0)): \($0.bytes(1))"
            }
        }
    }

    private func refuse(_ number: Int64) throws {
        try other.settle([.refused(number: number, code: "Rule", message: "No.", status: 422)])
    }

    @Test func `what another sync has settled since is not frozen`() throws {
        let read = try store.pendingTransactions()
        #expect(read.map(\.number) == [1])
        try Fixture.send(other)
        try refuse(1)
        #expect(throws: PushAttempt.Lost.self) { try store.freeze([group(1)], of: read) }
        #expect(try frozen() == [])
        #expect(try store.status().sentTransactions == 0)
        #expect(try store.identity().acknowledged == 1)
    }

    @Test func `what another sync has frozen since stays as that has frozen it`() throws {
        let read = try store.pendingTransactions()
        try Fixture.send(other)
        #expect(throws: PushAttempt.Lost.self) { try store.freeze([group(1)], of: read) }
        #expect(try frozen() == ["1: [1, 2, 3]"])
    }

    @Test func `what another sync has changed since is not frozen as it was`() throws {
        let read = try store.pendingTransactions()
        // Another value of the same row comes: the change builds on that now.
        try Fixture.stage(other, "Tags", [([.string("a"), .integer(1), .string("A"), .integer(5)], 2)])
        #expect(throws: PushAttempt.Lost.self) { try store.freeze([group(1)], of: read) }
        #expect(try frozen() == [])
        try store.freeze([group(1)], of: store.pendingTransactions())
        #expect(try frozen() == ["1: [9]"])
    }

    @Test func `what was sent before and is settled since is not sent again`() throws {
        try Fixture.send(store)
        let read = try store.pendingTransactions()
        #expect(read.map { $0.frozen?.bytes } == [[1, 2, 3]])
        try store.freeze([], of: read)
        try refuse(1)
        #expect(throws: PushAttempt.Lost.self) { try store.freeze([], of: read) }
    }

    @Test func `what is written meanwhile keeps nothing from being sent`() throws {
        let read = try store.pendingTransactions()
        try other.write { try $0.insert([:], into: "Orders") }
        try store.write { try $0.update(a, ["Title": .string("later")], in: "Tags") }
        try store.freeze([group(1)], of: read)
        #expect(try frozen() == ["1: [9]"])
        #expect(try store.pendingTransactions().map { $0.frozen == nil } == [false, true, true])
    }

    @Test func `an epoch that another sync was told since is neither taken for the own one nor set back`() throws {
        #expect(try store.setEpoch("a-one", from: nil) == nil)
        try Fixture.send(store)
        #expect(try other.setEpoch("b-two", from: "a-one")?.quarantined.count == 1)
        // The refusal for the epoch, and an answer that was on its way for longer.
        for late in ["b-two", "a-one"] {
            #expect(throws: PushAttempt.Lost.self) { try store.setEpoch(late, from: "a-one") }
        }
        #expect(try store.identity().epoch == "b-two")
        #expect(try store.setEpoch("b-two", from: "b-two") == nil)
        #expect(try store.status().quarantined == 1)
    }

    @Test func `what counts as sent and is gone is taken out when the file is opened`() throws {
        try store.write { try $0.insert([:], into: "Orders") }
        try Fixture.send(store)
        try store.settle([.refused(number: 1, code: "Rule", message: "No.", status: 422)])
        try store.writing { connection in
            try connection.run("INSERT INTO main.tideline_sent (number, request, bytes) VALUES (1, x'00', x'00')")
            return ((), [])
        }
        #expect(try store.status().sentTransactions == 2)
        #expect(try store.identity().acknowledged == 0)
        let after = try LocalStore(path: folder.file("a.tideline"))
        #expect(try after.status().sentTransactions == 1)
        #expect(try after.identity().acknowledged == 1)
        #expect(try after.pendingTransactions().map { $0.frozen?.number } == [2])
    }
}
