// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

struct DeepWriteTests {
    @Test(.covers("OD-1.1.32", "OD-1.4.21"))
    func `entities inside an entity are made with it, and the answer is as deep`() throws {
        let shop = try Shop()
        let reply = shop.send(
            .post,
            "Clients",
            #"{"Name":"Dan","OwnerId":1,"Orders":[{"OrderId":50,"Title":"a"},{"OrderId":51}]}"#
        )
        #expect(reply.status == 201)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 4") == "50,51")
        #expect(reply.text.contains(#""Orders":[{"#))
        #expect(reply.text.contains(#""OrderId":50,"Title":"a""#))
        let up = shop.send(
            .post,
            "Orders",
            #"{"OrderId":60,"Client":{"Name":"Eve","OwnerId":1,"Orders":[{"OrderId":61}]}}"#
        )
        #expect(up.status == 201)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 5 ORDER BY 1") == "61,60")
        #expect(up.text.contains(#""Client":{"#))
        let minimal = shop.send(
            .post,
            "Clients",
            #"{"Name":"Fay","OwnerId":1,"Orders":[{"OrderId":70}]}"#,
            ["Prefer": "return=minimal"]
        )
        #expect(minimal.status == 204)
        #expect(minimal.fields[.odataEntityId]?.hasSuffix("Clients(6)") == true)
        #expect(minimal.fields[.location]?.hasSuffix("Clients(6)") == true)
        #expect(minimal.fields[.preferenceApplied] == "return=minimal")
    }

    @Test(.covers("OD-1.1.32"))
    func `a deep insert that fails anywhere makes nothing`() throws {
        let shop = try Shop()
        let taken = shop.send(
            .post,
            "Clients",
            #"{"Name":"Dan","OwnerId":1,"Orders":[{"OrderId":50},{"OrderId":10}]}"#
        )
        #expect(taken.status == 409)
        // Content for what exists belongs into an update.
        let existing = shop.send(
            .post,
            "Clients",
            #"{"Name":"Dan","OwnerId":1,"Orders":[{"@id":"Orders(10)","Title":"x"}]}"#
        )
        #expect(existing.status == 400)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
        #expect(try shop.value("SELECT count(*) FROM Orders") == "4")
        // Alice cannot make a client for Bob, deep inside either.
        let other = shop.send(.post, "Orders", #"{"OrderId":80,"Client":{"Name":"x","OwnerId":2}}"#)
        #expect(other.status == 403)
        let deep = String(repeating: #"{"Name":"x","OwnerId":1,"Orders":[{"OrderId":1,"Client":"#, count: 6)
        let tooDeep = shop.send(.post, "Clients", deep + "null" + String(repeating: "}]}", count: 6))
        #expect(tooDeep.status == 400)
    }

    @Test(.covers("OD-1.4.21"))
    func `references among new entities tie what is there`() throws {
        let shop = try Shop()
        let reply = shop.send(
            .post,
            "Clients",
            #"{"Name":"Dan","OwnerId":1,"Orders":[{"@id":"Orders(10)"},{"OrderId":50}]}"#
        )
        #expect(reply.status == 201)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 4") == "10,50")
        let bound = shop.send(
            .post,
            "Clients",
            #"{"Name":"Eve","OwnerId":1,"Orders@odata.bind":["Orders(10)"]}"#,
            ["OData-Version": "4.0"]
        )
        #expect(bound.status == 201)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == "5")
        // Bob's order is as good as absent.
        let hidden = shop.send(.post, "Clients", #"{"Name":"E","OwnerId":1,"Orders":[{"@id":"Orders(20)"}]}"#)
        let absent = shop.send(.post, "Clients", #"{"Name":"E","OwnerId":1,"Orders":[{"@id":"Orders(99)"}]}"#)
        #expect(hidden.status == 409 && hidden.text == absent.text)
    }

    @Test(.covers("OD-1.4.21"))
    func `a whole collection in a change says all that is related`() throws {
        let shop = try Shop(open: true)
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 1, 1), (12, 'twelve', 2, 1)")
        let reply = shop.send(
            .patch,
            "Clients(1)",
            #"{"Name":"New","Orders":[{"@id":"Orders(10)"},{"OrderId":11,"Title":"changed"},{"OrderId":13,"Title":"made"}]}"#
        )
        #expect(reply.status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 1") == "10,11,13")
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 11") == "changed")
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "ten")
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE OrderId = 12 AND ClientId IS NULL") == "1")
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 1") == "New")
    }

    @Test(.covers("OD-1.4.20"))
    func `PUT with nested content replaces the nested entities too`() throws {
        let shop = try Shop()
        let reply = shop.send(
            .put,
            "Clients(1)",
            #"{"Name":"New","OwnerId":1,"Orders":[{"OrderId":10,"Total":7}]}"#,
            ["Prefer": "return=representation"]
        )
        #expect(reply.status == 200)
        #expect(reply.text.contains(#""OrderId":10,"Title":null,"Total":7"#))
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE OrderId = 10 AND Title IS NULL") == "1")
    }

    @Test(.covers("OD-1.4.21"))
    func `a nested delta adds, changes, removes and deletes`() throws {
        let shop = try Shop(open: true)
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 1, 1), (12, 'twelve', 2, 1), (13, 'x', 3, 3)")
        let body = """
            {"Orders@delta":[{"@removed":{"reason":"deleted"},"@id":"Orders(11)"},
             {"@removed":{"reason":"changed"},"OrderId":12},{"@id":"Orders(13)"},
             {"@id":"Orders(10)","Title":"changed"},{"OrderId":14}]}
            """
        #expect(shop.send(.patch, "Clients(1)", body).status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 1") == "10,13,14")
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE OrderId = 11") == "0")
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "changed")
        #expect(shop.send(.put, "Clients(1)", #"{"Name":"x","OwnerId":1,"Orders@delta":[]}"#).status == 400)
        #expect(shop.send(.patch, "Clients(1)", #"{"Orders":[{"@removed":{},"@id":"Orders(10)"}]}"#).status == 400)
    }

    /// Source: OData Protocol 4.01, section 11.4.3.1: what is removed is removed from that collection.
    @Test(.covers("OD-1.4.21"), arguments: ["deleted", "changed"])
    func `a nested delta takes nothing that another entity has`(reason: String) throws {
        let shop = try Shop(open: true)
        try shop.sql("INSERT INTO Orders VALUES (11, 'eleven', 1, 1), (12, 'twelve', 2, 2)")
        let orders = "SELECT group_concat(OrderId || ':' || ClientId) FROM Orders WHERE OrderId IN (11, 12)"
        for name in [#""@id":"Orders(11)""#, #""OrderId":11"#] {
            let body = #"{"Orders@delta":[{"@removed":{"reason":"\#(reason)"},\#(name)}]}"#
            #expect(shop.send(.patch, "Clients(2)", body).status == 404)
            #expect(try shop.value(orders) == "11:1,12:2")
        }
    }

    @Test(.covers("OD-1.8.28", "OD-1.4.21"))
    func `the versions in nested entities count`() throws {
        let shop = try Shop()
        let etag = shop.etag("Orders(10)").split(separator: "\"")[1]
        let stale = #"{"Name":"x","Orders":[{"@id":"Orders(10)","@etag":"W/\"AAAAAAAAAAAAAAAAAAAAAA\"","Title":"y"}]}"#
        #expect(shop.send(.patch, "Clients(1)", stale).status == 412)
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 1") == "Ann")
        let fresh = #"{"Name":"x","Orders":[{"@id":"Orders(10)","@etag":"W/\"\#(etag)\"","Title":"y"}]}"#
        #expect(shop.send(.patch, "Clients(1)", fresh).status == 204)
        #expect(try shop.value("SELECT Title FROM Orders WHERE OrderId = 10") == "y")
    }

    @Test(.covers("OD-1.8.24"))
    func `a change in 4_0 binds and does not nest`() throws {
        let shop = try Shop()
        let nested = shop.send(.patch, "Clients(1)", #"{"Orders":[{"OrderId":50}]}"#, ["OData-Version": "4.0"])
        #expect(nested.status == 400)
        let added = shop.send(.patch, "Clients(1)", #"{"Orders@odata.bind":["Orders(30)"]}"#, ["OData-Version": "4.0"])
        #expect(added.status == 204)
        #expect(try shop.value("SELECT group_concat(OrderId) FROM Orders WHERE ClientId = 1") == "10,30")
    }

    @Test(.covers("OD-1.4.21"))
    func `the entity that a change refers to is changed or made along`() throws {
        let shop = try Shop()
        #expect(shop.send(.patch, "Orders(10)", #"{"Client":{"@id":"Clients(3)","Name":"Cy"}}"#).status == 204)
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 3") == "Cy")
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == "3")
        #expect(shop.send(.patch, "Orders(10)", #"{"Client":{"Name":"New","OwnerId":1}}"#).status == 204)
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 4") == "New")
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == "4")
        #expect(shop.send(.patch, "Orders(10)", #"{"Client":{"@id":"Clients(2)","Name":"Bob's"}}"#).status != 204)
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 2") == "Ben")
    }

    @Test(.covers("OD-1.4.27"))
    func `a change can be answered with chosen properties and related entities`() throws {
        let shop = try Shop()
        let chosen = shop.send(.patch, "Clients(1)?$select=Name&$expand=Orders", #"{"Name":"Z"}"#)
        #expect(chosen.status == 200)
        #expect(chosen.text.contains(#""Name":"Z""#) && chosen.text.contains(#""Orders":[{"#))
        #expect(!chosen.text.contains("OwnerId"))
        let minimal = shop.send(.patch, "Clients(1)?$select=Name", #"{"Name":"Y"}"#, ["Prefer": "return=minimal"])
        #expect(minimal.status == 204)
        #expect(minimal.fields[.preferenceApplied] == "return=minimal")
    }
}
