// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// A shop whose clients have tags: a link table between them.
extension Shop {
    static func tagged() throws -> Shop {
        try Shop(
            open: true,
            adding: """
                CREATE TABLE Tags (TagId INT NOT NULL PRIMARY KEY, Label TEXT);
                CREATE TABLE ClientTags (ClientId INT NOT NULL REFERENCES Clients(ClientId),
                    TagId INT NOT NULL REFERENCES Tags(TagId), PRIMARY KEY (ClientId, TagId));
                INSERT INTO Tags VALUES (1, 'red'), (2, 'blue'), (3, 'green');
                INSERT INTO ClientTags VALUES (1, 1), (1, 2);
                """,
            shaping: Shop.tagClients
        )
    }
}

struct LinkTests {
    private func orders(_ shop: Shop, _ client: Int) throws -> String? {
        try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = \(client)")
    }

    @Test func `what has no value to be referred to by is refused, and not taken for done`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Parents (Id INT NOT NULL PRIMARY KEY, Code TEXT UNIQUE);
                CREATE TABLE Children (Id INT NOT NULL PRIMARY KEY, ParentCode TEXT REFERENCES Parents(Code));
                INSERT INTO Parents VALUES (1, 'a'), (2, NULL); INSERT INTO Children VALUES (1, 'a');
                """
        )
        let name = try #require(shop.domain.model[set: "Children"]?.type.navigationProperties.first?.names.wire)
        for reply in [
            shop.send(.post, "Children", "{\"Id\":2,\"\(name)@odata.bind\":\"Parents(2)\"}"),
            shop.send(.put, "Children(1)/\(name)/$ref", #"{"@id":"Parents(2)"}"#),
        ] {
            #expect(reply.status == 409 && Shop.code(reply) == "MissingReference", "\(reply.text)")
            #expect(reply.text.contains("goes by Code, which has no value there."))
        }
        #expect(try shop.value("SELECT group_concat(Id || ParentCode) FROM Children") == "1a")
        #expect(shop.send(.post, "Children", "{\"Id\":2,\"\(name)@odata.bind\":\"Parents(1)\"}").status == 201)
    }

    @Test(.covers("OD-1.1.21", "OD-1.1.25", "OD-1.4.19"))
    func `a related collection takes and gives up references`() throws {
        let shop = try Shop(open: true)
        #expect(shop.send(.post, "Clients(1)/Orders/$ref", #"{"@odata.id":"Orders(30)"}"#).status == 204)
        #expect(try orders(shop, 1) == "10,30")
        // What is related already stays so.
        #expect(shop.send(.post, "Clients(1)/Orders/$ref", #"{"@id":"/odata/shop/Orders(30)"}"#).status == 204)
        #expect(shop.send(.delete, "Clients(1)/Orders/$ref?$id=Orders(30)").status == 204)
        #expect(try orders(shop, 1) == "10")
        #expect(shop.send(.delete, "Clients(1)/Orders(10)/$ref").status == 204)
        #expect(try orders(shop, 1) == nil)
        #expect(shop.send(.delete, "Clients(1)/Orders(10)/$ref").status == 404)
        #expect(shop.send(.post, "Clients(1)/Orders/$ref", "{}").status == 400)
    }

    @Test
    func `references to hidden rows are references to nothing`() throws {
        let shop = try Shop()
        let hidden = shop.send(.post, "Clients(1)/Orders/$ref", #"{"@id":"Orders(20)"}"#)
        let absent = shop.send(.post, "Clients(1)/Orders/$ref", #"{"@id":"Orders(99)"}"#)
        #expect(hidden.status == 409 && hidden == absent)
        #expect(shop.send(.post, "Clients(2)/Orders/$ref", #"{"@id":"Orders(10)"}"#).status == 404)
        #expect(shop.send(.delete, "Clients(1)/Orders(20)/$ref").status == 404)
    }

    @Test func `a reference to an entity of another set is malformed, whether or not it is there`() throws {
        let shop = try Shop.tagged()
        let old = ["OData-Version": "4.0"]
        let toOne = "Client refers to an entity of Clients, and the reference names one of Tags."
        let toMany = "Orders refers to an entity of Orders, and the reference names one of Tags."
        let linked = "TagList refers to an entity of Tags, and the reference names one of Orders."
        for (reply, message) in [
            (shop.send(.post, "Orders", #"{"OrderId":50,"Client@odata.bind":"Tags(1)"}"#, old), toOne),
            (shop.send(.post, "Orders", #"{"OrderId":50,"Client":{"@id":"/odata/shop/Tags(9)"}}"#), toOne),
            (shop.send(.patch, "Orders(10)", #"{"Client":{"@id":"Tags(1)"}}"#), toOne),
            (shop.send(.put, "Orders(10)/Client/$ref", #"{"@id":"Tags(1)"}"#), toOne),
            (shop.send(.post, "Clients", #"{"Name":"E","Orders@odata.bind":["Tags(1)"]}"#, old), toMany),
            (shop.send(.post, "Clients", #"{"Name":"E","Orders":[{"@id":"Tags(1)"}]}"#), toMany),
            (shop.send(.post, "Clients(1)/Orders/$ref", #"{"@id":"Tags(9)"}"#), toMany),
            (shop.send(.post, "Clients(1)/TagList/$ref", #"{"@id":"Orders(10)"}"#), linked),
            (shop.send(.put, "Clients(1)/TagList/$ref", #"{"value":[{"@id":"Orders(10)"}]}"#), linked),
        ] {
            #expect(reply.status == 400 && Shop.code(reply) == "InvalidBody", "\(reply.text)")
            #expect(reply.text.contains(message), "\(reply.text)")
        }
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
        #expect(try shop.value("SELECT group_concat(OrderId || ':' || ClientId) FROM Orders") == "10:1,20:2,30:3")
        #expect(try shop.value("SELECT count(*) FROM ClientTags") == "2")
    }

    @Test(.covers("OD-1.1.22", "OD-1.1.25"))
    func `a single-valued reference is set and removed`() throws {
        let shop = try Shop(open: true)
        #expect(shop.send(.put, "Orders(10)/Client/$ref", #"{"@id":"Clients(3)"}"#).status == 204)
        #expect(try orders(shop, 3) == "10,30")
        #expect(shop.send(.delete, "Orders(10)/Client/$ref").status == 204)
        #expect(try orders(shop, 3) == "30")
        #expect(shop.send(.delete, "Orders(10)/Client/$ref?$id=Clients(3)").status == 400)
        #expect(shop.send(.put, "Orders(10)/Client/$ref", #"{"@id":"Clients(99)"}"#).status == 409)
    }

    @Test(.covers("OD-1.4.22"))
    func `all references of a collection are replaced or removed at once`() throws {
        let shop = try Shop(open: true)
        let body = #"{"value":[{"@id":"Orders(20)"},{"@odata.id":"Orders(40)"}]}"#
        #expect(shop.send(.put, "Clients(1)/Orders/$ref", body).status == 204)
        #expect(try orders(shop, 1) == "20,40")
        #expect(shop.send(.delete, "Clients(1)/Orders/$ref").status == 204)
        #expect(try orders(shop, 1) == nil)
        #expect(shop.send(.put, "Clients(1)/Orders/$ref", #"{"@id":"Orders(20)"}"#).status == 400)
    }

    @Test(.covers("OD-1.1.21", "OD-1.4.19", "OD-1.4.22"))
    func `many-to-many relations are rows of their link table`() throws {
        let shop = try Shop.tagged()
        func tags() throws -> String? {
            let ordered = "SELECT TagId FROM ClientTags WHERE ClientId = 1 ORDER BY 1"
            return try shop.value("SELECT group_concat(TagId) FROM (\(ordered))")
        }
        #expect(shop.send(.post, "Clients(1)/TagList/$ref", #"{"@id":"Tags(3)"}"#).status == 204)
        #expect(try tags() == "1,2,3")
        #expect(shop.send(.post, "Clients(1)/TagList/$ref", #"{"@id":"Tags(3)"}"#).status == 204)
        #expect(shop.send(.delete, "Clients(1)/TagList(1)/$ref").status == 204)
        #expect(shop.send(.delete, "Clients(1)/TagList/$ref?$id=Tags(2)").status == 204)
        #expect(try tags() == "3")
        #expect(shop.send(.post, "Clients(1)/TagList", #"{"TagId":9,"Label":"new"}"#).status == 201)
        #expect(try tags() == "3,9")
        let put = shop.send(.put, "Clients(1)/TagList/$ref", #"{"value":[{"@id":"Tags(1)"},{"@id":"Tags(9)"}]}"#)
        #expect(put.status == 204)
        #expect(try tags() == "1,9")
        let deep = shop.send(
            .post,
            "Clients",
            #"{"Name":"Dan","TagList":[{"@id":"Tags(1)"},{"TagId":10,"Label":"ten"}]}"#
        )
        #expect(deep.status == 201)
        #expect(try shop.value("SELECT group_concat(TagId) FROM ClientTags WHERE ClientId = 4") == "1,10")
        let delta =
            #"{"TagList@delta":[{"@removed":{"reason":"deleted"},"@id":"Tags(10)"},{"@id":"Tags(2)","Label":"b"}]}"#
        #expect(shop.send(.patch, "Clients(4)", delta).status == 204)
        #expect(try shop.value("SELECT group_concat(TagId) FROM ClientTags WHERE ClientId = 4") == "1,2")
        #expect(try shop.value("SELECT count(*) FROM Tags WHERE TagId = 10") == "0")
        // One that is not linked stays, and so do the links of others to it.
        let other = #"{"TagList@delta":[{"@removed":{"reason":"deleted"},"@id":"Tags(9)"}]}"#
        #expect(shop.send(.patch, "Clients(4)", other).status == 404)
        #expect(try tags() == "1,9")
    }
}
