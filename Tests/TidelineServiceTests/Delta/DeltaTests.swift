// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineTestSupport

@testable import TidelineService

struct DeltaTests {
    private func track(_ shop: Shop, _ path: String, as user: UserContext = Shop.alice) throws -> String {
        let reply = shop.get(path, ["Prefer": "track-changes"], as: user)
        #expect(reply.status == 200)
        #expect(reply.fields[.preferenceApplied] == "track-changes")
        return try #require(reply.link("deltaLink"))
    }

    @Test
    func `a delta without changes is empty and leads on`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes?$select=Text")
        let reply = shop.get(link)
        #expect(reply.status == 200)
        #expect(
            reply.text.hasPrefix(
                #"{"@context":"/odata/shop/$metadata#Notes(NoteId,Text)/$delta","value":[],"@deltaLink":""#
            )
        )
    }

    @Test(.covers("DA-71"))
    func `changes arrive whole, removals by key, and only once`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes")
        try shop.sql("UPDATE Notes SET Text = 'changed' WHERE NoteId = 'a'")
        try shop.sql("INSERT INTO Notes VALUES ('d', 1, 'new', NULL)")
        try shop.sql("DELETE FROM Notes WHERE NoteId = 'c'")
        let reply = shop.get(link)
        let expected =
            #"{"@context":"/odata/shop/$metadata#Notes/$delta","value":["#
            + #"{"@etag":"W/\"\"","NoteId":"a","OwnerId":1,"Text":"changed","Slug":"s1"},"#
            + #"{"@etag":"W/\"\"","NoteId":"d","OwnerId":1,"Text":"new","Slug":null},"#
            + #"{"@removed":{"reason":"deleted"},"@id":"Notes('c')","NoteId":"c"}],"@deltaLink":""#
        #expect(reply.text.withoutETags.hasPrefix(expected))
        let next = shop.get(try #require(reply.link("deltaLink")))
        #expect(next.text.contains(#""value":[]"#))
    }

    @Test
    func `a row that leaves the filter is removed, one that enters is sent`() throws {
        let shop = try Shop()
        let link = try track(shop, "Orders?$filter=Total%20gt%20100")
        try shop.sql("UPDATE Orders SET Total = 50 WHERE OrderId = 30")
        try shop.sql("UPDATE Orders SET Total = 500 WHERE OrderId = 10")
        let reply = shop.get(link)
        #expect(reply.text.contains(#"{"@removed":{"reason":"changed"},"@id":"Orders(30)","OrderId":30}"#))
        #expect(reply.text.contains(#""OrderId":10,"Title":"ten","Total":500"#))
    }

    @Test
    func `the key of a row that was never seen is never sent`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes")
        try shop.sql("INSERT INTO Notes VALUES ('secret', 2, 'x', NULL)")
        try shop.sql("UPDATE Notes SET Text = 'y' WHERE OwnerId = 2")
        try shop.sql("DELETE FROM Notes WHERE NoteId = 'b'")
        let reply = shop.get(link)
        #expect(reply.text.contains(#""value":[]"#))
    }

    @Test
    func `a row that is taken away goes, one that is given comes`() throws {
        let shop = try Shop()
        let alice = try track(shop, "Notes")
        let bob = try track(shop, "Notes", as: Shop.bob)
        try shop.sql("UPDATE Notes SET OwnerId = 2 WHERE NoteId = 'a'")
        #expect(shop.get(alice).text.contains(#"{"@removed":{"reason":"changed"},"@id":"Notes('a')","NoteId":"a"}"#))
        #expect(shop.get(bob, as: Shop.bob).text.contains(#""NoteId":"a","OwnerId":2"#))
        // Given away and taken back between two deltas: to Bob it never was.
        let later = try #require(shop.get(bob, as: Shop.bob).link("deltaLink"))
        try shop.sql("UPDATE Notes SET OwnerId = 1 WHERE NoteId = 'a'")
        try shop.sql("UPDATE Notes SET OwnerId = 2 WHERE NoteId = 'a'")
        #expect(shop.get(later, as: Shop.bob).text.contains(#""NoteId":"a","OwnerId":2"#))
    }

    @Test
    func `a change of a parent reaches its children`() throws {
        let shop = try Shop()
        let alice = try track(shop, "Orders")
        let bob = try track(shop, "Orders", as: Shop.bob)
        try shop.sql("UPDATE Clients SET OwnerId = 2 WHERE ClientId = 1")
        #expect(
            shop.get(alice).text.contains(
                #""value":[{"@removed":{"reason":"changed"},"@id":"Orders(10)","OrderId":10}]"#
            )
        )
        let reply = shop.get(bob, as: Shop.bob)
        #expect(reply.text.contains(#""OrderId":10,"Title":"ten""#) && !reply.text.contains("removed"))
        // A change of the parent that means nothing for who sees what sends nothing.
        let link = try #require(reply.link("deltaLink"))
        try shop.sql("UPDATE Clients SET Name = 'Other' WHERE ClientId = 1")
        #expect(shop.get(link, as: Shop.bob).text.contains(#""value":[]"#))
        // A cascade is a change as any other.
        try shop.sql("PRAGMA foreign_keys = ON; DELETE FROM Clients WHERE ClientId = 1")
        #expect(
            shop.get(link, as: Shop.bob).text.contains(
                #"{"@removed":{"reason":"deleted"},"@id":"Orders(10)","OrderId":10}"#
            )
        )
    }

    @Test
    func `an order that changes hands with its client is not told to strangers`() throws {
        let shop = try Shop()
        let alice = try track(shop, "Orders")
        // Bob's order, moved by Bob to another of his own clients while that one goes to Alice and back.
        try shop.sql("INSERT INTO Clients VALUES (4, 'Dot', 2, NULL)")
        try shop.sql("UPDATE Orders SET ClientId = 4 WHERE OrderId = 20")
        try shop.sql("UPDATE Clients SET OwnerId = 1 WHERE ClientId = 2")
        #expect(shop.get(alice).text.contains(#""value":[]"#))
    }

    @Test
    func `the link of a load in pages starts at its first page`() throws {
        let shop = try Shop()
        try shop.sql("INSERT INTO Notes VALUES ('d', 1, 'd', NULL), ('e', 1, 'e', NULL)")
        let first = shop.get("Notes", ["Prefer": "track-changes, maxpagesize=2"])
        #expect(first.fields[.preferenceApplied] == "track-changes, maxpagesize=2")
        try shop.sql("UPDATE Notes SET Text = 'late' WHERE NoteId = 'a'")
        try shop.sql("INSERT INTO Notes VALUES ('cc', 1, 'ghost', NULL), ('dd', 1, 'stays', NULL)")
        try shop.sql("UPDATE Notes SET Text = 'd2' WHERE NoteId = 'd'")
        let second = shop.get(try #require(first.link("nextLink")))
        #expect(second.fields[.preferenceApplied] == nil)
        // What was not there at the start is left to the delta.
        #expect(!second.text.contains("ghost") && !second.text.contains("stays"))
        #expect(second.text.contains("d2") && second.text.contains("\"NoteId\":\"e\""))
        try shop.sql("DELETE FROM Notes WHERE NoteId = 'cc'")
        let delta = shop.get(try #require(second.link("deltaLink")))
        #expect(delta.text.contains("late") && delta.text.contains("stays") && delta.text.contains("d2"))
        #expect(!delta.text.contains("'cc'"))
    }

    @Test
    func `a large delta comes in pages that together are the whole`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes?$select=NoteId")
        for number in 10..<20 { try shop.sql("INSERT INTO Notes VALUES ('n\(number)', 1, 'x', NULL)") }
        var reply = shop.get(link, ["Prefer": "maxpagesize=4"])
        var seen: [String] = []
        for round in 0..<10 {
            seen += reply.text.split(separator: "\"NoteId\":\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
            guard let next = reply.link("nextLink") else { break }
            // One that was sent goes again before the next page: its removal is sent.
            if round == 0 { try shop.sql("DELETE FROM Notes WHERE NoteId = 'n10'") }
            reply = shop.get(next, ["Prefer": "maxpagesize=4"])
            #expect(reply.status == 200)
        }
        #expect(Set(seen) == Set((10..<20).map { "n\($0)" }))
        #expect(seen.filter { $0 == "n10" }.count == 2)
        #expect(reply.text.contains(#"{"@removed":{"reason":"deleted"},"@id":"Notes('n10')","NoteId":"n10"}"#))
        let last = shop.get(try #require(reply.link("deltaLink")))
        #expect(last.text.contains(#""value":[]"#))
    }

    @Test
    func `a link is good for its user and its query alone`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes?$filter=Text%20ne%20'x'")
        for (path, user) in [
            (link, Shop.bob), (link.replacing("'x'", with: "'y'"), Shop.alice),
            (link.replacing("$filter", with: "$select=NoteId&$filter"), Shop.alice),
        ] {
            let reply = shop.get(path, as: user)
            #expect(reply.status == 410 && Shop.code(reply) == "ScopeChanged")
            #expect(reply.fields[.location]?.hasPrefix("/odata/shop/Notes?") == true)
            #expect(reply.fields[.location]?.contains("deltatoken") == false)
        }
    }

    @Test
    func `a new attribute of the user is another scope`() throws {
        let policies = [Policy(role: "*", sets: ["Notes"], operations: [.read], where: "Slug in @me/Slugs")]
        let shop = try Shop(policies: policies)
        func user(_ slugs: String...) -> UserContext {
            UserContext(id: .integer(1), name: "alice", attributes: ["Slugs": slugs.map { .string($0) }])
        }
        let link = try track(shop, "Notes", as: user("s1"))
        #expect(shop.get(link, as: user("s1")).status == 200)
        #expect(shop.get(link, as: user("s1", "s2")).status == 410)
    }

    @Test func `a row whose key is none holds up nobody once it is gone`() throws {
        let shop = try Shop(
            open: true,
            adding: "CREATE TABLE Odd (Code TEXT PRIMARY KEY, N INT); CREATE TABLE Few (Id INTEGER PRIMARY KEY, N INT);"
        )
        let links = try ["Odd", "Few"].map { set in
            try #require(shop.get(set, ["Prefer": "track-changes"]).link("deltaLink"))
        }
        // A null in a key, as SQLite takes it; a number beyond those that the property holds.
        try shop.sql("INSERT INTO Odd VALUES (NULL, 1), ('a', 1); INSERT INTO Few VALUES (1732600000000, 1), (2, 2)")
        try shop.sql("DELETE FROM Odd WHERE Code IS NULL; DELETE FROM Few WHERE Id > 2")
        let (odd, few) = (shop.get(links[0]), shop.get(links[1]))
        #expect(odd.status == 200 && odd.text.contains(#""Code":"a","N":1}]"#), "\(odd.text)")
        #expect(few.status == 200 && few.text.contains(#""Id":2,"N":2}]"#), "\(few.text)")
    }

    @Test func `a row whose key is none fails the delta of who would see it, as long as it is there`() throws {
        let shop = try Shop(
            open: true,
            adding: "CREATE TABLE Odd (Code TEXT PRIMARY KEY, N INT); CREATE TABLE Few (Id INTEGER PRIMARY KEY, N INT);"
        )
        let links = try ["Odd", "Few", "Few?$filter=N%20lt%205"].map { set in
            try #require(shop.get(set, ["Prefer": "track-changes"]).link("deltaLink"))
        }
        try shop.sql("INSERT INTO Odd VALUES (NULL, 1), ('a', 1); INSERT INTO Few VALUES (1732600000000, 7), (2, 2)")
        for link in links.prefix(2) {
            let reply = shop.get(link)
            #expect(reply.status == 500 && Shop.code(reply) == "UnreadableValue", "\(reply.text)")
            // What it is, and where its administrator finds more: neither a value nor a key.
            let set = link == links[0] ? "Odd" : "Few"
            #expect(reply.text.contains("A stored value of \(set) does not fit its type: "), "\(reply.text)")
            #expect(reply.text.contains("The server's log tells more under the id "), "\(reply.text)")
            #expect(!reply.text.contains("1732600000000"), "\(reply.text)")
        }
        let other = shop.get(links[2])
        #expect(other.status == 200 && other.text.contains(#""Id":2,"N":2}]"#), "\(other.text)")
        #expect(!other.text.contains("},{"), "\(other.text)")
        // With a key it is told as what it is: new.
        try shop.sql("UPDATE Odd SET Code = 'b' WHERE Code IS NULL; UPDATE Few SET Id = 3 WHERE Id > 3")
        let (odd, few) = (shop.get(links[0]), shop.get(links[1]))
        #expect(odd.status == 200 && odd.text.contains(#""Code":"b","N":1}]"#), "\(odd.text)")
        #expect(odd.text.contains(#""Code":"a","N":1}"#), "\(odd.text)")
        #expect(few.status == 200 && few.text.contains(#""Id":3,"N":7}]"#), "\(few.text)")
        #expect(few.text.contains(#""Id":2,"N":2}"#), "\(few.text)")
    }

    @Test(
        arguments: [
            ("GUID", "'0F0E0D0C-0000-0000-0000-00000000ABCD'", "'0f0e0d0c-0000-0000-0000-00000000abcd'"),
            ("TIME", "'12:00'", "'12:00:00'"), ("TIME", "'12:00:00.500'", "'12:00:01'"),
            ("DATETIME", "'2020-01-01 00:00:00.500'", "'2020-01-01 00:00:00'"), ("TEXT", "CAST(x'ff' AS TEXT)", "'ff'"),
        ]
    )
    func `a key that is not stored as it is looked for is passed over by nobody`(
        type: String,
        stored: String,
        right: String
    ) throws {
        let shop = try Shop(open: true, adding: "CREATE TABLE Odd (Code \(type) PRIMARY KEY, N INT);")
        let link = try #require(shop.get("Odd", ["Prefer": "track-changes"]).link("deltaLink"))
        try shop.sql("INSERT INTO Odd VALUES (\(stored), 7)")
        for address in [link, "Odd"] {
            let reply = shop.get(address)
            #expect(reply.status == 500 && Shop.code(reply) == "UnreadableValue", "\(address): \(reply.text)")
        }
        try shop.sql("UPDATE Odd SET Code = \(right)")
        for address in [link, "Odd"] {
            let reply = shop.get(address)
            #expect(reply.status == 200 && reply.text.contains(#""N":7}]"#), "\(address): \(reply.text)")
        }
    }

    @Test(.covers("DA-73"))
    func `a rebuilt table and a restored backup are noticed`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes")
        try shop.sql("INSERT INTO Notes VALUES ('x1', 1, 'x', NULL)")
        let newer = try #require(shop.get(link).link("deltaLink"))
        try shop.sql("DELETE FROM tideline_log WHERE seq = (SELECT max(seq) FROM tideline_log)")
        let restored = shop.get(newer)
        #expect(restored.status == 410 && Shop.code(restored) == "LogRestored")
        try shop.sql(
            "CREATE TABLE n2 (NoteId TEXT NOT NULL PRIMARY KEY, OwnerId INTEGER NOT NULL, Text TEXT, Slug TEXT UNIQUE); INSERT INTO n2 SELECT * FROM Notes; DROP TABLE Notes; ALTER TABLE n2 RENAME TO Notes"
        )
        let rebuilt = shop.get(link)
        #expect(rebuilt.status == 410 && Shop.code(rebuilt) == "EpochChanged")
        #expect(shop.get("Notes", ["Prefer": "track-changes"]).link("deltaLink") != nil)
    }

    @Test
    func `a link survives a new process`() throws {
        let shop = try Shop()
        let link = try track(shop, "Notes")
        try shop.sql("UPDATE Notes SET Text = 'changed' WHERE NoteId = 'a'")
        let store = try SQLiteStore(
            path: shop.path,
            model: shop.domain.model,
            options: .init(scopes: shop.domain.scopeProperties)
        )
        let service = try ODataService(domain: shop.domain, store: store, signingKey: Array(repeating: 7, count: 32))
        let reply = service.respond(to: .init(method: .get, scheme: nil, authority: nil, path: link), user: Shop.alice)
        #expect(String(decoding: try reply.body.all(), as: UTF8.self).contains("changed"))
    }

    @Test
    func `a token for now starts now`() throws {
        let shop = try Shop()
        let link = try #require(shop.get("Notes?$deltatoken=latest").link("deltaLink"))
        try shop.sql("UPDATE Notes SET Text = 'changed' WHERE NoteId = 'a'")
        #expect(shop.get(link).text.contains("changed"))
    }

    @Test
    func `a value too long for the log hides nothing and tells nothing`() throws {
        let shop = try Shop()
        try shop.sql("UPDATE Notes SET Text = hex(zeroblob(400)) WHERE NoteId IN ('a', 'b')")
        let link = try track(shop, "Notes?$filter=length(Text)%20gt%20300")
        try shop.sql("UPDATE Notes SET Text = 'short'")
        let reply = shop.get(link)
        #expect(reply.text.contains(#""@id":"Notes('a')""#))
        #expect(!reply.text.contains("Notes('b')"))
    }

    @Test
    func `a query whose changes cannot be told is not tracked`() throws {
        let shop = try Shop()
        for path in [
            "Notes?$filter=now()%20gt%202000-01-01T00:00:00Z", "Clients?$expand=Orders($top=1)", "Notes?$top=1",
        ] {
            let reply = shop.get(path, ["Prefer": "track-changes"])
            #expect(reply.status == 200 && reply.fields[.preferenceApplied] == nil && reply.link("deltaLink") == nil)
        }
    }

    @Test
    func `version 4 point 0 has its own removals`() throws {
        let shop = try Shop()
        let first = shop.get("Notes", ["Prefer": "odata.track-changes", "OData-MaxVersion": "4.0"])
        #expect(first.fields[.preferenceApplied] == "odata.track-changes")
        let link = try #require(first.link("odata.deltaLink"))
        try shop.sql("DELETE FROM Notes WHERE NoteId = 'a'")
        let reply = shop.get(link, ["OData-MaxVersion": "4.0"])
        #expect(
            reply.text.contains(##"{"@odata.context":"#Notes/$deletedEntity","id":"Notes('a')","reason":"deleted"}"##)
        )
    }
}
