// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// A set that a user may do nothing with is answered as a name that does not exist, on every route.
struct HiddenSetTests {
    /// Carl is no buyer: he may use clients and notes, and nothing of orders.
    private static let carl = ShownModelTests.guest

    struct Probe: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var path: String
        var body = ""
        var testDescription: String { "\(method.rawValue) \(path) \(body)" }

        init(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") {
            self.method = method
            self.path = path.replacing(" ", with: "%20")
            self.body = body
        }
    }

    static let probes = [
        Probe(.get, "Orders"), Probe(.get, "Orders(10)"), Probe(.get, "Orders/10"), Probe(.get, "Orders/$count"),
        Probe(.head, "Orders"), Probe(.options, "Orders"), Probe(.get, "Orders/$ref"), Probe(.get, "Orders(10)/Total"),
        Probe(.get, "$crossjoin(Clients,Orders)"), Probe(.get, "$entity?$id=Orders(10)"),
        Probe(.get, "Orders?$deltatoken=latest"), Probe(.get, "Orders/$filter(true)"),
        Probe(.get, "Clients(1)/Orders"), Probe(.get, "Clients(1)/Orders/$count"),
        Probe(.get, "Clients(1)/Orders/$ref"),
        Probe(.get, "Clients(1)/Orders(10)"), Probe(.get, "Clients?$expand=Orders"),
        Probe(.get, "Clients?$expand=Orders/$count"), Probe(.get, "Clients?$expand=Orders($filter=Total gt 1)"),
        Probe(.get, "Clients?$select=Orders"), Probe(.get, "Clients?$filter=Orders/any()"),
        Probe(.get, "Clients?$filter=Orders/all(o:o/Total gt 1)"), Probe(.get, "Clients?$filter=Orders/$count gt 0"),
        Probe(.get, "Clients?$orderby=Orders/$count"), Probe(.get, "Clients?$compute=Orders/$count as N&$select=N"),
        Probe(.get, "Clients?$filter=$root/Orders(10)/Total gt 1"),
        Probe(.get, "Clients?$filter=$root/Orders/$count gt 1"),
        Probe(.get, "Clients?$apply=aggregate(Orders/$count as N)"),
        Probe(.get, "Clients?$apply=groupby((Orders/Title))"),
        Probe(.post, "Orders", "{"), Probe(.put, "Orders(10)", "{"), Probe(.patch, "Orders", "{"),
        Probe(.post, "Orders", #"{"OrderId":77}"#), Probe(.patch, "Orders(10)", #"{"Title":"x"}"#),
        Probe(.put, "Orders(10)", #"{"Title":"x"}"#), Probe(.delete, "Orders(10)"),
        Probe(.patch, "Orders", #"{"value":[{"OrderId":10,"Title":"x"}]}"#), Probe(.delete, "Orders/$each"),
        Probe(.post, "Clients(1)/Orders", #"{"OrderId":77}"#),
        Probe(.post, "Clients(1)/Orders/$ref", #"{"@id":"Orders(10)"}"#),
        Probe(.post, "Clients", #"{"Name":"x","OwnerId":1,"Orders":[{"OrderId":77}]}"#),
        Probe(.post, "Clients", #"{"Name":"x","OwnerId":1,"Orders@bind":["Orders(10)"]}"#),
        Probe(.get, "v2/Orders"), Probe(.get, "v2/Orders(10)"), Probe(.get, "v2/Clients?$expand=Orders"),
        Probe(.get, "v2/Clients(1)/Orders"), Probe(.post, "v2/Orders", #"{"OrderId":77}"#),
        Probe(
            .post,
            "$batch",
            #"{"requests":[{"id":"1","method":"GET","url":"Orders"},{"id":"2","method":"GET","url":"Clients(1)/Orders"}]}"#
        ),
    ]

    @Test(arguments: probes)
    func `a hidden set is answered as a name that does not exist`(probe: Probe) throws {
        let shop = try Shop()
        let hidden = shop.send(probe.method, probe.path, probe.body, as: Self.carl)
        let absent = shop.send(
            probe.method,
            probe.path.replacing("Orders", with: "Ordxrs"),
            probe.body.replacing("Orders", with: "Ordxrs"),
            as: Self.carl
        )
        #expect(hidden.status == absent.status, "\(hidden.text)")
        #expect(hidden.text.replacing("Orders", with: "Ordxrs") == absent.text)
        #expect(hidden.fields == absent.fields)
        #expect(!hidden.text.contains("\u{1}") && !hidden.text.contains("\\u0001"))
        if probe.method != .options, !probe.path.hasPrefix("$batch") { #expect(hidden.status >= 400) }
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE Title <> 'x'") == "4")
    }

    @Test func `who may use the set is answered as ever, before and after others ask`() throws {
        let shop = try Shop()
        #expect(shop.get("Orders/$count").text == "2")
        #expect(shop.get("Orders/$count", as: Self.carl).status == 404)
        #expect(shop.get("Clients?$expand=Orders").status == 200)
        #expect(shop.get("v2/Orders").status == 200)
    }

    @Test func `a row that rows of a hidden set refer to is not deleted, and the set is not told`() throws {
        let all = Policy.Operation.allCases
        let bills = """
            CREATE TABLE Bills (BillId INT NOT NULL PRIMARY KEY, Payer INTEGER NOT NULL REFERENCES Clients(ClientId));
            INSERT INTO Bills VALUES (7, 1);
            """
        let shop = try Shop(
            policies: [
                Policy(role: "*", sets: ["Clients"], operations: all),
                Policy(role: "buyer", sets: nil, operations: all),
            ],
            adding: bills
        )
        let hidden = shop.send(.delete, "Clients(1)", as: Self.carl)
        #expect(hidden.status == 409 && hidden.text.contains("MissingReference"), "\(hidden.text)")
        #expect(!hidden.text.contains("Bill") && !hidden.text.contains("Payer"), "\(hidden.text)")
        let told = shop.send(.delete, "Clients(1)", as: Shop.alice)
        #expect(told.status == 409 && told.text.contains("An entity of Bills refers to one"), "\(told.text)")
        #expect(told.text.contains(#""target":"Bills""#) && !told.text.contains("Payer"), "\(told.text)")
        let lost = shop.send(.post, "Bills", #"{"BillId":8,"Payer":77}"#, as: Shop.alice)
        #expect(lost.status == 409, "\(lost.text)")
        #expect(lost.text.contains("The value of Payer of Bills would refer to an entity"), "\(lost.text)")
    }

    @Test func `who may write to a set and not read it knows of it`() throws {
        let shop = try Shop(policies: [Policy(role: "*", sets: ["Notes"], operations: [.insert])])
        #expect(shop.get("Notes").status == 403)
        #expect(shop.send(.post, "Notes", #"{"NoteId":"n","OwnerId":1}"#).status == 204)
    }

    @Test func `who may not change a set is told so, whatever the body is`() throws {
        let shop = try Shop(policies: [Policy(role: "*", sets: ["Notes"], operations: [.read])])
        for body in ["{", #"{"NoteId":"n","OwnerId":1}"#, #"{"value":[{"NoteId":"n"}]}"#] {
            for (method, path) in [(HTTPRequest.Method.post, "Notes"), (.patch, "Notes")] {
                let reply = shop.send(method, path, body)
                #expect(reply.status == 403, "\(method) \(body): \(reply.text)")
            }
        }
    }

    @Test func `a policy looks through a set that its user may not know of`() throws {
        // Orders are shown by the owner of their client, and clients to nobody.
        let shop = try Shop(policies: [
            Policy(role: "*", sets: ["Orders"], operations: [.read, .update], where: "Client/OwnerId eq @me")
        ])
        #expect(shop.get("Orders/$count").text == "2")
        #expect(shop.get("Clients").status == 404)
        #expect(shop.get("Orders?$expand=Client").status == 400)
        let link = try #require(shop.get("Orders", ["Prefer": "track-changes"]).link("deltaLink"))
        #expect(shop.send(.patch, "Orders(10)", #"{"Title":"new"}"#).status < 300)
        try shop.sql("UPDATE Clients SET OwnerId = 2 WHERE ClientId = 3")
        let delta = shop.get(link)
        #expect(delta.text.contains("\"Title\":\"new\"") && delta.text.contains("Orders(30)"), "\(delta.text)")
        // The name in the scope of a link is the same in a new process.
        let service = try ODataService(
            domain: shop.domain,
            store: shop.store,
            signingKey: Array(repeating: 7, count: 32)
        )
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: link)
        #expect(service.respond(to: request, user: Shop.alice).head.status == .ok)
    }

    @Test func `a domain whose model is no secret says that it refuses`() throws {
        let shop = try Shop()
        var domain = shop.domain
        domain.tellsWholeModel = true
        let service = try ODataService(domain: domain, store: shop.store, signingKey: Array(repeating: 7, count: 32))
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/odata/shop/Orders")
        #expect(service.respond(to: request, user: Self.carl).head.status == .forbidden)
    }

    @Test func `a function that gives what its caller may not know of names no set`() throws {
        let shop = try Counter.shop(
            open: false,
            policies: [
                Policy(role: "*", sets: ["Clients"], operations: [.read]),
                Policy(role: "*", sets: [], operations: [], calls: ["*"]),
            ]
        )
        let reply = shop.get("Top(count=1)")
        #expect(reply.status == 403 && !reply.text.contains("Orders"), "\(reply.text)")
        #expect(!shop.get("Close").text.contains("Orders"))
    }
}
