// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Rules of entity types, kept at every way of writing.
struct EntityRuleTests {
    static let rules = [
        ("Total", "Total ge 0", "An order costs something.", ["Total"]),
        ("Big", "Total lt 1000 or Client/Code ne null", "Only who has a code orders for 1000.", ["Total", "ClientId"]),
        ("Title", "Title eq null or length(Title) gt 1", "A title is a word.", []),
    ]

    static func rule(_ said: (String, String, String, [String])) -> EntityRule {
        let condition = (try? ExpressionParser.parse(said.1)) ?? .literal(.null)
        return EntityRule(name: said.0, condition: condition, message: said.2, properties: said.3)
    }

    static func shop(open: Bool = true, adding tables: String = "") throws -> Shop {
        try Shop(
            open: open,
            adding: tables,
            shaping: { sets in
                for place in sets.indices where sets[place].names.wire == "Orders" {
                    sets[place].type.rules = rules.map(rule)
                }
            }
        )
    }

    private func failure(_ reply: Shop.Reply) -> ODataError? { ErrorBody.read(Array(reply.text.utf8)) }

    @Test(
        .covers("DA-69"),
        arguments: [
            ("POST", "Orders", #"{"OrderId":50,"Total":-1}"#), ("PATCH", "Orders(10)", #"{"Total":-1}"#),
            ("PUT", "Orders(10)", #"{"Total":-1}"#), ("PUT", "Orders(10)/Total", #"{"value":-1}"#),
            ("PATCH", "Orders/$filter(Total%20ge%20200)/$each", #"{"Total":-1}"#),
            ("POST", "Clients", #"{"Name":"New","Orders":[{"OrderId":60,"Total":5},{"OrderId":61,"Total":-1}]}"#),
            ("PATCH", "Clients(1)", #"{"Orders@delta":[{"OrderId":10,"Total":-1}]}"#),
            ("POST", "Clients(1)/Orders", #"{"OrderId":62,"Total":-1}"#),
            (
                "PATCH", "Orders",
                ##"{"@context":"#$delta","value":[{"OrderId":20,"Total":5},{"OrderId":10,"Total":-1}]}"##
            ),
            ("PATCH", "Orders(77)", #"{"Total":-1}"#),
        ]
    )
    func `no way of writing leaves a row that breaks a rule`(method: String, path: String, body: String) throws {
        let shop = try Self.shop()
        let before = try shop.value("SELECT group_concat(OrderId || ':' || Total) FROM Orders")
        let reply = shop.send(try #require(HTTPRequest.Method(method)), path, body)
        let error = try #require(failure(reply))
        #expect(reply.status == 400)
        #expect(error.code == "BrokenRule" && error.target == "Total" && error.message == "An order costs something.")
        let detail = ODataError.Detail(code: "Total", message: "An order costs something.", target: "Total")
        #expect(Set(error.details) == [detail])
        #expect(try shop.value("SELECT group_concat(OrderId || ':' || Total) FROM Orders") == before)
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
    }

    @Test(.covers("DA-09"), arguments: [("POST", "Clients"), ("PATCH", "Clients(1)"), ("PUT", "Clients(1)")])
    func `null for what is required is refused with the field's name, whatever the client let pass`(
        method: String,
        path: String
    ) throws {
        let shop = try Self.shop()
        let verb = try #require(HTTPRequest.Method(method))
        let error = try #require(failure(shop.send(verb, path, #"{"Name":null,"Code":"Z"}"#)))
        #expect(error.target == "Name")
        #expect(error.code == "InvalidValue" && error.message.contains("required"))
        #expect(try shop.value("SELECT group_concat(Name) FROM Clients") == "Ann,Ben,Cid")
    }

    @Test func `rules look at what the row refers to, and a changed link counts`() throws {
        let shop = try Self.shop()
        #expect(shop.send(.patch, "Orders(10)", #"{"Total":1000}"#).status == 204)
        let moved = shop.send(.put, "Orders(10)/Client/$ref", #"{"@id":"Clients(3)"}"#)
        #expect(moved.status == 400 && failure(moved)?.details.map(\.code) == ["Big"])
        #expect(shop.send(.patch, "Orders(10)", #"{"Client":{"@id":"Clients(3)"}}"#).status == 400)
        #expect(shop.send(.put, "Orders(10)/Client/$ref", #"{"@id":"Clients(2)"}"#).status == 204)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == "2")
    }

    @Test func `all rules that a request breaks are told at once, with rows in their order`() throws {
        let shop = try Self.shop()
        let body = #"{"Name":"New","Orders":[{"OrderId":60,"Total":1000,"Title":"x"},{"OrderId":61,"Total":-1}]}"#
        let error = try #require(failure(shop.send(.post, "Clients", body)))
        #expect(error.code == "BrokenRule" && error.target == "Total")
        #expect(
            error.details.map { "\($0.code) \($0.target ?? "-") \($0.message)" } == [
                "Big Total Only who has a code orders for 1000.", "Title - A title is a word.",
                "Total Total An order costs something.",
            ]
        )
    }

    @Test func `what counts is how a group ends`() throws {
        let shop = try Self.shop()
        func batch(_ second: String) -> Shop.Reply {
            let body = """
                {"requests":[
                 {"id":"1","method":"PATCH","url":"Orders(10)","atomicityGroup":"g","body":{"Total":5000,"ClientId":3}},
                 {"id":"2","method":"PATCH","url":"Clients(3)","atomicityGroup":"g","body":{"Code":\(second)}}]}
                """
            return shop.send(.post, "$batch", body)
        }
        #expect(batch("null").text.contains(#""code":"BrokenRule""#))
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 10") == "100")
        #expect(!batch(#""C""#).text.contains("BrokenRule"))
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 10") == "5000")
    }

    @Test func `with continue-on-error only the item that breaks a rule fails`() throws {
        let shop = try Self.shop()
        let body = ##"{"@context":"#$delta","value":[{"OrderId":10,"Total":-1},{"OrderId":20,"Total":7}]}"##
        let reply = shop.send(.patch, "Orders", body, ["Prefer": "continue-on-error"])
        #expect(reply.text.contains(#""code":"BrokenRule""#))
        #expect(try shop.value("SELECT group_concat(Total) FROM Orders WHERE OrderId < 25") == "100,7")
    }

    @Test func `rows that stand there are not looked at, reads and deletes ask nothing`() throws {
        let shop = try Self.shop(adding: "INSERT INTO Orders VALUES (90, 'old', -9, NULL);")
        #expect(shop.get("Orders(90)").status == 200)
        #expect(shop.send(.patch, "Orders(90)", #"{"Title":"older"}"#).status == 400)
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"fine"}"#).status == 204)
        #expect(shop.send(.delete, "Orders(90)").status == 204)
    }

    @Test func `rules look past policies, and are told to those alone who see what they look at`() throws {
        let shop = try Self.shop(open: false)
        #expect(shop.send(.patch, "Orders(10)", #"{"Total":-1}"#).status == 400)
        #expect(shop.get("$metadata").text.contains(#"Qualifier="Big""#))
        let only = Policy(role: "*", sets: ["Orders"], operations: Policy.Operation.allCases)
        let narrow = try Shop(
            policies: [only],
            shaping: { sets in
                for place in sets.indices where sets[place].names.wire == "Orders" {
                    sets[place].type.rules = Self.rules.map(Self.rule)
                }
            }
        )
        let metadata = narrow.get("$metadata").text
        #expect(metadata.contains(#"Qualifier="Total""#) && !metadata.contains(#"Qualifier="Big""#))
        #expect(narrow.send(.patch, "Orders(30)", #"{"Total":2000}"#).status == 400)
    }

    @Test(arguments: Stand.Kind.allCases)
    func `each store keeps them, with any and all too`(kind: Stand.Kind) throws {
        let stand = try Stand(
            kind,
            tables: """
                CREATE TABLE boxes (id INTEGER PRIMARY KEY NOT NULL, room INTEGER NOT NULL);
                CREATE TABLE things (id INTEGER PRIMARY KEY NOT NULL, size INTEGER, box INTEGER NOT NULL REFERENCES boxes(id));
                """
        ) { sets in
            for place in sets.indices where sets[place].type.navigationProperties.contains(where: \.isCollection) {
                let things = sets[place].type.navigationProperties[0].names.wire
                let room = sets[place].type.properties[1].names.wire
                let size = sets.first { $0.names.wire == sets[place].type.navigationProperties[0].targetSet }?
                    .type.properties[1].names.wire
                sets[place].type.rules = [
                    Self.rule(("Room", "\(things)/all(t:t/\(size ?? "") le \(room))", "A thing is too large.", []))
                ]
            }
        }
        let boxes = try #require(stand.domain.model.sets.first { !$0.type.rules.isEmpty })
        let types = boxes.type
        let (id, room) = (types.properties[0].names.wire, types.properties[1].names.wire)
        let things = types.navigationProperties[0].names.wire
        let thing = try #require(stand.domain.model[set: types.navigationProperties[0].targetSet]).type
        let (thingID, size) = (thing.properties[0].names.wire, thing.properties[1].names.wire)
        func body(_ large: Int) -> String {
            #"{"\#(id)":1,"\#(room)":5,"\#(things)":[{"\#(thingID)":1,"\#(size)":\#(large)},{"\#(thingID)":2,"\#(size)":1}]}"#
        }
        let refused = stand.send(.post, boxes.names.wire, body(6))
        #expect(refused.status == 400 && Shop.code(refused) == "BrokenRule")
        #expect(stand.get("\(boxes.names.wire)/$count").text == "0")
        #expect(stand.send(.post, boxes.names.wire, body(5)).status == 201)
    }
}
