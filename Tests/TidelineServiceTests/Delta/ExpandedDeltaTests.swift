// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Deltas of queries that expand, of a derived type and of what a navigation property leads to.
struct ExpandedDeltaTests {
    private func track(_ shop: Shop, _ path: String, as user: UserContext = Shop.alice) throws -> String {
        let reply = shop.get(path, ["Prefer": "track-changes"], as: user)
        #expect(reply.status == 200 && reply.fields[.preferenceApplied] == "track-changes", "\(reply.text)")
        return try #require(reply.link("deltaLink"))
    }

    /// What stands between `"value":` and the delta link.
    private func changes(_ shop: Shop, _ link: String, as user: UserContext = Shop.alice) -> String {
        let text = shop.get(link, as: user).text.withoutETags
        guard let start = text.firstRange(of: "\"value\":"), let end = text.firstRange(of: ",\"@deltaLink\"") else {
            return text
        }
        return String(text[start.upperBound..<end.lowerBound])
    }

    private static func link(_ text: String) -> String? {
        guard let start = text.firstRange(of: "\"@deltaLink\":\"")?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != "\"" })
    }

    private static let ten = #"{"@etag":"W/\"\"","OrderId":10,"Title":"ten","Total":100,"ClientId":1}"#

    @Test(.covers("OD-1.3.14"))
    func `a change of a related entity brings its owner with all that it has`() throws {
        let shop = try Shop()
        let link = try track(shop, "Clients?$expand=Orders")
        #expect(changes(shop, link) == "[]")
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 110, 1)")
        #expect(
            changes(shop, link)
                == #"[{"@etag":"W/\"\"","ClientId":1,"Name":"Ann","OwnerId":1,"Code":"A","Orders":["# + Self.ten
                + #",{"@etag":"W/\"\"","OrderId":11,"Title":"eleven","Total":110,"ClientId":1}]}]"#
        )
        let next = try #require(shop.get(link).link("deltaLink"))
        try shop.sql("DELETE FROM Orders WHERE OrderId = 11")
        #expect(
            changes(shop, next)
                == #"[{"@etag":"W/\"\"","ClientId":1,"Name":"Ann","OwnerId":1,"Code":"A","Orders":["# + Self.ten + "]}]"
        )
        // Both together come to nothing.
        #expect(changes(shop, link) == "[]")
    }

    @Test
    func `a related entity that changes hands changes both owners`() throws {
        let shop = try Shop()
        let link = try track(shop, "Clients?$expand=Orders($select=OrderId)&$select=ClientId")
        try shop.sql("UPDATE Orders SET ClientId = 3 WHERE OrderId = 10")
        #expect(
            changes(shop, link)
                == #"[{"@etag":"W/\"\"","ClientId":1,"Orders":[]},{"@etag":"W/\"\"","ClientId":3,"Orders":["#
                + #"{"@etag":"W/\"\"","OrderId":10},{"@etag":"W/\"\"","OrderId":30}]}]"#
        )
        // To a client of Bob: for Alice it is gone.
        let next = try #require(shop.get(link).link("deltaLink"))
        try shop.sql("UPDATE Orders SET ClientId = 2 WHERE OrderId = 10")
        #expect(
            changes(shop, next) == #"[{"@etag":"W/\"\"","ClientId":3,"Orders":[{"@etag":"W/\"\"","OrderId":30}]}]"#
        )
    }

    @Test
    func `a change of the one entity that many lead to brings them all`() throws {
        let shop = try Shop()
        try shop.sql("INSERT INTO Orders VALUES (12, 'twelve', 1, 1)")
        let link = try track(shop, "Orders?$select=OrderId&$expand=Client($select=Name)")
        try shop.sql("UPDATE Clients SET Name = 'Anna' WHERE ClientId = 1")
        let client = #""Client":{"@etag":"W/\"\"","ClientId":1,"Name":"Anna"}}"#
        #expect(
            changes(shop, link)
                == #"[{"@etag":"W/\"\"","OrderId":10,"# + client + #",{"@etag":"W/\"\"","OrderId":12,"# + client + "]"
        )
    }

    @Test
    func `what is hidden is not felt, not even by a row that comes again`() throws {
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Clients"], operations: [.read]),
            Policy(role: "*", sets: ["Orders"], operations: [.read], where: "Total lt 150"),
        ])
        let link = try track(shop, "Clients?$expand=Orders")
        try shop.sql("UPDATE Orders SET Title = 'still hidden' WHERE OrderId = 20")
        try shop.sql("INSERT INTO Orders VALUES (21, 'hidden too', 999, 2)")
        #expect(changes(shop, link) == "[]")
        try shop.sql("UPDATE Orders SET Total = 7 WHERE OrderId = 20")
        let shown = changes(shop, link)
        #expect(shown.contains("\"OrderId\":20") && !shown.contains("\"OrderId\":21"))
    }

    @Test(.covers("OD-1.3.14", "OD-1.7.12"))
    func `for 4 point 0 entities and links stand side by side`() throws {
        let shop = try Shop()
        let version = ["OData-MaxVersion": "4.0"]
        let load = shop.get(
            "Clients?$select=Name&$expand=Orders($select=Title)",
            ["OData-MaxVersion": "4.0", "Prefer": "odata.track-changes"]
        )
        #expect(load.text.contains(#""Orders":["#) && load.fields[.preferenceApplied] == "odata.track-changes")
        let mark = try #require(load.text.firstRange(of: "\"@odata.deltaLink\":\""))
        let link = String(load.text[mark.upperBound...].prefix { $0 != "\"" })
        try shop.sql("UPDATE Orders SET ClientId = 3 WHERE OrderId = 10")
        let text = shop.get(link, version).text
        let items = [
            #"{"@odata.etag":"W/\"\"","ClientId":1,"Name":"Ann"}"#,
            ##"{"@odata.context":"#Clients/$deletedLink","source":"Clients(1)","relationship":"Orders","target":"Orders(10)"}"##,
            #"{"@odata.etag":"W/\"\"","ClientId":3,"Name":"Cid"}"#,
            ##"{"@odata.context":"#Orders/$entity","@odata.etag":"W/\"\"","OrderId":10,"Title":"ten"}"##,
            ##"{"@odata.context":"#Orders/$entity","@odata.etag":"W/\"\"","OrderId":30,"Title":"thirty"}"##,
            ##"{"@odata.context":"#Clients/$link","source":"Clients(3)","relationship":"Orders","target":"Orders(10)"}"##,
            ##"{"@odata.context":"#Clients/$link","source":"Clients(3)","relationship":"Orders","target":"Orders(30)"}"##,
        ]
        #expect(text.withoutETags.contains("\"value\":[\(items.joined(separator: ","))]"), "\(text)")
        // An entity that leads to another one than before, and one that leads to none.
        let orders = shop.get("Orders?$select=Title&$expand=Client($select=Name)&$deltatoken=latest", version).text
        let start = try #require(orders.firstRange(of: "\"@odata.deltaLink\":\""))
        try shop.sql("INSERT INTO Orders VALUES (31, 'both', 1, 3); UPDATE Orders SET ClientId = 1 WHERE OrderId = 30")
        let moved = shop.get(String(orders[start.upperBound...].prefix { $0 != "\"" }), version).text
        #expect(
            moved.contains(
                ##"{"@odata.context":"#Orders/$link","source":"Orders(30)","relationship":"Client","target":"Clients(1)"},"##
                    + ##"{"@odata.context":"#Orders/$deletedLink","source":"Orders(30)","relationship":"Client","target":"Clients(3)"}"##
            ),
            "\(moved)"
        )
        #expect(moved.contains(##""source":"Orders(31)","relationship":"Client","target":"Clients(3)"}"##))
    }

    @Test
    func `what a later page showed is told of, though the start knew nothing of it`() throws {
        let shop = try Shop()
        let first = shop.get("Clients?$expand=Orders", ["Prefer": "track-changes, maxpagesize=1"])
        try shop.sql("INSERT INTO Orders VALUES (35, 'for a moment', 1, 3)")
        let second = shop.get(try #require(first.link("nextLink")))
        #expect(second.text.contains("for a moment"))
        try shop.sql("DELETE FROM Orders WHERE OrderId = 35")
        let text = changes(shop, try #require(second.link("deltaLink")))
        #expect(text.contains(#""ClientId":3"#) && text.contains("thirty") && !text.contains("for a moment"))
    }

    @Test
    func `levels below levels are followed`() throws {
        let shop = try Shop()
        let link = try track(
            shop,
            "Orders?$select=OrderId&$expand=Client($select=ClientId;$expand=Orders($select=Title))"
        )
        try shop.sql("UPDATE Orders SET Title = 'X' WHERE OrderId = 30")
        #expect(
            changes(shop, link)
                == #"[{"@etag":"W/\"\"","OrderId":30,"Client":{"@etag":"W/\"\"","ClientId":3,"Orders":["#
                + #"{"@etag":"W/\"\"","OrderId":30,"Title":"X"}]}}]"#
        )
    }

    @Test
    func `what a navigation property leads to has a delta of its own`() throws {
        let shop = try Shop()
        let link = try track(shop, "Clients(1)/Orders")
        try shop.sql("UPDATE Orders SET ClientId = 1 WHERE OrderId = 30")
        try shop.sql("UPDATE Orders SET ClientId = 3 WHERE OrderId = 10")
        #expect(
            changes(shop, link)
                == #"[{"@etag":"W/\"\"","OrderId":30,"Title":"thirty","Total":300,"ClientId":1},"#
                + #"{"@removed":{"reason":"changed"},"@id":"Orders(10)","OrderId":10}]"#
        )
        #expect(shop.get(link.replacing("Clients(1)", with: "Clients(3)")).status == 410)
        // Where the way begins at a row that can be seen no more, nothing is left of what the client holds.
        try shop.sql("UPDATE Clients SET OwnerId = 2 WHERE ClientId = 1")
        #expect(shop.get(link).status == 410)
        #expect(shop.get("Clients(1)/Orders").status == 404)
    }

    @Test
    func `entities of a derived type have a delta of their own`() throws {
        let gallery = try Gallery()
        let reply = gallery.get("Items/Art.Bike?$select=Name", ["Prefer": "track-changes"])
        #expect(reply.fields[.preferenceApplied] == "track-changes")
        let link = try #require(Self.link(reply.text))
        #expect(gallery.send(.patch, "Items(3)", body: #"{"Name":"Twig"}"#).status < 300)
        #expect(gallery.send(.patch, "Items(2)", body: #"{"Name":"Trike"}"#).status < 300)
        let text = gallery.get(link).text.withoutETags
        #expect(text.contains(#""value":[{"#) && text.contains("Trike") && !text.contains("Twig"), "\(text)")
        #expect(gallery.send(.post, "Items/Art.Bike", body: #"{"Id":9,"Name":"Tandem"}"#).status == 201)
        let made = gallery.get(link).text
        #expect(made.contains("Tandem"))
        #expect(gallery.send(.delete, "Items(9)").status == 204)
        #expect(
            gallery.get(try #require(Self.link(made))).text
                .contains(#""value":[{"@removed":{"reason":"deleted"},"@id":"Items(9)","Id":9}]"#)
        )
    }

    @Test
    func `links over a table of their own change their owners`() throws {
        let gallery = try Gallery()
        let reply = gallery.get("Items?$select=Id&$expand=Labels($select=Text)", ["Prefer": "track-changes"])
        let link = try #require(Self.link(reply.text))
        let body = #"{"@id":"Labels(2)"}"#
        #expect(gallery.send(.post, "Items(1)/Labels/$ref", body: body).status == 204)
        let text = gallery.get(link).text.withoutETags
        #expect(
            text.contains(#""Id":1,"Labels":[{"@etag":"W/\"\"","Id":1,"Text":"red"},{"@etag":"W/\"\"","Id":2"#),
            "\(text)"
        )
        #expect(!text.contains(#""Id":2,"Labels""#))
        #expect(gallery.send(.patch, "Labels(1)", body: #"{"Text":"rosso"}"#).status < 300)
        let both = gallery.get(try #require(Self.link(gallery.get(link).text))).text
        #expect(!both.contains("rosso"))
        #expect(gallery.get(link).text.split(separator: "rosso").count == 3)
    }

    @Test(arguments: [
        ("Clients?$top=2", "$top"), ("Clients?$expand=Orders($top=1)", "$top"),
        ("Clients?$expand=Orders($filter=Client/Orders/any())", "many entities"),
        ("Orders?$compute=length(Client/Name)%20as%20L&$select=OrderId,L", "$compute"),
        ("Clients?$filter=Orders/any()", "many entities"),
    ])
    func `what would be looked for among all rows is refused, with the reason`(path: String, reason: String) throws {
        let shop = try Shop()
        let reply = shop.get(path, ["Prefer": "track-changes"])
        #expect(reply.status == 200 && reply.fields[.preferenceApplied] == nil && reply.link("deltaLink") == nil)
        let refusal = shop.get(path + "&$deltatoken=latest")
        #expect(refusal.status == 501 && refusal.text.contains(reason), "\(refusal.text)")
    }

    @Test(.covers("OD-1.3.14"))
    func `the metadata says what can be tracked`() throws {
        let shop = try Shop(open: true, adding: "CREATE VIEW Names AS SELECT Name FROM Clients;")
        let text = shop.get("$metadata?$format=json").text
        #expect(
            text.contains(
                #""@Capabilities.ChangeTracking":{"Supported":true,"FilterableProperties":["OrderId","Title","Total","ClientId"],"#
                    + #""ExpandableProperties":["Client"]}"#
            )
                || text.contains(
                    #""@Org.OData.Capabilities.V1.ChangeTracking":{"Supported":true,"FilterableProperties":["OrderId","Title","Total","ClientId"],"ExpandableProperties":["Client"]}"#
                ),
            "\(text)"
        )
    }
}
