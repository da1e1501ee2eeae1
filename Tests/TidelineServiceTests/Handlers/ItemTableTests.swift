// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// Collections whose items are rows of a table of their own, as the service shows them.
struct ItemTableTests {
    private func shop() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Posts (Id INTEGER PRIMARY KEY, Title TEXT);
                CREATE TABLE PostTags (PostId INT NOT NULL REFERENCES Posts(Id), Place INT NOT NULL, Tag TEXT NOT NULL,
                    PRIMARY KEY (PostId, Place));
                INSERT INTO Posts VALUES (1, 'one'), (2, 'two');
                INSERT INTO PostTags VALUES (1, 0, 'b'), (1, 1, 'a');
                """,
            shaping: { sets in
                sets.removeAll { $0.names.wire == "PostTags" }
                guard let place = sets.firstIndex(where: { $0.names.wire == "Posts" }) else { return }
                var tags = Property(names: Names(wire: "Tags"), type: .string, isNullable: false)
                tags.structure = .collection(of: .primitive(.string))
                tags.items = ItemTable(
                    name: "PostTags",
                    key: ["PostId"],
                    values: [Property(names: Names(wire: "Tag"), type: .string, isNullable: false)],
                    order: "Place"
                )
                sets[place].type.properties.append(tags)
                sets[place].type.navigationProperties = []
            }
        )
    }

    private func tags(_ shop: Shop, _ id: Int) throws -> String? {
        try shop.value(
            "SELECT group_concat(Place || Tag) FROM (SELECT * FROM PostTags WHERE PostId = \(id) ORDER BY Place)"
        )
    }

    @Test func `it is read like any collection`() throws {
        let shop = try shop()
        let rows = shop.send(.get, "Posts?$select=Id,Tags").text
        #expect(rows.contains(#""Id":1,"Tags":["b","a"]}"#) && rows.contains(#""Id":2,"Tags":[]}"#))
        #expect(shop.send(.get, "Posts(1)/Tags").text.contains(#""value":["b","a"]"#))
        #expect(shop.send(.get, "Posts(1)/Tags/$count").text == "2")
        #expect(shop.send(.get, "Posts/$count?$filter=Tags/any(t:t%20eq%20'a')").text == "1")
        #expect(shop.send(.get, "Posts/$count?$filter=Tags/all(t:t%20eq%20'a')").text == "1")
        #expect(shop.send(.get, "Posts/$count?$filter=Tags/$count%20gt%201").text == "1")
        #expect(shop.send(.get, "Posts/$count?$filter='b'%20in%20Tags").text == "1")
    }

    @Test func `it is written with its entity`() throws {
        let shop = try shop()
        #expect(shop.send(.post, "Posts", #"{"Id":3,"Title":"new","Tags":["x","y"]}"#).status == 201)
        #expect(try tags(shop, 3) == "0x,1y")
        #expect(shop.send(.post, "Posts", #"{"Id":4}"#).text.contains(#""Tags":[]"#))
        #expect(shop.send(.patch, "Posts(1)", #"{"Tags":["c"]}"#).status == 204)
        #expect(try tags(shop, 1) == "0c")
        #expect(shop.send(.patch, "Posts(1)", #"{"Title":"other"}"#).status == 204)
        #expect(try tags(shop, 1) == "0c")
        #expect(shop.send(.put, "Posts(1)/Tags", #"{"value":["d","e"]}"#).status == 204)
        #expect(try tags(shop, 1) == "0d,1e")
        #expect(shop.send(.post, "Posts(1)/Tags", #"{"value":"f"}"#).status < 300)
        #expect(try tags(shop, 1) == "0d,1e,2f")
        #expect(shop.send(.delete, "Posts(1)/Tags").status == 204)
        #expect(try tags(shop, 1) == nil)
        #expect(shop.send(.put, "Posts(3)", #"{"Title":"bare"}"#).status == 204)
        #expect(try tags(shop, 3) == nil)
        #expect(shop.send(.patch, "Posts(1)", #"{"Tags":[null]}"#).status == 400)
        #expect(shop.send(.delete, "Posts(1)").status == 204)
        #expect(try shop.value("SELECT count(*) FROM PostTags") == "0")
    }

    @Test func `a refused change leaves its items as they were`() throws {
        let shop = try shop()
        try shop.sql(
            "CREATE TRIGGER no BEFORE INSERT ON PostTags WHEN NEW.Tag = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        #expect(shop.send(.patch, "Posts(1)", #"{"Title":"lost","Tags":["ok","bad"]}"#).status >= 400)
        #expect(try tags(shop, 1) == "0b,1a")
        #expect(try shop.value("SELECT Title FROM Posts WHERE Id = 1") == "one")
    }

    @Test func `a change of the table is a change of the entity, for versions and deltas`() throws {
        let shop = try shop()
        let etag = try #require(shop.send(.get, "Posts(2)").fields[.eTag])
        let first = shop.send(.get, "Posts", "", ["Prefer": "track-changes"])
        let link = try #require(first.link("deltaLink"))
        try shop.sql("INSERT INTO PostTags VALUES (2, 0, 'late')")
        #expect(shop.send(.get, "Posts(2)").fields[.eTag] != etag)
        #expect(shop.send(.patch, "Posts(2)", #"{"Title":"x"}"#, ["If-Match": etag]).status == 412)
        let path = String(
            link[link.range(of: "Posts").map { $0.lowerBound..<link.endIndex } ?? link.startIndex..<link.endIndex]
        )
        let delta = shop.send(.get, path).text
        #expect(delta.contains(#""Tags":["late"]"#) && !delta.contains(#""Id":1"#))
    }

    @Test func `the file of a domain says it`() throws {
        let yaml = """
            format: 1
            name: t
            database: {kind: sqlite, path: x}
            open: true
            namespace: T
            complexTypes: [{name: Phone, properties: [{name: Digits, type: String, nullable: false}, {name: Since, type: DateTimeOffset}]}]
            sets:
              - name: S
                type: U
                table: s
                key: [Id]
                properties:
                  - {name: Id, type: Int32, nullable: false}
                  - {name: Tags, collection: String, maxLength: 9, table: {name: tags, key: [s_id], value: tag, order: pos}}
                  - {name: Marks, collection: Int32, table: {name: marks, key: [s_id], value: {column: m, storage: native}}}
                  - name: Phones
                    collection: Phone
                    table: {name: phones, key: [s_id], order: line, values: [{name: Digits, column: d}, {name: Since, column: w, storage: unix-seconds}]}
            """
        let domain = try Domain(yaml: yaml)
        let properties = domain.model.sets[0].type.properties
        #expect(properties[1].items?.key == ["s_id"] && properties[1].items?.order == "pos")
        #expect(
            properties[1].items?.values.map(\.names.database) == ["tag"]
                && properties[1].items?.values[0].maxLength == 9
        )
        #expect(properties[3].items?.isComplex == true)
        #expect(properties[3].items?.values.map(\.storage) == [.native, .unixSeconds])
        #expect(try Domain(yaml: domain.yaml) == domain)
        for wrong in [
            yaml.replacing("key: [s_id], value: tag", with: "key: [a, b], value: tag"),
            yaml.replacing("order: line, ", with: ""),
            yaml.replacing("name: Digits, column", with: "name: Nope, column"),
            yaml.replacing("collection: Int32,", with: "collection: Binary,"),
        ] {
            #expect(throws: DomainError.self) { try Domain(yaml: wrong) }
        }
    }
}
