// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage

@testable import TidelineService

struct NoticeTests {
    /// Neither owns anything, nor has a role.
    static let eve = UserContext(id: .integer(3), name: "eve", roles: [])

    /// Who is told of what, where some SQL changes the rows.
    private func told(_ sql: String, in shop: Shop) throws -> [UserContext: Set<String>] {
        let start = try shop.service.notice(since: nil, for: Shop.alice).id
        try shop.sql(sql)
        let users: Set = [Shop.alice, Shop.bob, Self.eve]
        let notices = try shop.service.notices(since: start) { users }
        #expect(notices.id != start)
        return Dictionary(uniqueKeysWithValues: users.map { ($0, notices[$0].sets) }).filter { !$0.value.isEmpty }
    }

    @Test func `a notice names the sets that changed since the one before, whoever changed them`() throws {
        let shop = try Shop()
        func notice(_ id: String?) throws -> ChangeNotice { try shop.service.notice(since: id, for: Shop.alice) }
        let start = try notice(nil)
        #expect(start.sets == [])
        #expect(try notice(start.id) == start)
        try shop.sql("UPDATE Notes SET Text = 'x'; UPDATE Orders SET Total = 1 WHERE OrderId = 10")
        let first = try notice(start.id)
        #expect(first.sets == ["Notes", "Orders"] && first.id != start.id)
        #expect(shop.send(.delete, "Notes('a')").status == 204)
        let second = try notice(first.id)
        #expect(second.sets == ["Notes"])
        #expect(try notice(start.id) == ChangeNotice(id: second.id, sets: ["Notes", "Orders"]))
    }

    @Test func `a batch of one snapshot names the event that tells of no more than is in it`() throws {
        let shop = try Shop()
        func event(_ headers: [String: String] = ["Repeatability-Client-ID": "c"]) -> String? {
            let body = #"{"requests":[{"id":"1","method":"GET","url":"Notes"}]}"#
            let reply = shop.send(.post, "$batch", body, headers.merging(["Isolation": "snapshot"]) { old, _ in old })
            return reply.fields[HTTPField.Name("Tideline-Event-ID")!]
        }
        let start = try shop.service.notice(since: nil, for: Shop.alice).id
        #expect(event() == start)
        #expect(event([:]) == nil, "Who is no device listens to nothing.")
        try shop.sql("UPDATE Notes SET Text = 'x'")
        let changed = try #require(event())
        #expect(try shop.service.notice(since: start, for: Shop.alice) == ChangeNotice(id: changed, sets: ["Notes"]))
        #expect(try shop.service.notice(since: changed, for: Shop.alice) == ChangeNotice(id: changed, sets: []))
    }

    @Test func `a change is told to those who see the row, or saw it, and to nobody else`() throws {
        let shop = try Shop()
        #expect(try told("UPDATE Notes SET Text = 'x' WHERE NoteId = 'b'", in: shop) == [Shop.bob: ["Notes"]])
        #expect(try told("INSERT INTO Notes VALUES ('d', 1, NULL, NULL)", in: shop) == [Shop.alice: ["Notes"]])
        #expect(try told("INSERT INTO Notes VALUES ('e', 9, NULL, NULL)", in: shop) == [:])
        let both: [UserContext: Set<String>] = [Shop.alice: ["Notes"], Shop.bob: ["Notes"]]
        #expect(try told("UPDATE Notes SET OwnerId = 2 WHERE NoteId = 'a'", in: shop) == both)
        #expect(try told("DELETE FROM Notes WHERE NoteId = 'd'", in: shop) == [Shop.alice: ["Notes"]])
        // A notice speaks of two moments: what came and went between them, nobody has to look at.
        let brief = "INSERT INTO Notes VALUES ('f', 1, NULL, NULL); DELETE FROM Notes WHERE NoteId = 'f'"
        #expect(try told(brief, in: shop) == [:])
    }

    @Test func `who sees a row because of another is told when that one lets it come or go`() throws {
        let shop = try Shop()
        #expect(try told("UPDATE Orders SET Total = 1 WHERE OrderId = 20", in: shop) == [Shop.bob: ["Orders"]])
        #expect(try told("UPDATE Orders SET Total = 1 WHERE OrderId = 40", in: shop) == [:])
        #expect(try told("UPDATE Clients SET Name = 'x' WHERE ClientId = 1", in: shop) == [Shop.alice: ["Clients"]])
        let moved: [UserContext: Set<String>] = [Shop.alice: ["Orders"], Shop.bob: ["Orders"]]
        #expect(try told("UPDATE Orders SET ClientId = 2 WHERE OrderId = 10", in: shop) == moved)
        let given: [UserContext: Set<String>] = [
            Shop.alice: ["Clients", "Orders"], Shop.bob: ["Clients", "Orders"],
        ]
        #expect(try told("UPDATE Clients SET OwnerId = 2 WHERE ClientId = 3", in: shop) == given)
        // Orders 10, 20 and 30 are of Bob's clients now.
        let gone: [UserContext: Set<String>] = [Shop.bob: ["Clients", "Orders"]]
        #expect(try told("DELETE FROM Clients WHERE ClientId = 2", in: shop) == gone)
        // An order and its client in one: the order is seen through what the client is now.
        let new = "INSERT INTO Clients VALUES (4, 'Dan', 1, NULL); INSERT INTO Orders VALUES (41, 'new', 0, 4)"
        #expect(try told(new, in: shop) == [Shop.alice: ["Clients", "Orders"]])
    }

    @Test func `a role that may read all is told of all, and who may read nothing of nothing`() throws {
        let shop = try Shop(policies: [
            Policy(role: "buyer", sets: ["Notes"], operations: [.read]),
            Policy(role: "*", sets: ["Notes"], operations: [.read], where: "OwnerId eq @me"),
        ])
        let told = try told("UPDATE Notes SET Text = 'x' WHERE NoteId = 'b'; UPDATE Clients SET Name = 'x'", in: shop)
        #expect(told == [Shop.alice: ["Notes"], Shop.bob: ["Notes"]])
        let start = try shop.service.notice(since: nil, for: .anonymous)
        try shop.sql("UPDATE Notes SET Text = 'y'")
        #expect(try shop.service.notice(since: start.id, for: .anonymous).sets == [])
    }

    @Test func `where more rows changed than are looked at, all who may read any are told`() throws {
        let shop = try Shop()
        func notes(_ range: ClosedRange<Int>) -> String {
            """
            WITH RECURSIVE n(i) AS (SELECT \(range.lowerBound) UNION ALL SELECT i + 1 FROM n WHERE i < \(range.upperBound))
            INSERT INTO Notes SELECT 'n' || i, 2, NULL, NULL FROM n
            """
        }
        #expect(try told(notes(1...1_000), in: shop) == [Shop.bob: ["Notes"]])
        let every: [UserContext: Set<String>] = [Shop.alice: ["Notes"], Shop.bob: ["Notes"], Self.eve: ["Notes"]]
        #expect(try told(notes(2_000...3_000), in: shop) == every)
        // For one alone, fewer are looked at.
        func aliceIsTold(_ range: ClosedRange<Int>) throws -> Set<String> {
            let start = try shop.service.notice(since: nil, for: Shop.alice).id
            try shop.sql(notes(range))
            return try shop.service.notice(since: start, for: Shop.alice).sets
        }
        #expect(try aliceIsTold(4_000...4_099) == [])
        #expect(try aliceIsTold(5_000...5_100) == ["Notes"])
        // Few clients changed, but very many orders are seen through them.
        try shop.sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO Orders SELECT i, NULL, 0, 2 FROM n
            """
        )
        let many: [UserContext: Set<String>] = [Shop.alice: ["Orders"], Shop.bob: ["Clients", "Orders"]]
        #expect(try told("UPDATE Clients SET OwnerId = 9 WHERE ClientId = 2", in: shop) == many)
    }

    @Test func `a row whose owner was too long for the log may have been anybody's`() throws {
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Notes"], operations: [.read], where: "Text eq @me/Name"),
            Policy(role: "*", sets: ["Orders"], operations: [.read], where: "Title eq @me"),
        ])
        try shop.sql("UPDATE Notes SET Text = hex(zeroblob(400)) WHERE NoteId = 'a'")
        try shop.sql("UPDATE Orders SET Title = hex(zeroblob(400)) WHERE OrderId = 10")
        let told = try told("UPDATE Notes SET Text = ''; UPDATE Orders SET Title = '2' WHERE OrderId = 10", in: shop)
        let each: Set = ["Notes", "Orders"]
        #expect(told == [Shop.alice: each, Shop.bob: each, Self.eve: each])
    }

    @Test func `a row that another program spoiled is told to who saw it, and keeps nothing else from being told`()
        throws
    {
        let shop = try Shop()
        let spoiled =
            "UPDATE Notes SET OwnerId = 'nobody' WHERE NoteId = 'b'; UPDATE Clients SET Name = 'x' WHERE ClientId = 2"
        let told = try told(spoiled, in: shop)
        // It was Bob's, and belongs to nobody now.
        #expect(told == [Shop.bob: ["Clients", "Notes"]])
    }

    @Test func `users of very many roles are told by the policies of their own`() throws {
        let roles = 1...80
        let shop = try Shop(
            policies: roles.map {
                Policy(role: "r\($0)", sets: ["Notes"], operations: [.read], where: "NoteId eq 'n\($0)'")
            }
        )
        let users = roles.map { UserContext(id: .integer(Int64($0)), name: "u\($0)", roles: ["r\($0)"]) }
        try shop.sql(roles.map { "INSERT INTO Notes VALUES ('n\($0)', 0, NULL, NULL);" }.joined())
        for changed in [7, 80] {
            let start = try shop.service.notice(since: nil, for: users[0]).id
            try shop.sql("UPDATE Notes SET Text = 'x' WHERE NoteId = 'n\(changed)'")
            let notices = try shop.service.notices(since: start) { Set(users) }
            #expect(users.filter { !notices[$0].sets.isEmpty }.map(\.name) == ["u\(changed)"])
        }
    }

    @Test func `an owner is found whatever its type`() throws {
        let shop = try Shop(
            policies: [
                Policy(role: "*", sets: ["Notes"], operations: [.read], where: "Slug eq @me"),
                Policy(role: "*", sets: ["Prices"], operations: [.read], where: "@me eq Amount"),
            ],
            adding:
                "CREATE TABLE Prices (Id INTEGER PRIMARY KEY, Amount DECIMAL(8,2)); INSERT INTO Prices VALUES (1, 1);"
        )
        let text = UserContext(id: .string("s2"), name: "text", roles: [])
        let start = try shop.service.notice(since: nil, for: text).id
        try shop.sql("UPDATE Notes SET Slug = '1' WHERE NoteId = 'a'; UPDATE Notes SET Text = 'x' WHERE NoteId = 'b'")
        try shop.sql("UPDATE Prices SET Id = 2")
        let notices = try shop.service.notices(since: start) { [text, Shop.alice, Shop.bob] }
        #expect(notices[text].sets == ["Notes"])
        #expect(notices[Shop.alice].sets == ["Notes", "Prices"])
        #expect(notices[Shop.bob].sets == [])
    }

    @Test func `who is to be told is asked when the snapshot stands`() throws {
        let shop = try Shop()
        let start = try shop.service.notice(since: nil, for: Shop.alice).id
        try shop.sql("UPDATE Notes SET Text = 'x' WHERE NoteId = 'a'")
        var written: Result<Void, any Error>?
        let first = try shop.service.notices(since: start) {
            written = Result { try shop.sql("UPDATE Clients SET Name = 'x'") }
            return [Shop.alice]
        }
        try #require(written).get()
        #expect(first[Shop.alice].sets == ["Notes"])
        #expect(try shop.service.notice(since: first.id, for: Shop.alice).sets == ["Clients"])
    }

    @Test func `where the log cannot tell, every set is named that the user may read`() throws {
        let shop = try Shop()
        func notice(_ id: String?, for user: UserContext = Shop.alice) throws -> ChangeNotice {
            try shop.service.notice(since: id, for: user)
        }
        let every: Set = ["Clients", "Notes", "Orders"]
        let start = try notice(nil)
        try shop.sql("UPDATE Notes SET Text = 'x'")
        let middle = try notice(nil)
        try shop.sql("UPDATE Notes SET Text = 'y'")
        _ = try shop.store.compact(LogRetention(entries: 1), now: 0, limit: .max)
        #expect(try notice(start.id).sets == every)
        #expect(try notice(start.id, for: Self.eve).sets == ["Clients", "Notes"])
        #expect(try notice(start.id, for: .anonymous).sets == [])
        try shop.sql("DROP TRIGGER tideline_update_Notes")
        let now = try notice(nil)
        #expect(try notice(middle.id).sets == every)
        #expect(try notice(now.id).sets == [])
        for strange in ["x", "", String(repeating: "A", count: 5_000)] {
            #expect(try notice(strange).sets == every, "\(strange.prefix(9))")
        }
    }

    @Test func `a token of a link is no identifier of a notice, nor the other way round`() throws {
        let shop = try Shop()
        let notes = shop.get("Notes", ["Prefer": "track-changes"])
        let link = try #require(notes.link("deltaLink"))
        let token = String(try #require(link.split(separator: "=").last))
        #expect(try shop.service.notice(since: token, for: Shop.alice).sets.count == 3)
        let id = try shop.service.notice(since: nil, for: Shop.alice).id
        #expect(shop.get("Notes?$deltatoken=\(id)").status == 400)
    }

    @Test func `a view is to be looked at whenever anything changed`() throws {
        let shop = try Shop(open: true, shaping: { sets in sets[2].isReadOnly = true })
        #expect(shop.domain.model.sets.map(\.names.wire) == ["Clients", "Notes", "Orders"])
        let told = try told("UPDATE Notes SET Text = 'x' WHERE NoteId = 'a'", in: shop)
        #expect(
            told
                == Dictionary(
                    uniqueKeysWithValues: [Shop.alice, Shop.bob, Self.eve].map { ($0, ["Notes", "Orders"]) }
                )
        )
    }
}
