// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineMemory
import TidelineModel
import TidelineService
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Changes that a device could pass over: each is delivered, once.
struct DeliveryDemonstrations {
    private func note(_ id: Int64, _ text: String = "") -> [String: Value] {
        ["Id": .integer(id), "OwnerId": .integer(1), "Text": .string(text)]
    }

    /// Begins a transaction that inserts a note, and leaves it open.
    ///
    /// - Returns: its commit.
    private func begin(inserting id: Int64, _ served: ServedDomain) throws -> () throws -> Void {
        if let store = served.store as? MemoryStore {
            let transaction = store.begin()
            try OutsideWriter(writer: transaction, model: served.domain.model).insert(note(id), into: "Notes")
            return { try transaction.commit() }
        }
        let cluster = try PostgresCluster.shared()
        let name = cluster.name(of: served.place)
        let insert = #"INSERT INTO "Notes" ("Id", "OwnerId") VALUES (\#(id), 1)"#
        try cluster.run("BEGIN; \(insert); PREPARE TRANSACTION 'early \(name)'", database: name)
        return { try cluster.run("COMMIT PREPARED 'early \(name)'", database: name) }
    }

    // SQLite has one writer at a time: its commits come in the order of their beginnings.
    @Test(arguments: [ServedDomain.Kind.memory, .postgres])
    func `D1 a commit that comes late is delivered`(kind: ServedDomain.Kind) async throws {
        let served = try ServedDomain(kind)
        let device = try await served.device("a")
        let commit = try begin(inserting: 1, served)
        try served.write { try $0.insert(note(2), into: "Notes") }
        #expect(try await device.sync().received == 1)
        #expect(try device.keys("Notes") == [2])
        try commit()
        #expect(try await device.sync().received == 1)
        #expect(try device.keys("Notes") == [1, 2])
        #expect(try await device.sync().received == 0)
        #expect(try await device.verify().differences == [])
    }

    @Test(.covers("SB-W11", "SB-W12"), arguments: ServedDomain.Kind.allCases)
    func `D2 a device that is killed in the middle of 500 rows of one transaction has each once in the end`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind, pageRows: 100)
        var device = try await served.device("a")
        try served.write { writer in for id in 1...500 { try writer.insert(note(Int64(id)), into: "Notes") } }
        // As when the link has expired: the set comes anew, in pages.
        try device.store.forgetDeltaLinks(of: ["Notes"])
        // The third request: two pages have arrived.
        device = try await served.kill(device, before: 2)
        #expect(try device.keys("Notes") == [])
        #expect(try await device.sync().received == 500)
        #expect(try device.keys("Notes") == Array(1...500))
        #expect(try await device.verify().differences == [])
    }

    @Test(arguments: ServedDomain.Kind.allCases)
    func `D3 what is changed while pages are read is neither passed over nor stale`(
        kind: ServedDomain.Kind
    ) async throws {
        let served = try ServedDomain(kind, pageRows: 10)
        let device = try await served.device("a")
        try served.write { writer in for id in 1...30 { try writer.insert(note(Int64(id), "old"), into: "Notes") } }
        // As when the link has expired: the set comes anew, in pages.
        try device.store.forgetDeltaLinks(of: ["Notes"])
        device.transport.begin { exchange in
            guard exchange == 1 else { return }
            // Page one was read: one of its rows moves to the end of everything, one goes, and one comes before all.
            try served.write { writer in
                try writer.update(5, ["Text": .string("new")], in: "Notes")
                try writer.delete(6, in: "Notes")
                try writer.insert(note(0, "new"), into: "Notes")
                try writer.update(25, ["Text": .string("new")], in: "Notes")
            }
        }
        try await device.sync()
        #expect(device.transport.exchanges >= 3)
        device.transport.begin()
        let known = try device.keys("Notes")
        // Of the rows that nobody touched none is missing, whatever the pages looked like meanwhile.
        #expect(Set(1...30).subtracting(known).subtracting([5, 6, 25]) == [])
        try await device.sync()
        #expect(try device.keys("Notes") == [0, 1, 2, 3, 4, 5] + Array(7...30))
        let new = try device.rows("Notes").filter { $0["Text"] == .string("new") }.compactMap { $0["Id"] }
        #expect(new == [.integer(0), .integer(5), .integer(25)])
        #expect(try await device.verify().differences == [])
    }
}
