// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineOData
@testable import TidelineService

/// A key in a URL that is none of the set's: the answer names the property, its type, and what was given.
struct KeyFaultTests {
    @Test(
        arguments: [
            ("Clients(abc)", "The key property ClientId is an Edm.Int32, and (abc) was given. "),
            ("Clients('x')", "The key property ClientId is an Edm.Int32, and 'x' was given."),
            ("Clients(1.5)", "The key property ClientId is an Edm.Int32, and 1.5 was given."),
            ("Clients(null)", "The key property ClientId is an Edm.Int32, and (null) was given. "),
            ("Clients(1,2)", "The key property ClientId is an Edm.Int32, and (1,2) was given. "),
            ("Clients(1)x", "The key property ClientId is an Edm.Int32, and (1)x was given. "),
            ("Clients(Id=1)", "The key property ClientId, an Edm.Int32, has no value: (Id=1) was given."),
            ("Clients(ClientId=abc)", "The key property ClientId is an Edm.Int32, and (ClientId=abc) was given. "),
            ("Clients(ClientId=)", "The key property ClientId is an Edm.Int32, and (ClientId=) was given. "),
            ("Clients(Code=5)", "The key property Code is an Edm.String, and 5 was given."),
            ("Notes(abc)", "The key property NoteId is an Edm.String, and (abc) was given. "),
            ("Clients(1)/Orders(abc)", "The key property OrderId is an Edm.Int32, and (abc) was given. "),
            (
                "Clients(1)/Orders(OrderId=abc)",
                "The key property OrderId is an Edm.Int32, and (OrderId=abc) was given. "
            ),
            ("Clients(abc)/Orders", "The key property ClientId is an Edm.Int32, and (abc) was given. "),
        ]
    )
    func `a key that is none is answered 400 with what the key is and what was given`(
        path: String,
        beginning: String
    ) throws {
        let shop = try Shop(open: true)
        for reply in [shop.get(path), shop.send(.delete, path)] {
            #expect(reply.status == 400, "\(reply.text)")
            #expect(Shop.code(reply) == "InvalidKey")
            let message = try #require(ErrorBody.read(Array(reply.text.utf8))?.message)
            #expect(message.hasPrefix(beginning), "\(message)")
            // A sentence that goes on says something else than what was given.
            #expect(beginning.hasSuffix(" ") == (message.count > beginning.count), "\(message)")
        }
    }

    @Test func `a text without its quotes is told where they go`() throws {
        let reply = try Shop(open: true).get("Notes(abc)")
        #expect(
            ErrorBody.read(Array(reply.text.utf8))?.message
                == "The key property NoteId is an Edm.String, and (abc) was given. "
                + "This is no value of a key; a text stands in single quotes."
        )
    }

    @Test func `the key of a set that is hidden is not told`() throws {
        let policies = [Policy(role: "buyer", sets: ["Clients"], operations: Policy.Operation.allCases)]
        let shop = try Shop(policies: policies)
        for path in ["Notes(abc)", "Notes(NoteId=abc)"] {
            let reply = shop.get(path)
            #expect(reply.status == 400 || reply.status == 404)
            #expect(!reply.text.contains("Edm.String"), "\(reply.text)")
        }
        #expect(shop.get("Clients(abc)").text.contains("ClientId is an Edm.Int32"))
    }
}
