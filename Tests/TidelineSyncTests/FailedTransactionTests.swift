// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineModel
import TidelineStorage
import TidelineStore
import TidelineSync

/// A change that the service fails of (500), whenever it is sent or for a while.
struct FailedTransactionTests {
    /// A database that fails for a while.
    private final class FailingStore: Store {
        enum Fault: Sendable {
            /// What gives a product the name `ill` cannot be committed.
            case ofRow
            /// Whatever is written is committed, and yet the store says that it failed.
            case afterCommit
            /// Nothing can be read or written.
            case ofAll
        }

        struct Failed: Error {}

        private let base: any Store
        private let trouble = Mutex<(fault: Fault, times: Int)?>(nil)

        var model: EntityModel { base.model }

        init(_ base: any Store) { self.base = base }

        func begin(_ fault: Fault, times: Int = .max) { trouble.withLock { $0 = (fault, times) } }

        func end() { trouble.withLock { $0 = nil } }

        /// Fails if this is the fault of now, and once less often from then on.
        private func meet(_ fault: Fault) throws {
            let fails = trouble.withLock { trouble in
                guard let now = trouble, now.fault == fault, now.times > 0 else { return false }
                trouble = (fault, now.times - 1)
                return true
            }
            if fails { throw Failed() }
        }

        func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
            try meet(.ofAll)
            return try base.read(body)
        }

        func write<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
            try meet(.ofAll)
            let result = try base.write { writer in
                let result = try body(writer)
                let isIll = try base.model[set: "Products"].map { set in
                    try writer.entity(Key([.string("P1")]), in: set)?.values.contains(.string("ill")) == true
                }
                if isIll == true { try meet(.ofRow) }
                return result
            }
            try meet(.afterCommit)
            return result
        }

        func compact(_ retention: LogRetention, now: Int64, limit: Int) throws -> LogCompaction {
            try base.compact(retention, now: now, limit: limit)
        }
    }

    private func failing() throws -> (World, FailingStore) {
        let made = Mutex<FailingStore?>(nil)
        let world = try World(fails: true) { base in
            let store = FailingStore(base)
            made.withLock { $0 = store }
            return store
        }
        let store = made.withLock { $0 }
        return (world, try #require(store))
    }

    private func note(_ device: Device, of id: Int64) throws -> Value? {
        try device.store.read { try $0.entity(Key([.integer(id)]), in: "Parents") }?["Note"]
    }

    @Test func `it ends in the quarantine with its row and the server's id, and what was written after it is sent`()
        async throws
    {
        let (world, store) = try failing()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("ill")], in: "Products")
        try await a.update(.string("P1"), ["Rank": .integer(7)], in: "Products")
        try await a.update(.integer(2), ["Name": .string("well")], in: "Parents")
        try world.execute("UPDATE Parents SET Note = 'theirs' WHERE Id = 3")
        store.begin(.ofRow)
        let report = try await a.sync()
        #expect(report.sent == 1)
        #expect(report.quarantined == 2)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 2") == ["well"])
        #expect(try world.rows("SELECT Rank, Name FROM Products WHERE Code = 'P1'") == ["1|Lamp"])
        #expect(try note(a, of: 3) == .string("theirs"))
        let held = try a.store.quarantined()
        #expect(held.map(\.code) == ["InternalError", "DependsOnQuarantined"])
        #expect(held.first?.status == 500)
        let message = try #require(held.first?.message)
        #expect(
            message.hasPrefix("Products('P1'): The server failed. The server's log tells more under the id "),
            "\(message)"
        )
        // Once the service is well again, it goes with what came after it.
        store.end()
        try a.store.retry(quarantined: try #require(held.first).id)
        #expect(try await a.sync().sent == 2)
        #expect(try world.rows("SELECT Rank, Name FROM Products WHERE Code = 'P1'") == ["7|ill"])
        #expect(try a.store.status().quarantined == 0)
        #expect(try await a.verify().differences == [])
    }

    @Test func `what passes after two tries is no refusal`() async throws {
        let (world, store) = try failing()
        let a = try await world.device("a")
        try await a.update(.string("P1"), ["Name": .string("ill")], in: "Products")
        try await a.update(.integer(2), ["Name": .string("well")], in: "Parents")
        store.begin(.ofRow, times: 2)
        let report = try await a.sync()
        #expect(report.sent == 2)
        #expect(report.quarantined == 0)
        #expect(try world.rows("SELECT Name FROM Products WHERE Code = 'P1'") == ["ill"])
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 2") == ["well"])
        #expect(try await a.verify().differences == [])
    }

    /// It is sent again under its number, by which the service knows it.
    @Test func `what the service failed of after it had committed takes effect once`() async throws {
        let (world, store) = try failing()
        let a = try await world.device("a")
        try await a.insert(["Name": .string("once")], into: "Parents")
        store.begin(.afterCommit, times: 2)
        let report = try await a.sync()
        #expect(report.sent == 1)
        #expect(report.quarantined == 0)
        #expect(try world.rows("SELECT count(*) FROM Parents WHERE Name = 'once'") == ["1"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a service that cannot read its database fails of all, which counts against none`() async throws {
        let (world, store) = try failing()
        let a = try await world.device("a")
        // By then the device knows the epoch, which a service tells that can read.
        try await a.sync()
        try await a.update(.integer(2), ["Name": .string("well")], in: "Parents")
        var options = Device.options
        options.retry.patience = .zero
        let engine = SyncEngine(store: a.store, client: a.client, options: options)
        store.begin(.ofAll)
        for _ in 1...4 {
            await #expect(throws: (any Error).self) { try await engine.sync() }
            let status = try a.store.status()
            #expect(status.pendingTransactions == 1)
            #expect(status.quarantined == 0)
        }
        store.end()
        #expect(try await engine.sync().sent == 1)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 2") == ["well"])
    }
}
