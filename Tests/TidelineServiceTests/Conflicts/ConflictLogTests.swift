// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage

@testable import TidelineService

/// What the service keeps of values that lose, and how they come back.
struct ConflictLogTests {
    private let shop: Shop

    init() throws { shop = try Shop(now: { 1_000 }) }

    private func device(_ number: Int) -> [String: String] {
        [
            "Repeatability-Request-ID": "01234567-89ab-8000-8000-00000000000\(number)",
            "Repeatability-Client-ID": "device-1", "Repeatability-First-Sent": "Sat, 21 Nov 2026 13:00:00 GMT",
        ]
    }

    private func entries() throws -> [LoggedConflict] { try shop.service.conflicts() }

    @Test func `a write without a version leaves what it replaced, and no more, in the log`() throws {
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"other","Total":100}"#).status == 204)
        let found = try entries()
        try #require(found.count == 1)
        #expect(found[0].kind == .unseen && found[0].set == "Orders" && found[0].key == "(10)")
        #expect(found[0].lost == #"{"Title":"ten"}"# && found[0].won == #"{"Title":"other"}"#)
        #expect(found[0].user == "alice" && found[0].client == nil && found[0].time == 1_000)
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"again"}"#, ["If-Match": "*"]).status == 204)
        #expect(try entries().first?.lost == #"{"Title":"other"}"#)
    }

    @Test func `a write that names the version it replaces, or changes nothing, leaves no entry`() throws {
        let etag = shop.etag("Orders(10)")
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"seen"}"#, ["If-Match": etag]).status == 204)
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"seen"}"#).status == 204)
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"x"}"#, ["If-Match": etag]).status == 412)
        #expect(try entries() == [])
    }

    @Test func `a device that is refused leaves no entry where the row is as it wanted it`() throws {
        let refused = device(1).merging(["If-Match": shop.etag("Orders(10)")]) { $1 }
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"same"}"#, ["If-Match": "*"]).status == 204)
        let entry = try #require(try entries().first)
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"same"}"#, refused).status == 412)
        #expect(try entries() == [entry])
    }

    @Test func `of two that delete a row the second has lost nothing`() throws {
        let late = device(1).merging(["If-Match": shop.etag("Notes('c')")]) { $1 }
        #expect(shop.send(.delete, "Notes('c')", "", ["If-Match": shop.etag("Notes('c')")]).status == 204)
        #expect(shop.send(.delete, "Notes('c')", "", late).status == 412)
        #expect(try entries() == [])
    }

    @Test func `a row that was deleted without a version comes back whole`() throws {
        #expect(shop.send(.delete, "Notes('a')").status == 204)
        let entry = try #require(try entries().first)
        #expect(entry.lost == #"{"NoteId":"a","OwnerId":1,"Text":"first","Slug":"s1"}"#)
        #expect(entry.won == nil && entry.key == "('a')")
        try shop.service.restore(conflict: entry.id, at: 2_000)
        #expect(try shop.value("SELECT OwnerId || Text || Slug FROM Notes WHERE NoteId = 'a'") == "1firsts1")
        #expect(try entries().first?.restoredAt == 2_000)
    }

    @Test func `a row whose key the database makes comes back under another one`() throws {
        #expect(shop.send(.delete, "Clients(1)").status == 204)
        try shop.service.restore(conflict: 1, at: 2_000)
        #expect(try shop.value("SELECT Name || Code || OwnerId FROM Clients WHERE ClientId = 4") == "AnnA1")
    }

    @Test func `a row whose key was given to another one comes back beside it`() throws {
        #expect(shop.send(.delete, "Clients(1)").status == 204)
        // As a database gives it that goes on from the highest key there is.
        try shop.sql("INSERT INTO Clients VALUES (1, 'Dan', 1, 'D')")
        try shop.service.restore(conflict: 1, at: 2_000)
        #expect(try shop.value("SELECT Name || Code FROM Clients WHERE ClientId = 1") == "DanD")
        #expect(try shop.value("SELECT Name || Code || OwnerId FROM Clients WHERE ClientId = 4") == "AnnA1")
        #expect(try entries().count == 1, "Nothing was replaced.")
        let twice = #expect(throws: ODataError.self) { try shop.service.restore(conflict: 1, at: 3_000) }
        #expect(twice?.message == "The row of entry 1 was inserted again already, at 1970-01-01T00:33:20Z.")
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE Name = 'Ann'") == "1")
    }

    @Test func `a change of a row that is gone makes no row of its values alone`() throws {
        #expect(shop.send(.patch, "Notes('a')", #"{"Text":"second"}"#).status == 204)
        let etag = shop.etag("Notes('a')")
        #expect(shop.send(.delete, "Notes('a')").status == 204)
        let refused = device(1).merging(["If-Match": etag]) { $1 }
        #expect(shop.send(.patch, "Notes('a')", #"{"Text":"third"}"#, refused).status == 412)
        #expect(try entries().map(\.kind) == [.refused, .unseen, .unseen])
        let count = try shop.value("SELECT count(*) FROM Notes")
        for id in [Int64(1), 3] {
            let error = #expect(throws: ODataError.self) { try shop.service.restore(conflict: id, at: 2_000) }
            #expect(error?.message.contains("restore the entry of its deletion first") == true)
        }
        #expect(try shop.value("SELECT count(*) FROM Notes") == count)
        // With the row there is something to put the value into.
        try shop.service.restore(conflict: 2, at: 2_000)
        #expect(try shop.value("SELECT Text || Slug FROM Notes WHERE NoteId = 'a'") == "seconds1")
        try shop.service.restore(conflict: 3, at: 2_001)
        #expect(try shop.value("SELECT Text || Slug FROM Notes WHERE NoteId = 'a'") == "thirds1")
        // Where the database makes the keys, it comes back under another one: nothing is put into what is not it.
        #expect(shop.send(.patch, "Clients(1)", #"{"Code":"X"}"#).status == 204)
        #expect(shop.send(.delete, "Clients(1)").status == 204)
        let changed = try #require(try entries().first { $0.lost == #"{"Code":"A"}"# })
        #expect(throws: ODataError.self) { try shop.service.restore(conflict: changed.id, at: 2_002) }
        #expect(try shop.value("SELECT count(*) FROM Clients") == "2")
    }

    @Test func `restoring is a write like another: what it replaces can be restored in its turn`() throws {
        #expect(shop.send(.patch, "Notes('a')", #"{"Text":"second thought"}"#).status == 204)
        try shop.service.restore(conflict: 1, at: 2_000)
        #expect(try shop.value("SELECT Text FROM Notes WHERE NoteId = 'a'") == "first")
        let newest = try #require(try entries().first)
        #expect(newest.id == 2 && newest.lost == #"{"Text":"second thought"}"#)
        try shop.service.restore(conflict: 2, at: 2_001)
        #expect(try shop.value("SELECT Text FROM Notes WHERE NoteId = 'a'") == "second thought")
        #expect(throws: ODataError.self) { try shop.service.restore(conflict: 77, at: 2_002) }
    }

    @Test func `what the model no longer has of an entry is left out and told, and the rest comes back`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Staff (StaffId INT NOT NULL PRIMARY KEY, Name TEXT, Boss TEXT);
                INSERT INTO Staff VALUES (1, 'Ann', 'Zed'), (2, 'Ben', 'Zed');
                """,
            now: { 1_000 }
        )
        #expect(shop.send(.patch, "Staff(1)", #"{"Name":"other","Boss":"Yan"}"#).status == 204)
        #expect(shop.send(.patch, "Staff(1)", #"{"Boss":"Xon"}"#).status == 204)
        #expect(shop.send(.delete, "Staff(2)").status == 204)
        var sets = shop.domain.model.sets
        for set in sets.indices { sets[set].type.properties.removeAll { $0.names.wire == "Boss" } }
        let model = EntityModel(namespace: "Shop", sets: sets)
        let later = try ODataService(
            domain: Domain(name: "shop", database: Domain.Database(path: shop.path), isOpen: true, model: model),
            store: try SQLiteStore(path: shop.path, model: model),
            signingKey: Array(repeating: 7, count: 32)
        )
        #expect(try later.restore(conflict: 1, at: 2_000) == ["Boss"])
        #expect(try shop.value("SELECT Name || Boss FROM Staff WHERE StaffId = 1") == "AnnXon")
        #expect(try later.restore(conflict: 3, at: 2_000) == ["Boss"])
        #expect(try shop.value("SELECT Name || ifnull(Boss, '-') FROM Staff WHERE StaffId = 2") == "Ben-")
        let refused = #expect(throws: ODataError.self) { try later.restore(conflict: 2, at: 2_000) }
        #expect(refused?.message == "Nothing of entry 2 can be written: Staff has no Boss any more.")
        #expect(try later.conflicts().first { $0.id == 2 }?.restoredAt == nil)
    }

    @Test(
        arguments: [
            (#"{"Boss@Core.Note":"x"}"#, nil, ["Boss"]),
            (#"{"Boss@Core.Note":"x","Boss":"Zed","Mate@Core.Note":"y"}"#, nil, ["Boss", "Mate"]),
            (#"{"@Core.Note":"z","Boss@Core.Note":"x","Name":"Ann"}"#, #"{"@Core.Note":"z","Name":"Ann"}"#, ["Boss"]),
        ] as [(String, String?, [String])]
    )
    func `a property that is only annotated in an entry is named where the model has it no more`(
        lost: String,
        body: String?,
        missing: [String]
    ) throws {
        let clients = try #require(shop.domain.model[set: "Clients"])
        let values = try RestorableValues(lost, of: clients.type)
        #expect(values.missing == missing)
        #expect(values.isEmpty == (body == nil))
        #expect(String(decoding: values.body, as: UTF8.self) == body ?? "{}")
    }

    @Test func `a device that is refused leaves what it wanted, and what it replaces when it has decided`() throws {
        let etag = shop.etag("Orders(10)")
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"theirs"}"#, ["If-Match": etag]).status == 204)
        let refused = device(1).merging(["If-Match": etag]) { $1 }
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"mine"}"#, refused).status == 412)
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"mine"}"#, refused).status == 412)
        var found = try entries()
        try #require(found.count == 1)
        #expect(found[0].kind == .refused && found[0].isOpen && found[0].client == "device-1")
        #expect(found[0].lost == #"{"Title":"mine"}"# && found[0].won == #"{"Title":"theirs"}"#)

        let decided = device(2).merging(["If-Match": shop.etag("Orders(10)")]) { $1 }
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"mine"}"#, decided).status == 204)
        found = try entries()
        try #require(found.count == 2)
        #expect(found[0].kind == .decided && found[0].lost == #"{"Title":"theirs"}"#)
        #expect(found[0].won == #"{"Title":"mine"}"# && !found[0].isOpen && !found[1].isOpen)

        let later = device(3).merging(["If-Match": shop.etag("Orders(10)")]) { $1 }
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"later"}"#, later).status == 204)
        #expect(try entries().count == 2)
    }

    @Test func `a device that was refused for several rows leaves what it replaces in each, whatever comes between`()
        throws
    {
        let rows = ["Notes('a')", "Notes('c')"]
        let old = rows.map { shop.etag($0) }
        for (row, etag) in zip(rows, old) {
            #expect(shop.send(.patch, row, #"{"Text":"theirs"}"#, ["If-Match": etag]).status == 204)
        }
        for (place, (row, etag)) in zip(rows, old).enumerated() {
            let refused = device(place + 1).merging(["If-Match": etag]) { $1 }
            #expect(shop.send(.patch, row, #"{"Text":"mine"}"#, refused).status == 412)
        }
        // Another row is accepted first, which it was not refused for.
        let other = device(3).merging(["If-Match": shop.etag("Orders(10)")]) { $1 }
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"second"}"#, other).status == 204)
        for (place, row) in rows.enumerated() {
            let decided = device(place + 4).merging(["If-Match": shop.etag(row)]) { $1 }
            #expect(shop.send(.patch, row, #"{"Text":"mine"}"#, decided).status == 204)
        }
        let found = try entries()
        #expect(found.map(\.kind) == [.decided, .decided, .refused, .refused])
        #expect(found.map(\.key) == ["('c')", "('a')", "('c')", "('a')"])
        let lost = ["theirs", "theirs", "mine", "mine"].map { #"{"Text":"\#($0)"}"# }
        #expect(found.map(\.lost) == lost)
        #expect(found.allSatisfy { !$0.isOpen })
    }

    @Test func `what a group has written itself is replaced without an entry, and a group that fails leaves none`()
        throws
    {
        let body = #"""
            {"requests":[
            {"id":"1","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","body":{"Title":"one"}},
            {"id":"2","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","body":{"Title":"two"}},
            {"id":"3","method":"POST","url":"Orders","atomicityGroup":"g","body":{"OrderId":50,"ClientId":1}},
            {"id":"4","method":"PATCH","url":"$3","atomicityGroup":"g","body":{"Title":"new"}}]}
            """#
        #expect(shop.send(.post, "$batch", body).text.contains("\"status\":201"))
        #expect(try entries().map(\.lost) == [#"{"Title":"ten"}"#])
        let failing = body.replacing("\"OrderId\":50", with: "\"OrderId\":20")
        #expect(shop.send(.post, "$batch", failing).text.contains("424"))
        #expect(try entries().count == 1)
    }

    @Test func `entries go with their age`() throws {
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"other"}"#).status == 204)
        let retention = LogRetention(seconds: 500)
        _ = try shop.service.compactLog(now: 1_500, keeping: retention)
        #expect(try entries().count == 1)
        _ = try shop.service.compactLog(now: 1_501, keeping: retention)
        #expect(try entries() == [])
    }

    @Test func `members of an enumeration are told by their names, and come back`() throws {
        let gallery = try Gallery()
        #expect(gallery.send(.patch, "Items(2)", body: #"{"Color":"Blue"}"#).status == 204)
        let entry = try #require(try gallery.service.conflicts().first)
        #expect(entry.lost == #"{"Color":"Red,Green"}"# && entry.won == #"{"Color":"Blue"}"#)
        try gallery.service.restore(conflict: entry.id, at: 2_000)
        #expect(gallery.data("Items(2)/Color") == #"{"value":"Red,Green"}"#)
    }
}
