// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
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
}
