// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

/// Alice sees the orders 10 (ten, 100) and 30 (thirty, 300), Bob sees 20 (twenty, 200).
struct ApplyTests {
    private static let sums = "$apply=groupby((Title),aggregate(Total%20with%20sum%20as%20Sum))"

    @Test func `a count counts the rows before pages and top`() throws {
        let shop = try Shop()
        let reply = shop.get("Orders?\(Self.sums)&$count=true&$orderby=Sum&$top=1")
        #expect(
            reply.text
                == ##"{"@context":"/odata/shop/$metadata#Orders(Title,Sum)","@count":2,"value":[{"Title":"ten","Sum@type":"Int64","Sum":100}]}"##
        )
        let page = shop.get("Orders?\(Self.sums)&$count=true&$orderby=Sum", ["Prefer": "maxpagesize=1"])
        #expect(page.text.contains("\"@count\":2"))
        #expect(shop.get(try #require(page.link("nextLink"))).text.contains("\"Title\":\"thirty\""))
        #expect(shop.get("Orders?\(Self.sums)&$count=true", as: Shop.bob).text.contains("\"@count\":1"))
    }

    @Test func `a selection chooses from what comes out`() throws {
        let shop = try Shop()
        let reply = shop.get("Orders?\(Self.sums)&$select=Title&$orderby=Sum%20desc")
        #expect(
            reply.text
                == ##"{"@context":"/odata/shop/$metadata#Orders(Title)","value":[{"Title":"thirty"},{"Title":"ten"}]}"##
        )
        #expect(shop.get("Orders?\(Self.sums)&$select=OrderId").status == 400)
    }

    @Test(arguments: [
        "groupby((Title,Title))", "aggregate($count%20as%20n,Total%20with%20sum%20as%20n)",
        "groupby((Title),aggregate($count%20as%20Title))", "groupby((Title))/compute('x'%20as%20Title)",
        "groupby((Client/Name),aggregate($count%20as%20Client))", "groupby((Client/Name))/compute(1%20as%20Client)",
    ])
    func `a name that a row would have twice is refused`(transformations: String) throws {
        let reply = try Shop().get("Orders?$apply=\(transformations)")
        #expect(reply.status == 400)
        #expect(reply.text.contains("twice: name one of the two by another alias"))
    }

    @Test func `a count of what comes out is a path of its own`() throws {
        let shop = try Shop()
        #expect(shop.get("Orders/$count?\(Self.sums)").text == "2")
        #expect(shop.get("Orders/$count?\(Self.sums)&$filter=Sum%20gt%20200").text == "1")
        #expect(shop.get("Orders/$count?\(Self.sums)", as: Shop.bob).text == "1")
    }

    @Test func `a search finds among the rows that are shown`() throws {
        let shop = try Shop(shaping: { sets in
            for place in sets.indices {
                sets[place].type.searchProperties = sets[place].type.properties.indices.filter {
                    sets[place].type.properties[$0].type == .string
                }
            }
        })
        func titles(_ query: String, as user: UserContext = Shop.alice) -> String {
            let text = shop.get("Orders?\(query)", as: user).text
            return ["ten", "twenty", "thirty"].filter { text.contains("\"Title\":\"\($0)\"") }.joined(separator: ",")
        }
        #expect(titles("$apply=search(thirty)/groupby((Title))") == "thirty")
        #expect(titles("$apply=filter(Total%20gt%2050)&$search=thirty") == "thirty")
        #expect(titles("$apply=filter(Total%20gt%2050)&$search=twenty") == "")
        #expect(titles("$apply=filter(Total%20gt%2050)&$search=twenty", as: Shop.bob) == "twenty")
    }

    @Test func `a page of groups ends by its bytes`() throws {
        let shop = try Shop(open: true, limits: ServiceLimits(pageBytes: 1_024))
        for number in 50..<56 {
            try shop.sql("INSERT INTO Orders VALUES (\(number), '\(number)' || hex(zeroblob(300)), 1, 1)")
        }
        var path: String? = "Orders?$apply=groupby((Title))&$orderby=Title&$count=true"
        var sizes: [Int] = []
        var titles: Set<Substring> = []
        while let link = path {
            let reply = shop.get(link)
            #expect(reply.status == 200 && reply.text.contains("\"@count\":10"), "\(reply.text)")
            let page = reply.text.split(separator: "\"Title\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            sizes.append(page.count)
            titles.formUnion(page)
            path = reply.link("nextLink")
        }
        // Six of more than six hundred bytes come before the four short ones.
        #expect(sizes.allSatisfy { $0 <= 6 } && sizes.count >= 3 && titles.count == 10, "\(sizes)")
    }
}
