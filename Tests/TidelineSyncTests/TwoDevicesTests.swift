// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing
import TidelineClient
import TidelineModel
import TidelineStore
import TidelineSync
import TidelineTestSupport

/// Two devices that edit with no connection and sync through one service.
@Suite(.serialized)
struct TwoDevicesTests {
    /// Runs a scenario; the exchange at `index` of either device meets the fault.
    ///
    /// - Returns: the most exchanges that a device made.
    private func run(_ scenario: Scenario, fault: NetworkFault? = nil, at index: Int = 0) async throws -> Int {
        let world = try World()
        let a = try await world.device("a")
        let b = try await world.device("b")
        try await scenario.edit(a, b)
        a.transport.begin(fault: fault, at: index)
        b.transport.begin(fault: fault, at: index)
        try await a.syncUntilDone()
        try await b.syncUntilDone()
        try await a.syncUntilDone()
        try await b.syncUntilDone()
        let exchanges = max(a.transport.exchanges, b.transport.exchanges)
        a.transport.begin()
        b.transport.begin()
        try scenario.check(world, a, b)
        for device in [a, b] {
            for entry in try device.store.quarantined() { try device.store.discard(quarantined: entry.id) }
            try await device.sync()
            #expect(try device.store.status().pendingTransactions == 0)
            #expect(try await device.verify().differences == [])
        }
        return exchanges
    }

    @Test(.covers("DA-25"), arguments: Scenario.all)
    func `everybody ends up with the same`(scenario: Scenario) async throws {
        _ = try await run(scenario)
    }

    @Test(
        .covers("SB-F110", "SB-F114", "SB-W14", "SB-W29"),
        arguments: Scenario.all,
        [NetworkFault.dropBefore, .refuse, .dropAfter, .truncate]
    )
    func `whichever exchange fails, everything happens once`(scenario: Scenario, fault: NetworkFault) async throws {
        let exchanges = try await run(scenario)
        for index in 0..<exchanges { _ = try await run(scenario, fault: fault, at: index) }
    }

    @Test(arguments: [NetworkFault.duplicate, .busy, .html, .unauthorized])
    func `whatever a network does, everything happens once`(fault: NetworkFault) async throws {
        let scenario = Scenario.all[7]
        let exchanges = try await run(scenario)
        for index in 0..<exchanges { _ = try await run(scenario, fault: fault, at: index) }
    }

    @Test func `an edit while a sync runs is kept and sent with the next`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.update(.integer(1), ["Name": .string("first")], in: "Parents")
        a.transport.begin { index in
            try await a.update(.integer(1), ["Amount": .integer(Int64(100 + index))], in: "Parents")
            try await a.insert(["Name": .string("new \(index)")], into: "Parents")
        }
        try await a.sync()
        let exchanges = a.transport.exchanges
        a.transport.begin()
        try await a.sync()
        #expect(try world.rows("SELECT Name, Amount FROM Parents WHERE Id = 1") == ["first|\(99 + exchanges)"])
        let names = (0..<exchanges).map { "new \($0)" }.sorted()
        #expect(try world.rows("SELECT Name FROM Parents WHERE Name LIKE 'new %' ORDER BY Name") == names)
        #expect(try await a.verify().differences == [])
    }

    @Test(.covers("DA-71")) func `direct SQL on the service's database arrives with the next sync`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("REPLACE INTO Products (Code, Rank, Name) VALUES ('P9', 2, 'Bench')")
        try world.execute("DELETE FROM Parents WHERE Id = 1")
        try world.execute("UPDATE Parents SET Note = 'direct' WHERE Id = 2")
        let report = try await a.sync()
        #expect(report.removed == 4)
        #expect(report.received == 2)
        #expect(try await a.verify().differences == [])
    }

    @Test(.covers("DA-73")) func `a rebuilt table is loaded afresh, and what waits stays`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.update(.integer(2), ["Name": .string("mine")], in: "Parents")
        try world.execute(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE Products2 (Code TEXT NOT NULL PRIMARY KEY, Rank INTEGER NOT NULL UNIQUE, Name TEXT);
            INSERT INTO Products2 SELECT Code, Rank + 10, Name FROM Products;
            DROP TABLE Products;
            ALTER TABLE Products2 RENAME TO Products;
            """
        )
        try await a.sync()
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 2") == ["mine"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `what the service refuses is quarantined, and what does not depend on it goes on`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("INSERT INTO Products VALUES ('P4', 4, 'There')")
        try await a.insert(["Code": .string("P5"), "Rank": .integer(4), "Name": .string("Here")], into: "Products")
        try await a.update(.string("P5"), ["Rank": .integer(5)], in: "Products")
        try await a.update(.integer(1), ["Name": .string("other")], in: "Parents")
        let report = try await a.sync()
        #expect(report.sent == 1)
        #expect(report.quarantined == 2)
        let entries = try a.store.quarantined()
        #expect(entries.map(\.code) == ["DuplicateValue", "DependsOnQuarantined"])
        #expect(try world.rows(Scenario.products).count == 4)
        for entry in entries.prefix(1) { try a.store.discard(quarantined: entry.id) }
        try await a.sync()
        #expect(try a.store.quarantined().isEmpty)
        #expect(try await a.verify().differences == [])
    }

    /// The group, the method and the address of each request of a batch.
    private func requests(_ batch: [UInt8]) throws -> [String] {
        let content = try JSONSerialization.jsonObject(with: Data(batch)) as? [String: Any]
        let requests = try #require(content?["requests"] as? [[String: Any]])
        return requests.map { request in
            ["atomicityGroup", "method", "url"].map { request[$0] as? String ?? "-" }.joined(separator: " ")
        }
    }

    @Test(.covers("DA-59"))
    func `what was written at once to one table or to several is one request and one transaction`() async throws {
        let world = try World()
        let a = try await world.device("a")
        let transport = RecordingTransport(a.transport)
        let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
        let engine = SyncEngine(store: a.store, client: ODataClient(session: session), options: Device.options)
        try await a.store.write { transaction in
            _ = try transaction.update(Key([.integer(1)]), ["Name": .string("uno")], in: "Parents")
            _ = try transaction.update(Key([.integer(2)]), ["Name": .string("due")], in: "Parents")
        }
        let one = try await engine.sync()
        #expect(one.sent == 1)
        try await a.store.write { transaction in
            let parent = try transaction.insert(["Name": .string("new")], into: "Parents")
            _ = try transaction.insert(["ParentId": parent.values[0], "Label": .string("d")], into: "Children")
            _ = try transaction.update(Key([.string("P1")]), ["Name": .string("Lantern")], in: "Products")
            _ = try transaction.delete(Key([.integer(3)]), in: "Children")
        }
        let several = try await engine.sync()
        #expect(several.sent == 1)
        // Each sync sends once, and asks once for what is new.
        let sent = transport.sent
        #expect(sent.map(\.request.path) == Array(repeating: "/odata/test/$batch", count: 4))
        let batches = try sent.map { try requests($0.body) }
        let changes = batches.map { $0.filter { !$0.hasPrefix("- get ") } }
        #expect(
            changes == [
                ["t1 patch Parents(1)", "t1 patch Parents(2)"], [],
                ["t2 post Parents", "t2 post Children", "t2 patch Products('P1')", "t2 delete Children(3)"], [],
            ]
        )
        #expect(batches[0] == changes[0] && batches[2] == changes[2])
        #expect(try world.rows(Scenario.parents) == ["1|uno|-|10", "2|due|n|20", "3|three||30", "4|new|-|0"])
        #expect(try world.rows(Scenario.children) == ["1|a", "1|b", "4|d"])
        #expect(try world.rows(Scenario.products) == ["P1|1|Lantern", "P2|2|Chair", "P3|3|-"])
        // One table refuses: nothing is done in the others either.
        try world.execute("INSERT INTO Products VALUES ('P4', 4, 'There')")
        try await a.store.write { transaction in
            _ = try transaction.update(Key([.integer(3)]), ["Name": .string("tre")], in: "Parents")
            _ = try transaction.insert(["ParentId": .integer(3), "Label": .string("e")], into: "Children")
            _ = try transaction.insert(["Code": .string("P5"), "Rank": .integer(4)], into: "Products")
        }
        let refused = try await engine.sync()
        #expect(refused.sent == 0 && refused.quarantined == 1)
        #expect(try world.rows("SELECT Name FROM Parents WHERE Id = 3") == ["three"])
        #expect(try world.rows(Scenario.children) == ["1|a", "1|b", "4|d"])
    }

    @Test func `a row deleted and inserted again shows what the service made of it when that is discarded`()
        async throws
    {
        let world = try World()
        let a = try await world.device("a")
        try world.execute(
            "UPDATE Products SET Name = 'theirs' WHERE Code = 'P1'; INSERT INTO Products VALUES ('P9', 9, '')"
        )
        try await a.store.write { transaction in
            try transaction.delete(Key([.string("P1")]), in: "Products")
            let row: [String: Value] = ["Code": .string("P1"), "Rank": .integer(9), "Name": .string("mine")]
            _ = try transaction.insert(row, into: "Products")
        }
        #expect(try await a.sync().quarantined == 1)
        let entry = try #require(try a.store.quarantined().first)
        #expect(try a.store.discard(quarantined: entry.id) == [entry.id])
        let row = try await a.store.read { try $0.entity(Key([.string("P1")]), in: "Products") }
        #expect(row == ["Code": .string("P1"), "Rank": .integer(1), "Name": .string("theirs")])
        try await a.sync()
        #expect(try await a.verify().differences == [])
    }

    @Test func `a subscription takes a part, and a row that leaves it goes`() async throws {
        let world = try World()
        let a = try await world.device(
            "a",
            requests: [
                SubscriptionRequest(parsing: "Parents?$filter=Amount ge 20"), SubscriptionRequest(set: "Products"),
            ]
        )
        #expect(try await a.verify().compared.map(\.rows) == [2, 3])
        try world.execute("UPDATE Parents SET Amount = 5 WHERE Id = 2")
        try world.execute("UPDATE Parents SET Amount = 50 WHERE Id = 1")
        let report = try await a.sync()
        #expect(report.received == 1)
        #expect(report.removed == 1)
        try await a.update(.integer(3), ["Amount": .integer(1)], in: "Parents")
        try await a.sync()
        #expect(try world.rows("SELECT Amount FROM Parents WHERE Id = 3") == ["1"])
        #expect(try await a.verify().differences == [])
    }

    @Test func `a clone that fails leaves no file`() async throws {
        let world = try World()
        let transport = ServiceTransport(world.service)
        for index in 0..<6 {
            transport.begin(fault: .html, at: index)
            let session = Session(address: try ServiceAddress("http://127.0.0.1/odata/test/"), transport: transport)
            let cloner = StoreCloner(client: ODataClient(session: session), options: Device.options)
            await #expect(throws: (any Error).self) { try await cloner.clone(to: world.folder + "/x.tideline") }
            let files = try FileManager.default.contentsOfDirectory(atPath: world.folder)
            #expect(files.filter { $0.hasPrefix("x.tideline") } == [])
        }
    }

    @Test func `a sync that is cancelled leaves the store as it was, and the next completes it`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute("UPDATE Parents SET Note = 'direct' WHERE Id = 2")
        a.transport.begin { _ in try await Task.sleep(for: .seconds(60)) }
        let task = Task { try await a.sync() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await a.store.read { try $0.entity(Key([.integer(2)]), in: "Parents")?["Note"] } == .string("n"))
        a.transport.begin()
        try await a.sync()
        #expect(try await a.verify().differences == [])
    }

    @Test func `who asks while a sync runs gets its report`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try await a.update(.integer(1), ["Name": .string("once")], in: "Parents")
        let engine = SyncEngine(store: a.store, client: a.client, options: Device.options)
        let reports = try await withThrowingTaskGroup(of: SyncReport.self) { group in
            for _ in 0..<10 { group.addTask { try await engine.sync() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.contains { $0.sent == 1 })
        #expect(a.transport.exchanges <= 20)
    }

    @Test func `a deletion that waits, or was refused, is no row that is missing`() async throws {
        let world = try World()
        let a = try await world.device("a")
        try world.execute(
            "CREATE TRIGGER stays BEFORE DELETE ON Products BEGIN SELECT RAISE(ABORT, 'stays'); END"
        )
        let product = Key([.string("P1")])
        try await a.delete(.string("P1"), in: "Products")
        let waiting = try await a.verify().differences
        #expect(waiting == [VerifyReport.Difference(set: "Products", key: product, kind: .pending)])
        #expect(try await a.sync().quarantined == 1)
        // The device's user reads what the database's owner has to say of it.
        #expect(try a.store.quarantined().map(\.message) == ["stays"])
        let held = try await a.verify().differences
        #expect(held == waiting)
        #expect(try a.store.discard(quarantined: try #require(try a.store.quarantined().first).id).isEmpty == false)
        #expect(try await a.verify().differences == [])
    }
}
