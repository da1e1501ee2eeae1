// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

struct WriteTests {
    @Test
    func `a new entity is answered with its address, version and content`() throws {
        let shop = try Shop()
        let reply = shop.send(.post, "Clients", #"{"Name":"Dan","OwnerId":1}"#)
        #expect(reply.status == 201)
        #expect(reply.fields[.location] == "/odata/shop/Clients(4)")
        #expect(reply.fields[.eTag] == shop.etag("Clients(4)"))
        #expect(
            reply.text.withoutETags
                == #"{"@context":"/odata/shop/$metadata#Clients/$entity","@etag":"W/\"\"","ClientId":4,"Name":"Dan","OwnerId":1,"Code":null}"#
        )
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 4") == "Dan")
    }

    @Test
    func `a minimal answer says where the entity is`() throws {
        let shop = try Shop()
        let reply = shop.send(.post, "Notes", #"{"NoteId":"z","OwnerId":1}"#, ["Prefer": "return=minimal"])
        #expect(reply.status == 204 && reply.text.isEmpty)
        #expect(reply.fields[.location] == "/odata/shop/Notes('z')")
        #expect(reply.fields[.odataEntityId] == "/odata/shop/Notes('z')")
        #expect(reply.fields[.preferenceApplied] == "return=minimal")
    }

    @Test(.covers("DA-63"))
    func `a change needs the version that it was made on`() throws {
        let shop = try Shop()
        let etag = shop.etag("Clients(1)")
        let reply = shop.send(.patch, "Clients(1)", #"{"Name":"Anna"}"#, ["If-Match": etag])
        #expect(reply.status == 204)
        #expect(reply.fields[.eTag] == shop.etag("Clients(1)") && reply.fields[.eTag] != etag)
        let late = shop.send(.patch, "Clients(1)", #"{"Name":"Anne"}"#, ["If-Match": etag])
        #expect(late.status == 412 && Shop.code(late) == "PreconditionFailed")
        #expect(try shop.value("SELECT Name FROM Clients WHERE ClientId = 1") == "Anna")
        #expect(shop.send(.delete, "Clients(1)", "", ["If-Match": etag]).status == 412)
        #expect(shop.send(.delete, "Clients(1)", "", ["If-Match": "*"]).status == 204)
        #expect(try shop.value("SELECT count(*) FROM Orders WHERE ClientId = 1") == "0")
    }

    @Test
    func `a domain may insist on versions`() throws {
        let shop = try Shop(requiresIfMatch: true)
        let reply = shop.send(.patch, "Clients(1)", #"{"Name":"Anna"}"#)
        #expect(reply.status == 428 && Shop.code(reply) == "PreconditionRequired")
    }

    @Test
    func `a change of what is not there makes it, unless the request says otherwise`() throws {
        let shop = try Shop()
        #expect(shop.send(.patch, "Notes('new')", #"{"OwnerId":1,"Text":"t"}"#).status == 201)
        #expect(shop.send(.put, "Notes('new2')", #"{"OwnerId":1}"#, ["If-None-Match": "*"]).status == 201)
        #expect(shop.send(.put, "Notes('new2')", #"{"OwnerId":1}"#, ["If-None-Match": "*"]).status == 412)
        #expect(shop.send(.patch, "Notes('new3')", #"{"OwnerId":1}"#, ["If-Match": "*"]).status == 412)
        #expect(shop.send(.patch, "Clients(77)", #"{"Name":"x"}"#).status == 404)
        #expect(shop.send(.delete, "Notes('new3')").status == 404)
    }

    @Test
    func `PUT sets what it does not name to its default`() throws {
        let shop = try Shop()
        #expect(shop.send(.put, "Orders(10)", #"{"ClientId":1}"#).status == 204)
        #expect(try shop.value("SELECT Title || '' FROM Orders WHERE OrderId = 10") == nil)
        #expect(try shop.value("SELECT Total FROM Orders WHERE OrderId = 10") == "0")
        #expect(shop.send(.put, "Clients(1)", #"{"OwnerId":1}"#).status == 400)
    }

    @Test
    func `a related entity is made in its collection and bound by reference`() throws {
        let shop = try Shop()
        #expect(shop.send(.post, "Clients(1)/Orders", #"{"OrderId":50,"Title":"fifty"}"#).status == 201)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 50") == "1")
        #expect(shop.send(.post, "Orders", #"{"OrderId":51,"Client@bind":"Clients(3)"}"#).status == 201)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 51") == "3")
        #expect(shop.send(.put, "Orders(51)/Client/$ref", #"{"@id":"Clients(1)"}"#).status == 204)
        #expect(try shop.value("SELECT ClientId FROM Orders WHERE OrderId = 51") == "1")
        let gone = shop.send(.post, "Orders", #"{"OrderId":52,"Client@bind":"Clients(99)"}"#)
        #expect(gone.status == 409 && Shop.code(gone) == "MissingReference")
    }

    @Test
    func `one property is changed by itself`() throws {
        let shop = try Shop()
        #expect(shop.send(.put, "Clients(1)/Name", #"{"value":"Zoe"}"#).status == 204)
        #expect(shop.get("Clients(1)/Name/$value").text == "Zoe")
        #expect(shop.send(.delete, "Clients(1)/Code").status == 204)
        #expect(shop.get("Clients(1)/Code").status == 204)
        #expect(shop.send(.delete, "Clients(1)/Name").status == 400)
    }

    @Test(
        arguments: [
            (#"{"Name":"x""#, 400, "InvalidJSON"), ("", 400, nil), ("[]", 400, nil),
            (#"{"Name":5}"#, 400, "InvalidValue"),
            (#"{"Name":"x","Nothing":1}"#, 400, "UnknownProperty"), (#"{"OwnerId":1}"#, 400, "RequiredValue"),
            (#"{"Name":null,"OwnerId":1}"#, 400, "InvalidValue"),
            (#"{"Name":"x","OwnerId":1,"Code":"A"}"#, 409, "DuplicateValue"),
            (#"{"Name":"x","OwnerId":"1.5"}"#, 400, "InvalidValue"),
        ] as [(String, Int, String?)]
    )
    func `a bad body is refused and changes nothing`(body: String, status: Int, code: String?) throws {
        let shop = try Shop()
        let reply = shop.send(.post, "Clients", body)
        #expect(reply.status == status)
        if let code { #expect(Shop.code(reply) == code) }
        #expect(try shop.value("SELECT count(*) FROM Clients") == "3")
    }

    @Test
    func `a body that is too large is refused`() throws {
        let shop = try Shop(limits: ServiceLimits(bodyBytes: 1_024))
        let reply = shop.send(
            .post,
            "Clients",
            #"{"Name":""# + String(repeating: "x", count: 2_000) + #"","OwnerId":1}"#
        )
        #expect(reply.status == 413 && Shop.code(reply) == "TooLarge")
        #expect(shop.send(.post, "Clients", "<a/>", ["Content-Type": "text/xml"]).status == 415)
    }

    @Test
    func `what triggers do is in the answer`() throws {
        let shop = try Shop()
        try shop.sql(
            "CREATE TRIGGER shout AFTER INSERT ON Notes BEGIN UPDATE Notes SET Text = upper(new.Text) WHERE NoteId = new.NoteId; END"
        )
        let reply = shop.send(.post, "Notes?$select=Text", #"{"NoteId":"q","OwnerId":1,"Text":"quiet"}"#)
        #expect(reply.text.contains(#""Text":"QUIET""#))
        #expect(reply.fields[.eTag] == shop.etag("Notes('q')"))
    }
}
