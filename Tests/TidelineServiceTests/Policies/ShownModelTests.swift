// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Each user is told of the sets that its roles may use, and of no others.
struct ShownModelTests {
    static let guest = UserContext(id: .integer(1), name: "carl", roles: [])
    static let documents = [
        "$metadata", "$metadata?$format=json", "openapi.json", "v2/$metadata", "", "v2/",
        "Clients?$format=application/json;metadata=full",
    ]

    @Test(arguments: documents)
    func `a set without rights does not exist`(path: String) throws {
        let shop = try Shop()
        // Alice is a buyer, and orders are for buyers; Carl is nobody of that kind.
        let shown = shop.get(path, as: Shop.alice)
        #expect(shown.status == 200 && shown.text.contains("Orders"), "\(shown.text)")
        let hidden = shop.get(path, as: Self.guest)
        #expect(hidden.status == 200)
        #expect(path.hasPrefix("Clients") || hidden.text.contains("Clients"))
        #expect(!hidden.text.contains("Order"), "\(hidden.text)")
    }

    @Test
    func `a set that may only be written to is told of`() throws {
        let shop = try Shop(policies: [Policy(role: "*", sets: ["Notes"], operations: [.insert])])
        let text = shop.get("$metadata").text
        #expect(text.contains("EntitySet Name=\"Notes\"") && !text.contains("Clients"))
        #expect(!shop.get("").text.contains("Notes"))
    }

    @Test
    func `a domain may tell everybody all`() throws {
        let shop = try Shop()
        var domain = shop.domain
        domain.tellsWholeModel = true
        let service = try ODataService(domain: domain, store: shop.store, signingKey: Array(repeating: 7, count: 32))
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/odata/shop/$metadata")
        let reply = service.respond(to: request, user: Self.guest)
        #expect(String(decoding: try reply.body.all(), as: UTF8.self).contains("Orders"))
        #expect(domain.yaml.contains("fullMetadata: true"))
        #expect(try Domain(yaml: domain.yaml).tellsWholeModel)
        #expect(!shop.domain.yaml.contains("fullMetadata"))
    }

    @Test
    func `versions are those of what is shown`() throws {
        let shop = try Shop()
        let alice = shop.get("$metadata")
        let carl = shop.get("$metadata", as: Self.guest)
        let etag = try #require(alice.fields[.eTag])
        #expect(etag != carl.fields[.eTag])
        #expect(alice.fields[.vary]?.contains("Authorization") == true)
        #expect(shop.get("$metadata", ["If-None-Match": etag]).status == 304)
        #expect(shop.get("$metadata", ["If-None-Match": etag], as: Self.guest).status == 200)
        // Another user with the same rights has the same document.
        #expect(shop.get("$metadata", ["If-None-Match": etag], as: Shop.bob).status == 304)
        let document = shop.get("openapi.json")
        let version = try #require(document.fields[.eTag])
        #expect(shop.get("openapi.json", ["If-None-Match": version]).status == 304)
        #expect(shop.get("openapi.json", ["If-None-Match": version], as: Self.guest).status == 200)
    }

    @Test
    func `what is left of the model is whole in itself`() throws {
        let model = Gallery.model.showing(["Parts", "Labels"])
        // Parts are in items alone: without these nobody can reach them.
        #expect(model.sets.map(\.names.wire) == ["Labels"])
        #expect(model.sets[0].type.navigationProperties.isEmpty)
        #expect(model.enumerations.isEmpty && model.complexTypes.isEmpty && model.singletons.isEmpty)
        let items = Gallery.model.showing(["Items", "Labels"])
        let names = items[set: "Items"]?.type.navigationProperties.map(\.names.wire) ?? []
        #expect(names.contains("Parent") && names.contains("Children"))
        // The links are in a table of their own, which is not shown.
        #expect(!names.contains("Labels") && !names.contains("Parts"))
        #expect(items.enumerations.map(\.names.wire) == ["Color"])
        #expect(try CSDLXML.read(CSDLXML.write(items)).sets.map(\.names.wire) == items.sets.map(\.names.wire))
    }
}
