// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// Alice has clients 1 (Ann) and 3 (Cid) with the orders 10 (100) and 30 (300); client 2 and order 20 are Bob's.
struct CrossjoinTests {
    private static func links(_ pairs: [(Int, Int)]) -> String {
        pairs.map { #"{"Clients@navigationLink":"Clients(\#($0))","Orders@navigationLink":"Orders(\#($1))"}"# }
            .joined(separator: ",")
    }

    @Test(.covers("OD-1.3.15"))
    func `a cross join has each entity with each, as links, behind the policies of both sets`() throws {
        let shop = try Shop()
        let all = shop.send(.get, "$crossjoin(Clients,Orders)")
        #expect(
            all.text
                == #"{"@context":"/odata/shop/$metadata#Collection(Edm.ComplexType)","value":["#
                + Self.links([(1, 10), (1, 30), (3, 10), (3, 30)]) + "]}"
        )
        let joined = shop.send(.get, "$crossjoin(Clients,Orders)?$filter=Clients/ClientId%20eq%20Orders/ClientId")
        #expect(joined.text.contains("[\(Self.links([(1, 10), (3, 30)]))]"))
        let bob = shop.send(.get, "$crossjoin(Clients,Orders)", as: Shop.bob)
        #expect(bob.text.contains("[\(Self.links([(2, 20)]))]"))
        let nobody = UserContext(id: .integer(1), name: "alice")
        #expect(shop.send(.get, "$crossjoin(Clients,Orders)", as: nobody).status == 404)
        // A path into a hidden row is null.
        let hidden = try Shop(policies: [
            Policy(role: "*", sets: ["Clients"], operations: [.read], where: "OwnerId eq @me"),
            Policy(role: "*", sets: ["Orders", "Notes"], operations: [.read]),
        ])
        let found = hidden.send(.get, "$crossjoin(Orders,Notes)?$filter=Orders/Client/Name%20eq%20'Ben'")
        #expect(found.text.hasSuffix("\"value\":[]}"))
    }

    @Test(.covers("OD-1.3.15")) func `its members are ordered, counted, paged and expanded`() throws {
        let shop = try Shop()
        let query = "$crossjoin(Clients,Orders)?$orderby=Orders/Total%20desc,Clients/Name&$skip=1&$top=3&$count=true"
        let first = shop.send(.get, query, "", ["Prefer": "maxpagesize=2"])
        #expect(first.text.contains(#""@count":4,"value":[\#(Self.links([(3, 30), (1, 10)]))],"@nextLink""#))
        let second = shop.send(.get, try #require(first.link("nextLink")), "", ["Prefer": "maxpagesize=2"])
        #expect(second.text.contains(#""@count":4,"value":[\#(Self.links([(3, 10)]))]}"#))
        #expect(second.link("nextLink") == nil)
        let far = try #require(first.link("nextLink")).replacing("$skip=1", with: "$skip=9223372036854775807")
        #expect(shop.send(.get, far, "", ["Prefer": "maxpagesize=2"]).status == 410)
        let other = try #require(first.link("nextLink")).replacing("Total%20desc", with: "Total")
        #expect(shop.send(.get, other, "", ["Prefer": "maxpagesize=2"]).status == 410)
        let expanded = shop.send(
            .get,
            "$crossjoin(Clients,Orders)?$filter=Clients/ClientId%20eq%20Orders/ClientId%20and%20Clients/ClientId%20eq%201"
                + "&$expand=Orders($select=Title;$expand=Client($select=Name))"
        )
        #expect(
            expanded.text.withoutETags.contains(
                ##"[{"Clients@navigationLink":"Clients(1)","Orders":{"@etag":"W/\"\"","OrderId":10,"Title":"ten","Client":{"@etag":"W/\"\"","ClientId":1,"Name":"Ann"}}}]"##
            )
        )
        let selected = shop.send(.get, "$crossjoin(Clients,Orders)?$select=Clients&$top=1")
        #expect(selected.text.contains(#"[{"Clients@navigationLink":"Clients(1)"}]"#))
        let old = shop.send(.get, "$crossjoin(Clients,Orders)?$top=1", "", ["OData-MaxVersion": "4.0"])
        #expect(old.text.contains(#""Clients@odata.navigationLink":"Clients(1)""#))
    }

    @Test func `its pages end by their bytes`() throws {
        let shop = try Shop(limits: ServiceLimits(pageBytes: 1_024))
        try shop.sql("UPDATE Orders SET Title = hex(zeroblob(300))")
        var path: String? = "$crossjoin(Clients,Orders)?$expand=Orders"
        var sizes: [Int] = []
        while let link = path {
            let reply = shop.send(.get, link)
            #expect(reply.status == 200, "\(reply.text)")
            sizes.append(reply.text.split(separator: "Clients@navigationLink").count - 1)
            path = reply.link("nextLink")
        }
        // Four combinations of more than 600 bytes: two fill a page.
        #expect(sizes == [2, 2])
    }

    @Test func `where there are no pages, more than one page is refused`() throws {
        let body = #"{"requests":[{"id":"1","method":"GET","url":"$crossjoin(Clients,Orders)"}]}"#
        // Four combinations: more than a page of three, and no more than one of four.
        let large = try Shop(limits: ServiceLimits(pageRows: 3))
        let reply = large.send(.post, "$batch", body, ["Isolation": "snapshot"])
        #expect(reply.status == 200 && !reply.text.contains(#""status":200"#), "\(reply.text)")
        #expect(!reply.text.contains("navigationLink"))
        #expect(large.send(.post, "$batch", body).text.contains("nextLink"))
        let small = try Shop(limits: ServiceLimits(pageRows: 4))
        let whole = small.send(.post, "$batch", body, ["Isolation": "snapshot"])
        #expect(whole.text.contains(Self.links([(1, 10), (1, 30), (3, 10), (3, 30)])), "\(whole.text)")
    }

    @Test func `it can be aggregated`() throws {
        let reply = try Shop().send(
            .get,
            "$crossjoin(Clients,Orders)?$apply=filter(Clients/ClientId%20eq%20Orders/ClientId)"
                + "/groupby((Clients/Name),aggregate(Orders/Total%20with%20sum%20as%20Sum))&$orderby=Sum%20desc"
        )
        #expect(
            reply.text.contains(
                #""value":[{"Clients":{"Name":"Cid"},"Sum@type":"Int64","Sum":300},{"Clients":{"Name":"Ann"},"Sum@type":"Int64","Sum":100}]"#
            )
        )
    }

    @Test(arguments: [
        ("$crossjoin(Clients,Clients)", 400), ("$crossjoin(Clients,Nix)", 404),
        ("$crossjoin(Clients,Orders)?$filter=Name%20eq%20'Ann'", 400),
        ("$crossjoin(Clients,Orders)?$filter=Clients/Nix%20eq%201", 400),
        ("$crossjoin(Clients,Orders)?$expand=Nix", 400), ("$crossjoin(Clients,Orders)?$search=x", 501),
        ("$crossjoin(Clients,Orders)?$select=Clients/Name", 501),
        ("$crossjoin(Clients,Orders)?$compute=1%20as%20x", 501),
    ])
    func `what it does not take is refused by name`(path: String, status: Int) throws {
        let shop = try Shop()
        #expect(shop.send(.get, path).status == status)
        #expect(shop.send(.post, "$crossjoin(Clients,Orders)", "{}").status == 405)
    }
}
