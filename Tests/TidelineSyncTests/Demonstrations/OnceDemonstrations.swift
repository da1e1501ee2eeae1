// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// What a device sends takes effect once, as a whole or not at all.
struct OnceDemonstrations {
    private func note(_ id: Int64, _ text: String, rank: Int64? = nil) -> [String: Value] {
        ["Id": .integer(id), "OwnerId": .integer(1), "Text": .string(text), "Rank": rank.map { .integer($0) } ?? .null]
    }

    @Test(.covers("SB-W14"), arguments: ServedDomain.Kind.allCases, [false, true])
    func `D4 a push whose answer is lost takes effect once, and is no conflict`(
        kind: ServedDomain.Kind,
        isKilled: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { try $0.insert(note(1, "old"), into: "Notes") }
        var device = try await served.device("a")
        _ = try await device.store.write { transaction in
            try transaction.insert(["OwnerId": .integer(1), "Text": .string("once")], into: "Events")
            try transaction.update(Key([.integer(1)]), ["Amount": .integer(5)], in: "Notes")
        }
        // The second change of the row goes on from the first; its unique value keeps them apart.
        try await device.update(.integer(1), ["Text": .string("new"), "Rank": .integer(3)], in: "Notes")
        device.transport.begin { $0 == 0 ? .dropAfter : .dropBefore }
        await #expect(throws: ClientError.self) { try await device.sync() }
        #expect(try served.rows("Events", "Text") == ["once"])
        if isKilled {
            // What the store knows of the push comes from its file alone.
            try device.store.close()
            device = try served.reopened(device)
        }
        #expect(try device.store.status().pendingTransactions == 2)
        device.transport.begin()
        let report = try await device.sync()
        #expect(report.sent == 2)
        #expect(report.conflicts == 0)
        #expect(report.merged == 0)
        #expect(try served.rows("Events", "Text") == ["once"])
        #expect(try served.rows("Notes", "Id", "Text", "Amount") == ["1|new|5"])
        let status = try device.store.status()
        #expect(status.pendingTransactions == 0 && status.quarantined == 0 && status.conflicts == 0)
        #expect(try await device.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases, [false, true])
    func `D5 a row that is deleted and inserted again under its key exists everywhere`(
        kind: ServedDomain.Kind,
        inOneTransaction: Bool
    ) async throws {
        let served = try ServedDomain(kind)
        try served.write { try $0.insert(note(1, "old", rank: 7), into: "Notes") }
        let a = try await served.device("a")
        let b = try await served.device("b")
        let again = note(1, "again", rank: 7)
        if inOneTransaction {
            _ = try await a.store.write { transaction in
                try transaction.delete(Key([.integer(1)]), in: "Notes")
                try transaction.insert(again, into: "Notes")
            }
        } else {
            try await a.delete(.integer(1), in: "Notes")
            try await a.insert(again, into: "Notes")
        }
        try await a.sync()
        #expect(try served.rows("Notes", "Id", "Text", "Rank") == ["1|again|7"])
        try await b.sync()
        for device in [a, b] {
            #expect(try device.rows("Notes").map { $0["Text"] } == [.string("again")])
            #expect(try device.store.quarantined().isEmpty)
            #expect(try await device.verify().differences == [])
        }
    }

    @Test(.covers("DA-61")) func `D6 one change that can never be accepted holds up none of 3,000 others`() async throws
    {
        let served = try ServedDomain(.sqlite)
        let device = try await served.device("a")
        try served.write { try $0.insert(note(9_999, "there", rank: 7), into: "Notes") }
        for id in Int64(1)...3_001 {
            // One has a rank that another row of the service has, as this device cannot know.
            try await device.insert(note(id, "mine", rank: id == 1_500 ? 7 : nil), into: "Notes")
        }
        let report = try await device.sync()
        #expect(report.sent == 3_000)
        #expect(report.quarantined == 1)
        let held = try device.store.quarantined()
        #expect(held.map(\.code) == ["DuplicateValue"])
        #expect(held.first?.message.contains("Rank") == true)
        #expect(held.first?.changes.map(\.key) == [Key([.integer(1_500)])])
        #expect(try served.rows("Notes", "Id").count == 3_001)
        #expect(try device.store.status().pendingTransactions == 0)
        #expect(try await device.verify().differences.map(\.key) == [Key([.integer(1_500)])])
    }
}
