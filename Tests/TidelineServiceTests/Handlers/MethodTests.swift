// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// What a method is answered with that a path does not take.
struct MethodTests {
    @Test(
        arguments: [
            (
                .get, "Reset", "POST, OPTIONS",
                "Reset is an action: it is called by POST, with its parameters in the body."
            ),
            (
                .get, "Orders(10)/Shop.Close", "POST, OPTIONS",
                "Shop.Close is an action: it is called by POST, with its parameters in the body."
            ),
            (
                .post, "Sum", "GET, HEAD, OPTIONS",
                "Sum is a function: it is called by GET, with its parameters in the address."
            ),
            (
                .delete, "Clients", "GET, HEAD, POST, PATCH, OPTIONS",
                "DELETE is not for the whole of Clients, which takes GET, POST and PATCH; one entity is Clients(key)."
            ),
            (
                .post, "Clients(1)", "GET, HEAD, PATCH, PUT, DELETE, OPTIONS",
                "POST adds to a collection, and this is one entity of Clients, which takes GET, PATCH, PUT and DELETE."
            ),
            (
                HTTPRequest.Method("MERGE") ?? .get, "Clients(1)", "GET, HEAD, PATCH, PUT, DELETE, OPTIONS",
                "MERGE is of OData 2.0, at v2/; here the method is PATCH."
            ),
            (
                .patch, "Clients(1)/Name", "GET, HEAD, PUT, DELETE, OPTIONS",
                "PATCH is not for the property Name, which takes GET, PUT and DELETE."
            ),
            (.post, "Clients/$count", "GET, HEAD, OPTIONS", "/$count takes GET."),
            (.put, "$metadata", "GET, HEAD, OPTIONS", "$metadata takes GET."),
            (.post, "", "GET, HEAD, OPTIONS", "The service root takes GET; an entity is made by POST to its set."),
            (
                .delete, "Clients/$filter(Name%20eq%20'Ann')", "GET, HEAD, OPTIONS",
                "A filtered collection takes GET; its entities are changed with /$each behind it."
            ),
            (
                .post, "Clients/$each", "GET, HEAD, PATCH, DELETE, OPTIONS",
                "/$each takes GET, PATCH and DELETE, for each entity of what stands before it."
            ),
            (.get, "$batch", "POST, OPTIONS", "$batch takes POST."),
        ] as [(HTTPRequest.Method, String, String, String)]
    )
    func `a method that a path does not take is told which it takes`(
        method: HTTPRequest.Method,
        path: String,
        allow: String,
        message: String
    ) throws {
        let shop = try Counter.shop()
        let reply = shop.send(method, path)
        #expect(reply.status == 405, "\(reply.text)")
        #expect(reply.fields[.allow] == allow)
        #expect(ErrorBody.read(Array(reply.text.utf8))?.message == message)
    }

    @Test(
        .covers("DA-04"),
        arguments: [
            (.delete, "Notes"), (.delete, "Notes('a')"), (.put, "Notes('a')"), (.patch, "Notes('a')"),
            (.put, "Notes('a')/Text"), (.post, "Notes"),
        ] as [(HTTPRequest.Method, String)]
    )
    func `a set that can only be read takes GET alone`(method: HTTPRequest.Method, path: String) throws {
        let shop = try Shop(
            open: true,
            shaping: { sets in
                for place in sets.indices where sets[place].names.wire == "Notes" { sets[place].isReadOnly = true }
            }
        )
        let reply = shop.send(method, path, "{}")
        #expect(reply.status == 405, "\(reply.text)")
        #expect(reply.fields[.allow] == "GET, HEAD, OPTIONS")
        #expect(ErrorBody.read(Array(reply.text.utf8))?.message == "Notes can only be read: it takes GET.")
        #expect(shop.get("Notes('a')/Text").status == 200)
    }

    @Test(
        arguments: [
            (.put, "Clients(1)/Orders", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"),
            (.post, "$RepeatableRequestWithRequestID/1", "DELETE"), (.put, "openapi.json", "GET, HEAD"),
        ] as [(HTTPRequest.Method, String, String)]
    )
    func `every refusal names what is allowed`(method: HTTPRequest.Method, path: String, allow: String) throws {
        let reply = try Shop(open: true).send(method, path, "{}")
        #expect(reply.status == 405, "\(reply.text)")
        #expect(reply.fields[.allow] == allow)
    }

    @Test(
        arguments: [
            ("clients", "Nothing is called clients here; there is Clients."),
            ("Client(1)", "Nothing is called Client here; there is Clients."),
            ("Clients()", "In the parentheses of Clients stands a key, as in Clients(1); all of it is Clients."),
            ("Nonsense", "Nothing is called Nonsense here."),
            ("Clients(1)/name", "Clients has no property name; it has Name."),
            ("Clients(1)/Order", "Clients has no property Order; it has Orders."),
            ("Clients(1)/$count", "/$count counts a collection, and what stands before it is none."),
            (
                "Clients/$value",
                "/$value is for a property, a stream or a media entity, and what stands before it is none."
            ),
            ("Clients(1)/Name/$ref", "/$ref is for entities, and what stands before it is none."),
            ("Clients(Id=1)", "The key property ClientId, an Edm.Int32, has no value: (Id=1) was given."),
        ]
    )
    func `a wrong turn is told with what is there`(path: String, message: String) throws {
        let reply = try Shop(open: true).get(path)
        #expect(ErrorBody.read(Array(reply.text.utf8))?.message == message)
    }

    @Test func `what is hidden is not offered`() throws {
        let policies = [Policy(role: "buyer", sets: ["Clients"], operations: Policy.Operation.allCases)]
        let reply = try Shop(policies: policies).get("notes")
        #expect(ErrorBody.read(Array(reply.text.utf8))?.message == "Nothing is called notes here.")
    }

    @Test func `a singleton takes PATCH and PUT`() throws {
        let depot = try Depot()
        #expect(depot.send(.options, "Best").fields[.allow] == "GET, HEAD, PATCH, PUT, OPTIONS")
        #expect(depot.send(.patch, "Best", ##"{"Name":"Bough"}"##).status == 204)
        #expect(depot.get("Best/Name").tree["value"]?.text == "Bough")
        #expect(depot.send(.post, "Best", ##"{"Name":"Bough"}"##).status == 405)
    }
}
