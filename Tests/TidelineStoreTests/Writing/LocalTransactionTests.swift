// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelineStore

struct LocalTransactionTests {
    let folder: TestFolder
    let store: LocalStore

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
    }

    func code<Result>(_ body: () throws -> Result) -> LocalStoreError.Code? {
        do {
            _ = try body()
            return nil
        } catch { return (error as? LocalStoreError)?.code }
    }

    @Test func `a generated key is temporary and negative, defaults apply, types are kept`() throws {
        let keys = try store.write { tx in
            let order = try tx.insert(["OrderDate": .dateTimeOffset(DateTimeOffset(seconds: 5))], into: "Orders")
            let detail = try tx.insert(
                ["Order": order.values[0], "Total": .decimal(EdmDecimal(coefficient: 125, scale: 1))],
                into: "Details"
            )
            return [order, detail]
        }
        #expect(keys == [Key([.integer(-1)]), Key([.integer(-2)])])
        #expect(
            try Fixture.rows(store, "Orders") == [
                [
                    "OrderId": .integer(-1), "OrderDate": .dateTimeOffset(DateTimeOffset(seconds: 5)),
                    "Status": .integer(0), "Client": .null,
                ]
            ]
        )
        #expect(try Fixture.rows(store, "Details")[0]["Total"] == .decimal(EdmDecimal(coefficient: 125, scale: 1)))
        let pending = try store.pendingTransactions()
        #expect(pending.map(\.number) == [1])
        #expect(pending[0].changes.map(\.hasTemporaryKey) == [true, true])
        #expect(
            pending[0].changes[1].temporaryReferences == [
                .init(navigation: 0, target: .init(number: 1, place: 0))
            ]
        )
    }

    @Test func `what does not fit is refused and nothing is changed`() throws {
        let id = Value.guid(GUID(high: 1, low: 2))
        #expect(code { try store.write { try $0.insert(["ClientId": id], into: "Clients") } } == .nullValue)
        #expect(
            code { try store.write { try $0.insert(["ClientId": id, "Name": .integer(1)], into: "Clients") } }
                == .invalidValue
        )
        let long = Value.string(String(repeating: "x", count: 21))
        #expect(
            code { try store.write { try $0.insert(["ClientId": id, "Name": long], into: "Clients") } } == .invalidValue
        )
        #expect(code { try store.write { try $0.insert(["Name": .string("a")], into: "Clients") } } == .invalidKey)
        #expect(code { try store.write { try $0.insert(["OrderId": .integer(5)], into: "Orders") } } == .invalidKey)
        #expect(code { try store.write { try $0.insert(["Nope": .null], into: "Orders") } } == .unknownProperty)
        #expect(code { try store.write { try $0.insert([:], into: "Nope") } } == .unknownSet)
        let tooFine = Value.decimal(EdmDecimal(coefficient: 123_456, scale: 5))
        #expect(
            code { try store.write { try $0.insert(["Order": .integer(1), "Total": tooFine], into: "Details") } }
                == .invalidValue
        )
        #expect(
            try store.status() == StoreStatus(pendingTransactions: 0, sentTransactions: 0, quarantined: 0, conflicts: 0)
        )
        #expect(try Fixture.rows(store, "Clients").isEmpty)
    }

    @Test func `a swap of unique values passes, a second owner is refused at the end`() throws {
        try store.write { tx in
            try tx.insert(["Code": .string("a"), "Rank": .integer(1)], into: "Tags")
            try tx.insert(["Code": .string("b"), "Rank": .integer(2)], into: "Tags")
        }
        try store.write { tx in
            try tx.update(Key([.string("a")]), ["Rank": .integer(2)], in: "Tags")
            try tx.update(Key([.string("b")]), ["Rank": .integer(1)], in: "Tags")
        }
        #expect(try Fixture.rows(store, "Tags").map { $0["Rank"] } == [.integer(2), .integer(1)])
        #expect(
            code { try store.write { try $0.update(Key([.string("a")]), ["Rank": .integer(1)], in: "Tags") } }
                == .duplicateValue
        )
        #expect(code { try store.write { try $0.insert(["Code": .string("a")], into: "Tags") } } == .duplicateKey)
        #expect(try store.pendingTransactions().map { $0.changes.count } == [2, 2])
    }

    @Test func `a reference to nothing is refused at the end, a later parent is enough`() throws {
        #expect(
            code { try store.write { try $0.insert(["Order": .integer(9)], into: "Details") } } == .missingReference
        )
        try store.write { tx in
            try tx.insert(["MarkId": .integer(1), "Tag": .string("later")], into: "Marks")
            try tx.insert(["Code": .string("later")], into: "Tags")
        }
        #expect(try Fixture.rows(store, "Marks").count == 1)
    }

    @Test func `a reference to a row outside of the subscription cannot be judged`() throws {
        let remote = try LocalStore.create(
            path: folder.file("remote.tideline"),
            model: Fixture.model,
            origin: StoreOrigin(serviceURL: "http://x/")
        )
        try remote.setSubscriptions([Subscription(set: "Tags", filter: "Rank gt 1", deltaLink: "d")])
        try remote.write { try $0.insert(["MarkId": .integer(1), "Tag": .string("elsewhere")], into: "Marks") }
        try remote.setSubscriptions([Subscription(set: "Tags", deltaLink: "d")])
        #expect(
            code { try remote.write { try $0.insert(["MarkId": .integer(2), "Tag": .string("no")], into: "Marks") } }
                == .missingReference
        )
        // The reference that stands is not looked at when something else changes.
        try remote.write { try $0.update(Key([.integer(1)]), ["Tag": .string("elsewhere")], in: "Marks") }
    }

    @Test func `delete rules are executed and recorded, children before parents`() throws {
        let client = Value.guid(GUID(high: 3, low: 4))
        try store.write { tx in
            try tx.insert(["ClientId": client, "Name": .string("c")], into: "Clients")
            let order = try tx.insert(["Client": client], into: "Orders")
            try tx.insert(["Order": order.values[0]], into: "Details")
            try tx.insert(["Code": .string("t")], into: "Tags")
            try tx.insert(["MarkId": .integer(1), "Tag": .string("t")], into: "Marks")
        }
        try Fixture.send(store)
        try store.write { try $0.delete(Key([client]), in: "Clients") }
        #expect(try Fixture.rows(store, "Orders")[0]["Client"] == .null)
        try store.write { try $0.delete(Key([.integer(-1)]), in: "Orders") }
        #expect(try Fixture.rows(store, "Details").isEmpty)
        #expect(code { try store.write { try $0.delete(Key([.string("t")]), in: "Tags") } } == .stillReferenced)
        let kinds = try store.pendingTransactions().dropFirst().map { transaction in
            transaction.changes.map { "\($0.change.operation) \($0.change.set)" }
        }
        #expect(kinds == [["update Orders", "delete Clients"], ["delete Details", "delete Orders"]])
        #expect(
            code {
                try store.write { tx in
                    try tx.delete(Key([.integer(1)]), in: "Marks")
                    try tx.delete(Key([.string("t")]), in: "Tags")
                }
            } == nil
        )
    }

    @Test func `an equal value marks nothing, local-only properties stay here`() throws {
        let id = Value.guid(GUID(high: 9, low: 9))
        try store.write { try $0.insert(["ClientId": id, "Name": .string("n")], into: "Clients") }
        try Fixture.send(store)
        try store.write { try $0.update(Key([id]), ["Name": .string("n")], in: "Clients") }
        try store.write { try $0.update(Key([id]), ["Note": .string("mine")], in: "Clients") }
        #expect(try store.pendingTransactions().count == 1)
        #expect(try Fixture.rows(store, "Clients")[0]["Note"] == .string("mine"))
    }

    @Test(.covers("SB-W35"))
    func `writes that touch no key and no unique value fold, and only before they are handed out`() throws {
        let a = Key([.string("a")])
        try store.write { try $0.insert(["Code": .string("a"), "Rank": .integer(1)], into: "Tags") }
        try store.write { try $0.update(a, ["Title": .string("x")], in: "Tags") }
        try store.write { try $0.update(a, ["Rank": .integer(5)], in: "Tags") }
        try store.write { try $0.update(a, ["Title": .string("y")], in: "Tags") }
        let pending = try store.pendingTransactions()
        #expect(pending.map { $0.changes.count } == [1, 1])
        #expect(pending[0].changes[0].change.assignments[2].after == .string("x"))
        #expect(pending[1].changes[0].change.assignments.map(\.property) == [1, 2])
        try store.write { try $0.update(a, ["Title": .string("z")], in: "Tags") }
        #expect(try store.pendingTransactions().count == 3)
        #expect(try store.pendingTransactions()[2].changes[0].previous == .init(number: 2, place: 0))
    }

    @Test(.covers("SB-W35")) func `a row that was never sent and is gone again leaves nothing`() throws {
        let order = try store.write { try $0.insert([:], into: "Orders") }
        let detail = try store.write { try $0.insert(["Order": order.values[0]], into: "Details") }
        try store.write { try $0.delete(detail, in: "Details") }
        #expect(try store.status().pendingTransactions == 1)
        try store.write { tx in
            let other = try tx.insert([:], into: "Orders")
            try tx.delete(other, in: "Orders")
        }
        #expect(try store.status().pendingTransactions == 1)
        try Fixture.send(store)
        try store.write { try $0.delete(order, in: "Orders") }
        #expect(try store.status().pendingTransactions == 2)
    }

    @Test func `delete and insert of one key stay two changes in their order`() throws {
        try store.write { try $0.insert(["Code": .string("k")], into: "Tags") }
        try Fixture.send(store)
        try store.write { tx in
            try tx.delete(Key([.string("k")]), in: "Tags")
            try tx.insert(["Code": .string("k"), "Title": .string("new")], into: "Tags")
        }
        #expect(try store.pendingTransactions()[1].changes.map(\.change.operation) == [.delete, .insert])
    }

    @Test func `throwing leaves the store as it was`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { tx in
                try tx.insert([:], into: "Orders")
                throw Stop()
            }
        }
        #expect(try Fixture.rows(store, "Orders").isEmpty)
        #expect(try store.status().pendingTransactions == 0)
    }

    @Test func `a write that is asked to be durable waits for the disk, the others do not`() async throws {
        // 2 is FULL: the log is forced to the disk at the commit. 1 is NORMAL: at checkpoints alone.
        func level(_ transaction: LocalTransaction) throws -> Int64 {
            try transaction.connection.integer("PRAGMA synchronous")
        }
        #expect(try store.write(level) == 1)
        #expect(try store.write(durably: true, level) == 2)
        #expect(try store.write(level) == 1)
        let store = store
        #expect(try await store.write(durably: true) { try $0.connection.integer("PRAGMA synchronous") } == 2)
    }

    @Test func `a transaction that is too large for the server is refused here`() throws {
        let small = try LocalStore.create(
            path: folder.file("small.tideline"),
            model: Fixture.model,
            settings: StoreSettings(maximumChanges: 2)
        )
        #expect(code { try small.write { tx in for _ in 0..<3 { try tx.insert([:], into: "Orders") } } } == .tooLarge)
        #expect(try Fixture.rows(small, "Orders").isEmpty)
    }

    @Test func `a row that is deleted and inserted again can be deleted again`() throws {
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
        let last = try store.write { tx in
            #expect(try tx.delete(Key([.string("a")]), in: "Tags"))
            try tx.insert(["Code": .string("a"), "Hits": .integer(2)], into: "Tags")
            return try tx.delete(Key([.string("a")]), in: "Tags")
        }
        #expect(last)
        #expect(try Fixture.rows(store, "Tags").isEmpty)
        #expect(try store.pendingTransactions().isEmpty)
    }

    @Test func `SQL of the app is captured, the store's own tables are guarded`() throws {
        try store.write { tx in
            try tx.insert(["Code": .string("a"), "Rank": .integer(1)], into: "Tags")
            try tx.insert(["Code": .string("b"), "Rank": .integer(2)], into: "Tags")
        }
        try Fixture.send(store)
        try store.raw { sql in
            try sql.execute("UPDATE Tags SET Title = 'x' WHERE Rank > ?", [.integer(1)])
            try sql.execute("INSERT OR REPLACE INTO Tags (Code, Rank) VALUES ('a', 7)")
            #expect(try sql.rows("SELECT COUNT(*) FROM Tags") == [[.integer(2)]])
        }
        let changes = try store.pendingTransactions()[1].changes
        #expect(changes.map(\.change.operation) == [.update, .delete, .insert])
        #expect(code { try store.raw { try $0.execute("DELETE FROM tideline_outbox") } } == .invalidSQL)
        #expect(code { try store.raw { try $0.execute("DROP TABLE Tags") } } == .invalidSQL)
        #expect(code { try store.raw { try $0.execute("COMMIT") } } == .invalidSQL)
        #expect(code { try store.raw { try $0.execute("UPDATE Tags SET Code = 'z' WHERE Code = 'a'") } } == .invalidKey)
        #expect(code { try store.raw { try $0.execute("UPDATE Clients SET Name = 1; ") } } == nil)
        try store.write { try $0.update(Key([.string("a")]), ["Title": .string("after")], in: "Tags") }
        #expect(try store.pendingTransactions().count == 3)
    }

    @Test func `SQL writes no table of the store itself, whichever the file has`() throws {
        _ = try store.beginLoad(set: "Tags")
        let stage = try store.stage(set: "Tags")
        stage.removed(Key([.string("a")]), reason: .deleted)
        try stage.finish()
        try store.writing { connection in
            let effects = try ServerEffects(connection)
            let orders = try #require(store.model.setIndex(wire: "Orders"))
            try effects.noteRenamed(
                RowIdentity(set: orders, key: [.integer(-1)]),
                to: RowIdentity(set: orders, key: [.integer(5)])
            )
            return ((), [])
        }
        let tables = try store.raw { sql in
            try sql.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'tideline%'")
        }.compactMap { $0.first?.text }
        for name in ["tideline_made", "tideline_renamed", "tideline_load_Tags", "tideline_stage_Tags"] {
            #expect(tables.contains(name))
        }
        for table in tables {
            let (column, values) = try store.raw { sql in
                (
                    try sql.rows("SELECT name FROM pragma_table_info('\(table)')").first?.first?.text,
                    try sql.rows("SELECT COUNT(*) FROM \(table)")
                )
            }
            let name = try #require(column)
            #expect(
                code { try store.raw { try $0.execute("INSERT INTO \(table) (\"\(name)\") VALUES (1)") } }
                    == .invalidSQL
            )
            #expect(try store.raw { try $0.rows("SELECT COUNT(*) FROM \(table)") } == values)
        }
    }
}
