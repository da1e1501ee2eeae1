// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineOData
import TidelineTestSupport

@testable import TidelineService

/// Next links of collections inside rows, with ties and nulls in their order.
struct NestedPageTests {
    /// Client 1 has the orders 10 to 16; two titles are null, three are the same.
    private static let more = """
        INSERT INTO Orders VALUES (11, NULL, 5, 1), (12, 'a', 5, 1), (13, 'a', 5, 1), (14, NULL, 5, 1), (15, 'a', 7, 1),
            (16, 'z', 5, 1);
        """

    /// The numbers of a member in the order of the text.
    private static func numbers(_ name: String, in text: some StringProtocol) -> [Int] {
        text.ranges(of: "\"\(name)\":").compactMap { range in
            Int(text[range.upperBound...].prefix { $0.isNumber })
        }
    }

    private static func link(_ name: String, in text: String) -> String? {
        guard let start = text.firstRange(of: "\"\(name)\":\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test(arguments: ["Clients?$filter=ClientId%20eq%201&$expand=", "Clients(1)?$expand="])
    func `the next link of a nested collection leads to the rest in the same order`(start: String) throws {
        let shop = try Shop(open: true)
        try shop.sql(Self.more)
        let page = ["Prefer": "maxpagesize=2"]
        let nested = "Orders($orderby=Title%20desc,Total;$select=OrderId;$filter=OrderId%20ne%2016)"
        var reply = shop.send(.get, start + nested, "", page)
        var seen = Self.numbers("OrderId", in: reply.text)
        var next = Self.link("Orders@nextLink", in: reply.text)
        var pages = 1
        while let link = next, pages < 9 {
            reply = shop.send(.get, link, "", page)
            #expect(reply.status == 200)
            seen += Self.numbers("OrderId", in: reply.text)
            next = reply.link("nextLink")
            pages += 1
        }
        // ten, then the three of the same title by total and key, then those without.
        #expect(seen == [10, 12, 13, 15, 11, 14])
        #expect(pages == 3)
    }

    @Test func `skip and top of a nested collection are counted over its pages`() throws {
        let shop = try Shop(open: true)
        try shop.sql(Self.more)
        let page = ["Prefer": "maxpagesize=2"]
        let first = shop.send(.get, "Clients(1)?$expand=Orders($skip=1;$top=3;$select=OrderId;$count=true)", "", page)
        #expect(Self.numbers("OrderId", in: first.text) == [11, 12])
        #expect(first.text.contains(#""Orders@count":7"#))
        let link = try #require(Self.link("Orders@nextLink", in: first.text))
        let second = shop.send(.get, link, "", page)
        #expect(Self.numbers("OrderId", in: second.text) == [13])
        #expect(second.link("nextLink") == nil)
    }

    @Test(arguments: [false, true])
    func `what is inserted and deleted meanwhile lets no page pass over an entity`(isOpen: Bool) throws {
        let shop = try Shop(open: isOpen)
        try shop.sql(Self.more)
        let page = ["Prefer": "maxpagesize=2"]
        let first = shop.send(.get, "Clients(1)?$expand=Orders($select=OrderId)", "", page)
        #expect(Self.numbers("OrderId", in: first.text) == [10, 11])
        // By its number the third would be 13 now.
        try shop.sql("DELETE FROM Orders WHERE OrderId = 10")
        let second = shop.send(.get, try #require(Self.link("Orders@nextLink", in: first.text)), "", page)
        #expect(Self.numbers("OrderId", in: second.text) == [12, 13], "\(second.text)")
        // By its number the fifth would be 13 again.
        try shop.sql("INSERT INTO Orders VALUES (8, 'new', 5, 1), (9, 'new', 5, 1)")
        let third = shop.send(.get, try #require(second.link("nextLink")), "", page)
        #expect(Self.numbers("OrderId", in: third.text) == [14, 15])
    }

    @Test func `a next link goes on in its own order and for its own user alone`() throws {
        let shop = try Shop()
        try shop.sql(Self.more)
        let page = ["Prefer": "maxpagesize=2"]
        let first = shop.send(.get, "Clients(1)?$expand=Orders($orderby=Total;$select=OrderId)", "", page)
        // Those of 5, by their key.
        #expect(Self.numbers("OrderId", in: first.text) == [11, 12])
        let link = try #require(Self.link("Orders@nextLink", in: first.text))
        #expect(Self.numbers("OrderId", in: shop.send(.get, link, "", page).text) == [13, 14])
        let other = link.replacing("=Total", with: "=Title")
        try #require(other != link)
        #expect(Shop.code(shop.send(.get, other, "", page)) == "ScopeChanged")
        // Where the filter is another one, it is asked like any other.
        let fault = PercentCoding.encode(queryValue: "1 div (OrderId sub OrderId) gt 0")
        #expect(shop.send(.get, link + "&$filter=\(fault)", "", page).status == 400)
        let all = link.replacing("Clients(1)/", with: "")
        #expect(Shop.code(shop.send(.get, all, "", page, as: Shop.bob)) == "ScopeChanged")
    }

    /// The numbers of a nested collection on its own page and on those that its next links lead to.
    private static func all(_ name: String, of collection: String, _ shop: Shop, _ start: String) throws -> [Int] {
        let page = ["Prefer": "maxpagesize=1"]
        var reply = shop.send(.get, start, "", page)
        try #require(reply.status == 200, "\(reply.text)")
        var seen = numbers(name, in: reply.text)
        var next = link("\(collection)@nextLink", in: reply.text)
        while let link = next, seen.count < 9 {
            reply = shop.send(.get, link, "", page)
            try #require(reply.status == 200, "\(link) \(reply.text)")
            seen += numbers(name, in: reply.text)
            next = reply.link("nextLink")
        }
        return seen
    }

    @Test(arguments: [
        // The owner of client 1, called Ann, is 1.
        ("$filter=OrderId mod 3 eq $it/OwnerId", [10, 13, 16]),
        ("$filter=not (OrderId mod 3 ne 1 and $it/OwnerId eq 1) and OrderId in [$it/OwnerId add 12,16]", [13, 16]),
        ("$orderby=OrderId mod (3 add $it/OwnerId) desc;$filter=OrderId lt 14", [11, 10, 13, 12]),
        ("$filter=Above gt 14;$compute=OrderId add $it/OwnerId as Above", [14, 15, 16]),
        ("$filter=Client/Orders/any(o:o/OrderId sub $it/OwnerId eq OrderId)", [10, 11, 12, 13, 14, 15]),
        ("$filter=Client/Orders/$count($filter=OrderId lt 12 add $it/OwnerId) eq 3;$top=2", [10, 11]),
        ("$filter=case($it/Name eq 'Ann':OrderId,true:0) gt 14", [15, 16]),
    ])
    func `in the pages behind a next link what was asked of the outer entity is asked of it still`(
        options: String,
        orders: [Int]
    ) throws {
        let shop = try Shop(open: true)
        try shop.sql(Self.more)
        let query = PercentCoding.encode(queryValue: "Orders($select=OrderId;\(options))")
        #expect(try Self.all("OrderId", of: "Orders", shop, "Clients(1)?$expand=\(query)") == orders)
    }

    @Test func `each level of a recursive expansion has its next link, with the levels that are left`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Nodes (Id INTEGER PRIMARY KEY, ParentId INTEGER REFERENCES Nodes(Id));
                INSERT INTO Nodes VALUES (1, NULL), (2, 1), (3, 1), (4, 1), (5, 2), (6, 2), (7, 4), (8, 4);
                """
        )
        let children = try #require(
            shop.domain.model[set: "Nodes"]?.type.navigationProperties.first { $0.isCollection }?.names.wire
        )
        let page = ["Prefer": "maxpagesize=1"]
        let reply = shop.send(.get, "Nodes(1)?$select=Id&$expand=\(children)($levels=2;$select=Id)", "", page)
        #expect(Self.numbers("Id", in: reply.text) == [1, 2, 5])
        let links = reply.text.ranges(of: "\"\(children)@nextLink\":\"").map { range in
            String(reply.text[range.upperBound...].prefix { $0 != "\"" })
        }
        #expect(links.count == 2)
        // The inner one stands first: the other children of 2.
        #expect(Self.numbers("Id", in: shop.send(.get, links[0], "", page).text) == [6])
        // The others of 1 with theirs: 3 has none, 4 has 7 and 8.
        var ids: [Int] = []
        var next: String? = links[1]
        while let link = next, ids.count < 9 {
            let reply = shop.send(.get, link, "", page)
            ids += Self.numbers("Id", in: reply.text)
            next = reply.link("nextLink")
        }
        #expect(ids == [3, 4, 7])
    }

    @Test func `at every level of a recursive expansion the outermost entity is that of the first request`() throws {
        let shop = try Shop(
            open: true,
            adding: """
                CREATE TABLE Nodes (Id INTEGER PRIMARY KEY, ParentId INTEGER REFERENCES Nodes(Id));
                INSERT INTO Nodes VALUES (1, NULL), (2, 1), (3, 1), (4, 1), (5, 3), (6, 3), (7, 4), (8, 4);
                """
        )
        let children = try #require(
            shop.domain.model[set: "Nodes"]?.type.navigationProperties.first { $0.isCollection }?.names.wire
        )
        let page = ["Prefer": "maxpagesize=1"]
        let options = PercentCoding.encode(queryValue: "($levels=2;$select=Id;$filter=Id gt $it/Id add 1)")
        let reply = shop.send(.get, "Nodes(1)?$select=Id&$expand=\(children)\(options)", "", page)
        // Above 2: of 1 there are 3 and 4, of 3 there are 5 and 6.
        #expect(Self.numbers("Id", in: reply.text) == [1, 3, 5], "\(reply.text)")
        let links = reply.text.ranges(of: "\"\(children)@nextLink\":\"").map { range in
            String(reply.text[range.upperBound...].prefix { $0 != "\"" })
        }
        try #require(links.count == 2)
        #expect(Self.numbers("Id", in: shop.send(.get, links[0], "", page).text) == [6])
        let second = shop.send(.get, links[1], "", page)
        #expect(Self.numbers("Id", in: second.text) == [4, 7], "\(second.text)")
        let last = try #require(Self.link("\(children)@nextLink", in: second.text))
        #expect(Self.numbers("Id", in: shop.send(.get, last, "", page).text) == [8])
    }
}
