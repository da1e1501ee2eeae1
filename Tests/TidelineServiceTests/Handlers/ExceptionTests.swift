// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import Testing
import TidelineModel
import TidelineStorage

@testable import TidelineService

/// Columns that hold what is none of their types, as other programs may write: it is told beside null, and takes nothing
/// else away.
struct ExceptionTests {
    private static let tables = """
        CREATE TABLE Stock (Id INT NOT NULL PRIMARY KEY, Quantity INT, Day DATE NOT NULL, ShelfId INT REFERENCES Shelves(Id));
        CREATE TABLE Shelves (Id INT NOT NULL PRIMARY KEY);
        INSERT INTO Shelves VALUES (1);
        INSERT INTO Stock VALUES (1, 3, '2024-12-31', 1), (2, 4, '2024-12-30', 1);
        """

    private static let many = #""Quantity":null,"Quantity@Core.ValueException":{"value":"many"}"#
    private static let german = #""Day":null,"Day@Core.ValueException":{"value":"31.12.2024"}"#

    private func shop() throws -> Shop {
        let shop = try Shop(open: true, adding: Self.tables)
        try shop.sql("UPDATE Stock SET Quantity = 'many', Day = '31.12.2024' WHERE Id = 1")
        return shop
    }

    private func get(_ shop: Shop, _ path: String, accept: String = "application/json;odata.metadata=none") -> String {
        shop.send(.get, path, "", ["Accept": accept]).text
    }

    @Test func `what is none of its type is null, and what there is stands beside it`() throws {
        let shop = try shop()
        #expect(
            get(shop, "Stock") == """
                {"value":[{"Id":1,\(Self.many),\(Self.german),"ShelfId":1},\
                {"Id":2,"Quantity":4,"Day":"2024-12-30","ShelfId":1}]}
                """
        )
        #expect(get(shop, "Stock(1)") == #"{"Id":1,\#(Self.many),\#(Self.german),"ShelfId":1}"#)
        #expect(get(shop, "Stock?$select=Quantity&$top=1") == #"{"value":[{"Id":1,\#(Self.many)}]}"#)
        #expect(
            get(shop, "Shelves(1)?$expand=Stock($select=Quantity)")
                == #"{"Id":1,"Stock":[{"Id":1,\#(Self.many)},{"Id":2,"Quantity":4}]}"#
        )
    }

    @Test func `it is told in full metadata, and where nulls are left out`() throws {
        let shop = try shop()
        let full = get(shop, "Stock(1)", accept: "application/json;odata.metadata=full")
        #expect(full.contains(Self.many) && full.contains(Self.german), "\(full)")
        let short = shop.send(.get, "Stock(1)?$select=Quantity", "", ["Prefer": "omit-values=nulls"]).text
        #expect(short.hasSuffix(Self.many + "}"), "\(short)")
    }

    @Test func `a single property that is none of its type fails, and says which`() throws {
        let shop = try shop()
        for path in ["Stock(1)/Quantity", "Stock(1)/Quantity/$value"] {
            let reply = shop.send(.get, path)
            #expect(reply.status == 500 && Shop.code(reply) == "UnreadableValue", "\(path): \(reply.text)")
        }
        #expect(get(shop, "Stock(2)/Quantity") == #"{"value":4}"#)
    }

    @Test func `a delta tells it, and a write puts it right`() throws {
        let shop = try Shop(open: true, adding: Self.tables)
        let load = shop.send(.get, "Stock", "", ["Prefer": "track-changes"])
        let first = try #require(load.link("deltaLink"))
        try shop.sql("UPDATE Stock SET Quantity = 'many' WHERE Id = 1")
        let delta = shop.send(.get, first)
        #expect(delta.status == 200 && delta.text.contains(Self.many), "\(delta.text)")
        let before = shop.send(.get, "Stock(1)")
        let etag = try #require(before.fields[.eTag])
        let mended = shop.send(.patch, "Stock(1)", #"{"Quantity":5}"#, ["If-Match": etag])
        #expect(mended.status == 204, "\(mended.text)")
        #expect(try shop.value("SELECT typeof(Quantity) || Quantity FROM Stock WHERE Id = 1") == "integer5")
        #expect(shop.send(.patch, "Stock(1)", #"{"Quantity":6}"#, ["If-Match": etag]).status == 412)
    }

    @Test func `another property of such an entity can be written`() throws {
        let shop = try shop()
        let reply = shop.send(.patch, "Stock(1)", #"{"ShelfId":null}"#)
        #expect(reply.status == 204, "\(reply.text)")
        #expect(
            try shop.value("SELECT Quantity || Day || ifnull(ShelfId, '-') FROM Stock WHERE Id = 1")
                == "many31.12.2024-"
        )
    }

    @Test func `JSON that is none is no items, and takes no other row away`() throws {
        let gallery = try Gallery(adding: "UPDATE Items SET Tags = 'a,b' WHERE Id = 1;")
        #expect(
            gallery.data("Items?$select=Tags&$filter=Id ne 2".replacing(" ", with: "%20")) == """
                {"value":[{"Id":1,"Tags":[],"Tags@Core.ValueException":{"value":"a,b"}},{"Id":3,"Tags":[]}]}
                """
        )
    }

    @Test func `a shape that is none lets the entity be read and written, under one version`() throws {
        let gallery = try Gallery(adding: "UPDATE Items SET Place = 'nowhere' WHERE Id = 1;")
        let before = gallery.get("Items(1)?$select=Place")
        #expect(
            before.text.contains(#""Place":null,"Place@Core.ValueException":{"value":"nowhere"}"#),
            "\(before.text)"
        )
        let etag = try #require(before.fields[.eTag])
        let named = gallery.send(
            .patch,
            "Items(1)",
            ["If-Match": etag, "Content-Type": "application/json"],
            body: #"{"Name":"x"}"#
        )
        #expect(named.status == 204, "\(named.text)")
        let mended = gallery.send(
            .patch,
            "Items(1)",
            ["Content-Type": "application/json"],
            body: #"{"Place":{"type":"Point","coordinates":[8,47]}}"#
        )
        #expect(mended.status == 204, "\(mended.text)")
        #expect(!gallery.data("Items(1)?$select=Place").contains("ValueException"))
    }

    @Test func `annotations that are not wanted are not told, and the column of dynamic properties is none`() throws {
        let gallery = try Gallery(adding: "UPDATE Items SET Tags = 'a,b', Bag = 'none' WHERE Id = 1;")
        let all = gallery.data("Items(1)?$select=Tags,Bag")
        #expect(all == #"{"Id":1,"Tags":[],"Tags@Core.ValueException":{"value":"a,b"}}"#)
        let short = gallery.data("Items(1)?$select=Tags", ["Prefer": #"include-annotations="-*""#])
        #expect(short == #"{"Id":1,"Tags":[]}"#)
    }

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    @Test func `the log names each property once`() throws {
        let log = Log()
        let shop = try Shop(
            open: true,
            adding: Self.tables,
            report: { id, error in
                log.lines.withLock { $0.append("\(id)\((error as? UnreadableValues)?.property ?? "\(error)")") }
            }
        )
        try shop.sql("UPDATE Stock SET Quantity = 'many' WHERE Id = 1")
        for path in ["Stock", "Stock(1)", "Stock"] { _ = shop.get(path) }
        #expect(log.lines.withLock { $0 } == ["Stock.Quantity"])
    }
}
