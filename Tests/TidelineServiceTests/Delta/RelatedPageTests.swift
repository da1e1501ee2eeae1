// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Deltas of which much is told though it did not change itself: they come in pages as others do.
struct RelatedPageTests {
    private func track(_ shop: Shop, _ path: String, version: String = "4.01") throws -> String {
        let prefix = version == "4.0" ? "odata." : ""
        let reply = shop.get(path, ["Prefer": "\(prefix)track-changes", "OData-MaxVersion": version])
        return try #require(reply.link("\(prefix)deltaLink"), "\(reply.text)")
    }

    /// The values of a member on each page of a delta, and its delta link.
    private func pages(
        _ shop: Shop,
        _ link: String,
        of member: String,
        size: Int? = nil,
        version: String = "4.01"
    ) throws -> (pages: [[String]], link: String) {
        var pages: [[String]] = []
        var path = link
        let prefix = version == "4.0" ? "odata." : ""
        var headers = ["OData-MaxVersion": version]
        if let size { headers["Prefer"] = "\(prefix)maxpagesize=\(size)" }
        while true {
            let reply = shop.get(path, headers)
            try #require(reply.status == 200, "\(reply.text)")
            pages.append(reply.text.split(separator: member).dropFirst().map { String($0.prefix { $0.isNumber }) })
            if let end = reply.link("\(prefix)deltaLink") { return (pages, end) }
            path = try #require(reply.link("\(prefix)nextLink"), "\(reply.text)")
            try #require(pages.count < 100)
        }
    }

    /// Alice has thirty more clients, each with an order of its own.
    private func shop(limits: ServiceLimits = ServiceLimits(), policies: [Policy] = Shop.policies) throws -> Shop {
        let shop = try Shop(policies: policies, limits: limits)
        for number in 101...130 {
            try shop.sql("INSERT INTO Clients VALUES (\(number), 'C', 1, NULL)")
            try shop.sql("INSERT INTO Orders VALUES (\(number), 'o', 1, \(number))")
        }
        return shop
    }

    private let numbers = Set((101...130).map(String.init))

    @Test func `what many changes concern comes in pages of as many rows as a page may have`() throws {
        let shop = try shop()
        let link = try track(shop, "Clients?$select=Name&$expand=Orders($select=Title)")
        try shop.sql("UPDATE Orders SET Title = 'new' WHERE OrderId > 100")
        let found = try pages(shop, link, of: "\"ClientId\":", size: 4)
        #expect(found.pages.allSatisfy { $0.count <= 4 } && found.pages.count >= 8, "\(found.pages)")
        #expect(Set(found.pages.joined()) == numbers && found.pages.joined().count == 30)
        #expect(try pages(shop, found.link, of: "\"ClientId\":").pages == [[]])
        // In one page without a limit.
        #expect(try pages(shop, link, of: "\"ClientId\":").pages.map { Set($0) } == [numbers])
    }

    @Test func `what one change concerns comes in pages too`() throws {
        let shop = try shop()
        try shop.sql("UPDATE Orders SET ClientId = 1 WHERE OrderId > 100")
        let link = try track(shop, "Orders?$expand=Client($select=Name)")
        try shop.sql("UPDATE Clients SET Name = 'Anna' WHERE ClientId = 1")
        let found = try pages(shop, link, of: "\"OrderId\":", size: 4)
        #expect(found.pages.allSatisfy { $0.count <= 4 } && found.pages.count >= 8, "\(found.pages)")
        #expect(Set(found.pages.joined()) == numbers.union(["10"]) && found.pages.joined().count == 31)
        #expect(try pages(shop, found.link, of: "\"OrderId\":").pages == [[]])
    }

    @Test func `what a condition sees with other eyes comes in pages too`() throws {
        let shop = try shop()
        try shop.sql("UPDATE Orders SET ClientId = 1 WHERE OrderId > 100")
        let link = try track(shop, "Orders")
        try shop.sql("UPDATE Clients SET OwnerId = 2 WHERE ClientId = 1")
        let found = try pages(shop, link, of: "\"OrderId\":", size: 4)
        #expect(found.pages.allSatisfy { $0.count <= 4 } && found.pages.count >= 8, "\(found.pages)")
        #expect(Set(found.pages.joined()) == numbers.union(["10"]))
    }

    @Test func `pages end by their bytes`() throws {
        let shop = try shop(limits: ServiceLimits(pageBytes: 2_048))
        try shop.sql("UPDATE Clients SET Name = hex(zeroblob(400)) WHERE ClientId > 100")
        // The load itself would come in pages.
        let start = shop.get("Clients?$filter=ClientId%20gt%20100&$expand=Orders&$deltatoken=latest")
        let link = try #require(start.link("deltaLink"))
        try shop.sql("UPDATE Orders SET Title = 'new' WHERE OrderId > 100")
        let related = try pages(shop, link, of: "\"Code\":null,\"Orders\":[{\"@etag\":")
        // Each is more than 800 bytes; sixteen are told before it is known how large they are.
        #expect(
            related.pages.count >= 5 && related.pages.allSatisfy { $0.count <= 16 },
            "\(related.pages.map(\.count))"
        )
        #expect(related.pages.joined().count == 30)
        // What changed itself as well.
        try shop.sql("UPDATE Clients SET Code = ClientId WHERE ClientId > 100")
        let own = try pages(shop, related.link, of: "\"ClientId\":")
        #expect(own.pages.count >= 5 && own.pages.allSatisfy { $0.count <= 32 }, "\(own.pages.map(\.count))")
        #expect(Set(own.pages.joined()).isSuperset(of: numbers))
    }

    @Test func `levels below levels come in pages, and what changes in between is told by the next delta`() throws {
        let shop = try shop()
        let link = try track(shop, "Clients?$expand=Orders($expand=Client($select=Name))")
        try shop.sql("UPDATE Clients SET Name = 'D' WHERE ClientId > 100")
        var path = link
        var seen: Set<String> = []
        for page in 0..<100 {
            let reply = shop.get(path, ["Prefer": "maxpagesize=4"])
            try #require(reply.status == 200, "\(reply.text)")
            seen.formUnion(
                reply.text.split(separator: "{\"@etag\":").compactMap { part in
                    part.split(separator: "\"ClientId\":").dropFirst().first.map { String($0.prefix { $0.isNumber }) }
                }
            )
            if page == 10 { try shop.sql("UPDATE Orders SET Title = 'late' WHERE OrderId = 101") }
            if let end = reply.link("deltaLink") {
                path = end
                break
            }
            path = try #require(reply.link("nextLink"))
        }
        #expect(seen.isSuperset(of: numbers))
        #expect(shop.get(path).text.contains("late"))
    }

    @Test func `a batch of one snapshot has all of it at once`() throws {
        let shop = try shop()
        let link = try track(shop, "Clients?$select=Name&$expand=Orders($select=Title)")
        try shop.sql("UPDATE Orders SET Title = 'new' WHERE OrderId > 100")
        let body = #"{"requests":[{"id":"1","method":"GET","url":"\#(link)","headers":{"prefer":"maxpagesize=4"}}]}"#
        let reply = shop.send(.post, "$batch", body, ["Isolation": "snapshot"])
        #expect(reply.text.split(separator: "\"ClientId\":").count == 31 && !reply.text.contains("nextLink"))
    }

    @Test func `a flat delta comes in pages, each link that went with its row`() throws {
        let shop = try shop()
        let link = try track(shop, "Clients?$select=Name&$expand=Orders($select=Title)", version: "4.0")
        try shop.sql("UPDATE Orders SET ClientId = 1 WHERE OrderId > 100")
        let target = "/$deletedLink\",\"source\":\"Clients("
        let found = try pages(shop, link, of: target, size: 4, version: "4.0")
        #expect(found.pages.count >= 8)
        #expect(Set(found.pages.joined()) == numbers)
        let again = shop.get(found.link, ["OData-MaxVersion": "4.0"])
        #expect(again.text.contains("\"value\":[]"), "\(again.text)")
    }

    // MARK: What may not be told

    /// Clients are for all, orders for those who do not look like secrets: a condition on a text of any length.
    private static let secretive = [
        Policy(role: "*", sets: ["Clients"], operations: [.read]),
        Policy(role: "*", sets: ["Orders"], operations: [.read], where: "not startswith(Title,'secret')"),
    ]

    @Test(arguments: ["4.0", "4.01"])
    func `a row that was too long to know whether it could be seen is not told of as gone`(version: String) throws {
        let shop = try Shop(policies: Self.secretive)
        try shop.sql("UPDATE Orders SET Title = 'secret' || hex(zeroblob(200)) WHERE OrderId = 20")
        let link = try track(shop, "Clients?$select=Name&$expand=Orders($select=Total)", version: version)
        try shop.sql("DELETE FROM Orders WHERE OrderId = 20")
        let reply = shop.get(link, ["OData-MaxVersion": version])
        #expect(reply.status == 410 && Shop.code(reply) == "ScopeChanged", "\(reply.text)")
        #expect(!reply.text.contains("20"))
    }

    @Test(arguments: ["4.0", "4.01"])
    func `a long row that can be seen is told of, as long as it stays where it is`(version: String) throws {
        let shop = try Shop(policies: Self.secretive)
        try shop.sql("UPDATE Orders SET Title = 'plain' || hex(zeroblob(200)) WHERE OrderId = 20")
        let link = try track(shop, "Clients?$select=Name&$expand=Orders($select=Total)", version: version)
        try shop.sql("UPDATE Orders SET Total = 7 WHERE OrderId = 20")
        let reply = shop.get(link, ["OData-MaxVersion": version])
        #expect(reply.status == 200 && reply.text.contains("\"Total\":7"), "\(reply.text)")
        // Where it goes to another owner it is not known whether the one before could see it.
        try shop.sql("UPDATE Orders SET ClientId = 3 WHERE OrderId = 20")
        #expect(shop.get(link, ["OData-MaxVersion": version]).status == 410)
    }

    @Test func `what a row led to before it could be seen is not told`() throws {
        let shop = try Shop()
        let link = try track(shop, "Orders?$select=Title&$expand=Client($select=Name)", version: "4.0")
        // Bob's order, of Bob's client, comes to a client of Alice.
        try shop.sql("UPDATE Orders SET ClientId = 1 WHERE OrderId = 20")
        let reply = shop.get(link, ["OData-MaxVersion": "4.0"])
        #expect(reply.text.contains(##""source":"Orders(20)","relationship":"Client","target":"Clients(1)"}"##))
        #expect(!reply.text.contains("deletedLink") && !reply.text.contains("Clients(2)"), "\(reply.text)")
    }
}
