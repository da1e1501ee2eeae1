// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Bob's rows, asked for by Alice on every route: each answer is that for rows which do not exist.
struct LeakTests {
    /// A request of Alice about a row of Bob, and the same about a row that is not there.
    struct Probe: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var path: String
        var body = ""
        var headers: [String: String] = [:]
        var testDescription: String { "\(method.rawValue) \(path) \(body)" }

        /// The probe with the absent row in place of the hidden one.
        var absent: Probe {
            var probe = self
            for (hidden, absent) in [
                ("Clients(2)", "Clients(9)"), ("Orders(20)", "Orders(99)"), ("Notes('b')", "Notes('x')"),
                ("\"ClientId\":2", "\"ClientId\":9"), ("(2)", "(9)"), ("(20)", "(99)"),
                ("Clients/2", "Clients/9"), ("'B'", "'Z'"), ("\"OrderId\":20", "\"OrderId\":99"),
            ] {
                probe.path = probe.path.replacing(hidden, with: absent)
                probe.body = probe.body.replacing(hidden, with: absent)
            }
            return probe
        }
    }

    static let probes: [Probe] = [
        Probe(method: .get, path: "Clients(2)"),
        Probe(method: .get, path: "Clients(2)?$expand=Orders"),
        Probe(method: .get, path: "Clients(2)/Name"),
        Probe(method: .get, path: "Clients(2)/Name/$value"),
        Probe(method: .get, path: "Clients(2)/Orders"),
        Probe(method: .get, path: "Clients(2)/Orders/$count"),
        Probe(method: .get, path: "Clients(2)/Orders(20)"),
        Probe(method: .get, path: "Clients(1)/Orders(20)"),
        Probe(method: .get, path: "Orders(20)/Client"),
        Probe(method: .get, path: "Orders(20)/Client/Name"),
        Probe(method: .get, path: "Clients(2)", headers: ["If-None-Match": "*"]),
        Probe(method: .get, path: "Clients(2)", headers: ["If-Match": "*"]),
        Probe(method: .head, path: "Clients(2)"),
        Probe(method: .patch, path: "Clients(2)", body: #"{"Name":"x"}"#),
        Probe(method: .patch, path: "Clients(2)", body: #"{"Name":"x"}"#, headers: ["If-Match": "*"]),
        Probe(method: .patch, path: "Clients(2)", body: #"{"Name":"x"}"#, headers: ["If-None-Match": "*"]),
        Probe(method: .patch, path: "Clients(2)", body: #"{"Nothing":"x"}"#),
        Probe(method: .put, path: "Clients(2)", body: #"{"Name":"x"}"#),
        Probe(method: .put, path: "Clients(2)/Name", body: #"{"value":"x"}"#),
        Probe(method: .delete, path: "Clients(2)/Code"),
        Probe(method: .delete, path: "Clients(2)"),
        Probe(method: .delete, path: "Clients(2)", headers: ["If-Match": "*"]),
        Probe(method: .delete, path: "Orders(20)/Client/$ref"),
        Probe(method: .put, path: "Orders(10)/Client/$ref", body: #"{"@id":"Clients(2)"}"#),
        Probe(method: .post, path: "Clients(1)/Orders/$ref", body: #"{"@id":"Orders(20)"}"#),
        Probe(method: .post, path: "Clients(2)/Orders", body: #"{"OrderId":77}"#),
        Probe(method: .post, path: "Orders", body: #"{"OrderId":77,"Client@bind":"Clients(2)"}"#),
        Probe(method: .post, path: "Orders", body: #"{"OrderId":77,"ClientId":2}"#),
        Probe(method: .patch, path: "Orders(10)", body: #"{"ClientId":2}"#),
        Probe(method: .patch, path: "Orders(10)", body: #"{"Client@bind":"Clients(2)"}"#),
        Probe(method: .patch, path: "Orders(10)", body: #"{"Client@bind":"Orders(20)/Client"}"#),
        Probe(method: .get, path: "$entity?$id=Clients(2)"),
        Probe(method: .get, path: "Clients/2"),
        Probe(method: .get, path: "Clients/2/Orders/$count"),
        Probe(method: .get, path: "Clients(Code='B')"),
        Probe(method: .get, path: "Clients(Code='B')/Name/$value"),
        Probe(method: .get, path: "Clients(2)/$ref"),
        Probe(method: .get, path: "Clients(2)/Orders/$ref"),
        Probe(method: .get, path: "Orders(20)/Client/$ref"),
        Probe(method: .get, path: "Clients(2)/Orders/$filter(true)/$count"),
        Probe(method: .patch, path: "Clients(Code='B')", body: #"{"Name":"x"}"#),
        Probe(method: .delete, path: "Clients/2"),
        Probe(method: .put, path: "Clients(2)/Name/$value", body: "x", headers: ["Content-Type": "text/plain"]),
        Probe(method: .delete, path: "Clients(2)/Orders/$each"),
        Probe(method: .patch, path: "Clients(2)/Orders/$each", body: #"{"Title":"x"}"#),
        Probe(method: .put, path: "Clients(2)/Orders/$ref", body: #"{"value":[]}"#),
        Probe(method: .delete, path: "Clients(2)/Orders/$ref?$id=Orders(10)"),
        Probe(
            method: .patch,
            path: "Orders",
            body: #"{"value":[{"@removed":{"reason":"deleted"},"OrderId":20}]}"#
        ),
        Probe(method: .delete, path: "Notes('b')"),
        Probe(method: .get, path: "Notes('b')"),
        Probe(method: .patch, path: "Notes('b')", body: #"{"Text":"x"}"#, headers: ["If-Match": "*"]),
    ]

    @Test(arguments: probes)
    func `a hidden row is answered as an absent one`(probe: Probe) throws {
        let shop = try Shop()
        let before = try shop.value("SELECT group_concat(ClientId || Name || OwnerId || ifnull(Code, '')) FROM Clients")
        let hidden = shop.send(probe.method, probe.path, probe.body, probe.headers)
        let other = probe.absent
        #expect(other.path != probe.path || other.body != probe.body)
        let absent = shop.send(other.method, other.path, other.body, other.headers)
        #expect(hidden.status == absent.status)
        #expect(hidden.text == absent.text)
        #expect(hidden.fields == absent.fields || hidden.fields[.contentLength] == absent.fields[.contentLength])
        #expect(hidden.status >= 400)
        #expect(
            try shop.value("SELECT group_concat(ClientId || Name || OwnerId || ifnull(Code, '')) FROM Clients")
                == before
        )
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 10") == "1")
    }

    @Test(arguments: [
        "Clients", "Clients?$count=true", "Clients?$filter=ClientId%20eq%202", "Clients?$filter=OwnerId%20eq%202",
        "Clients?$filter=not(OwnerId%20eq%201)", "Clients?$orderby=Name%20desc&$top=9",
        "Orders?$filter=Client/Name%20eq%20'Ben'",
        "Orders?$filter=Client/OwnerId%20eq%202", "Orders?$expand=Client", "Clients?$expand=Orders",
        "Notes?$filter=Text%20eq%20'second'",
        "Clients?$skip=0&$top=100&$select=ClientId", "Notes?$orderby=OwnerId%20desc",
        "Clients?$filter=true%20or%20OwnerId%20eq%202", "$all", "Clients/$filter(OwnerId%20eq%202)", "Clients/$ref",
        "Clients?$compute=Name%20as%20N&$select=N", "Orders?$compute=Client/Name%20as%20N&$orderby=N",
        "Clients?$expand=Orders/$ref", "Clients?$expand=Orders/$count", "Clients?$expand=Orders($filter=true)",
        "Clients?$filter=Orders/any(o:o/Total%20eq%20200)", "Clients?$orderby=Orders/$count%20desc",
    ])
    func `no list shows a hidden row`(path: String) throws {
        let shop = try Shop()
        let reply = shop.get(path)
        #expect(reply.status == 200)
        for text in ["Ben", "\"ClientId\":2,", "twenty", "second", "\"@count\":3"] {
            #expect(!reply.text.contains(text))
        }
    }

    @Test
    func `a filter looks through a hidden row as through no row`() throws {
        // Carl may read all orders, but no client of Bob.
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Clients"], operations: [.read], where: "OwnerId eq @me"),
            Policy(role: "*", sets: ["Orders"], operations: [.read]),
        ])
        #expect(shop.get("Orders/$count").text == "4")
        #expect(shop.get("Orders/$count?$filter=Client/Name%20eq%20'Ben'").text == "0")
        #expect(shop.get("Orders/$count?$filter=Client/Name%20eq%20null").text == "2")
        #expect(shop.get("Orders/$count?$filter=startswith(Client/Name,'B')").text == "0")
        #expect(shop.get("Orders(20)/Client").status == 204)
        #expect(shop.get("Orders(20)?$expand=Client").text.contains(#""Client":null"#))
        let ordered = shop.get("Orders?$orderby=Client/Name&$select=OrderId&$top=2")
        #expect(ordered.text.contains("\"OrderId\":20") && ordered.text.contains("\"OrderId\":40"))
    }

    @Test(arguments: [
        ("Clients", "Orders/any()", 2), ("Clients", "Orders/any(o:o/OrderId eq 20)", 0),
        ("Clients", "Orders/all(o:o/OrderId ne 20)", 3), ("Clients", "Orders/$count eq 0", 1),
        ("Clients", "Orders/$count($filter=OrderId ge 20) eq 1", 1),
        ("Orders", "Client/Orders/any(x:x/OrderId eq 20)", 0), ("Orders", "Client/Orders/$count eq 1", 2),
        ("Clients", "Orders/any(o:o/Client/Orders/any(p:p/OrderId eq 20))", 0),
        ("Clients", "case(Orders/any(o:o/OrderId eq 20):true,true:false)", 0),
    ])
    func `lambdas and counts pass over hidden rows, however deep`(set: String, filter: String, count: Int) throws {
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Clients"], operations: [.read]),
            Policy(role: "*", sets: ["Orders"], operations: [.read], where: "OrderId ne 20"),
        ])
        #expect(shop.get("\(set)/$count?$filter=\(filter.replacing(" ", with: "%20"))").text == "\(count)")
    }

    @Test
    func `aggregation is over visible rows alone`() throws {
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Clients"], operations: [.read]),
            Policy(role: "*", sets: ["Orders"], operations: [.read], where: "OrderId ne 20"),
        ])
        #expect(shop.get("Orders?$apply=aggregate($count%20as%20Rows)").text.contains("\"Rows\":3"))
        #expect(shop.get("Clients?$apply=aggregate(Orders/$count%20as%20Rows)").text.contains("\"Rows\":2"))
    }

    @Test
    func `a taken key or unique value names no row`() throws {
        let shop = try Shop()
        let hidden = shop.send(.post, "Notes", #"{"NoteId":"b","OwnerId":1}"#)
        let own = shop.send(.post, "Notes", #"{"NoteId":"a","OwnerId":1}"#)
        #expect(hidden.status == 409 && hidden.text == own.text)
        let upsert = shop.send(.patch, "Notes('b')", #"{"OwnerId":1}"#)
        #expect(upsert.status == 409 && upsert.text == own.text)
        let unique = shop.send(.post, "Notes", #"{"NoteId":"z","OwnerId":1,"Slug":"s2"}"#)
        let ownUnique = shop.send(.post, "Notes", #"{"NoteId":"z","OwnerId":1,"Slug":"s1"}"#)
        #expect(unique.status == 409 && unique.text == ownUnique.text)
        #expect(!unique.text.contains("'b'") && !unique.text.contains("second"))
    }

    static let pages = Policy(
        role: "*",
        sets: ["Pages"],
        operations: Policy.Operation.allCases,
        where: "OwnerId eq @me"
    )

    @Test
    func `whoever asks for rows in the name of others learns nothing of theirs`() throws {
        let tables = """
            CREATE TABLE Pages (OwnerId INTEGER NOT NULL, Name TEXT NOT NULL, Slug TEXT, PRIMARY KEY (OwnerId, Name),
                UNIQUE (OwnerId, Slug));
            INSERT INTO Pages VALUES (2, 'secret', 'hidden'), (1, 'mine', 'seen');
            """
        let shop = try Shop(policies: Shop.policies + [Self.pages], adding: tables)
        func same(_ method: HTTPRequest.Method, _ path: String, _ hidden: String, _ absent: String) {
            let reply = shop.send(method, path, hidden)
            let other = shop.send(method, path, absent)
            #expect(reply.status == 403 && Shop.code(reply) == "PolicyViolation", "\(reply.text)")
            #expect(reply == other)
        }
        same(.post, "Pages", #"{"OwnerId":2,"Name":"secret"}"#, #"{"OwnerId":2,"Name":"none"}"#)
        same(.post, "Pages", #"{"OwnerId":2,"Name":"x","Slug":"hidden"}"#, #"{"OwnerId":2,"Name":"x","Slug":"none"}"#)
        let upsert = shop.send(.put, "Pages(OwnerId=2,Name='secret')", "{}")
        #expect(upsert == shop.send(.put, "Pages(OwnerId=2,Name='none')", "{}"))
        // Among one's own rows the reason is told.
        let own = shop.send(.post, "Pages", #"{"OwnerId":1,"Name":"mine"}"#)
        #expect(own.status == 409 && Shop.code(own) == "DuplicateKey")
        let slug = shop.send(.post, "Pages", #"{"OwnerId":1,"Name":"other","Slug":"seen"}"#)
        #expect(slug.status == 409 && Shop.code(slug) == "DuplicateValue")
    }

    @Test
    func `whoever moves a row to others learns nothing of theirs`() throws {
        let tables = """
            CREATE TABLE Pages (PageId INTEGER NOT NULL PRIMARY KEY, OwnerId INTEGER NOT NULL, Slug TEXT,
                UNIQUE (OwnerId, Slug));
            INSERT INTO Pages VALUES (1, 1, 'seen'), (2, 2, 'hidden');
            """
        let shop = try Shop(policies: Shop.policies + [Self.pages], adding: tables)
        let taken = shop.send(.patch, "Pages(1)", #"{"OwnerId":2,"Slug":"hidden"}"#)
        #expect(taken.status == 403 && taken == shop.send(.patch, "Pages(1)", #"{"OwnerId":2,"Slug":"none"}"#))
        #expect(try shop.value("SELECT OwnerId FROM Pages WHERE PageId = 1") == "1")
    }

    @Test
    func `a change must leave the row where the policy allows it`() throws {
        let shop = try Shop()
        let away = shop.send(.patch, "Clients(1)", #"{"OwnerId":2}"#)
        #expect(away.status == 403 && Shop.code(away) == "PolicyViolation")
        let stolen = shop.send(.post, "Clients", #"{"Name":"x","OwnerId":2}"#)
        #expect(stolen.status == 403)
        let bound = shop.send(.patch, "Orders(10)", #"{"ClientId":null}"#)
        #expect(bound.status == 403)
        #expect(try shop.value("SELECT count(*) FROM Clients WHERE OwnerId = 1") == "2")
    }

    @Test
    func `what no policy allows is refused`() throws {
        let shop = try Shop(policies: [Policy(role: "*", sets: ["Clients"], operations: [.read])])
        // It may do nothing with orders: for it there are none, see HiddenSetTests.
        #expect(shop.get("Orders").status == 404)
        #expect(shop.get("Orders(10)").status == 404)
        #expect(shop.get("Orders(10)").text == shop.get("Orders(99)").text)
        #expect(shop.get("Clients?$expand=Orders").status == 400)
        #expect(!shop.get("Clients?$expand=*").text.contains("Orders"))
        #expect(shop.send(.post, "Clients", #"{"Name":"x"}"#).status == 403)
        #expect(shop.send(.patch, "Clients(1)", #"{"Name":"x"}"#).status == 403)
        #expect(shop.send(.delete, "Clients(1)").status == 403)
    }

    @Test
    func `policies of several roles add up`() throws {
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Clients"], operations: [.read], where: "OwnerId eq @me"),
            Policy(role: "north", sets: ["Clients"], operations: [.read], where: "Code eq 'B'"),
            Policy(role: "boss", sets: nil, operations: [.read]),
        ])
        func count(_ roles: [String]) -> String {
            shop.get("Clients/$count", as: UserContext(id: .integer(1), name: "alice", roles: roles)).text
        }
        #expect(count([]) == "2" && count(["north"]) == "3" && count(["boss"]) == "3" && count(["other"]) == "2")
    }
}
