// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineOData

@testable import TidelineService

/// Pages of what a function gives.
struct FunctionPageTests {
    @Test func `a page of a function's entities ends by its bytes, in the order of the function`() throws {
        let shop = try Counter.shop(limits: ServiceLimits(pageBytes: 1_024))
        let title = String(repeating: "x", count: 400)
        for number in 1...7 {
            try shop.sql("INSERT INTO Orders VALUES (5\(number), '\(title)', 100\(number), 1)")
        }
        var ids: [String] = []
        var sizes: [Int] = []
        var path: String? = "Top(count=8)?$count=true"
        while let link = path {
            let reply = shop.get(link)
            #expect(reply.status == 200 && reply.text.contains("\"@count\":8"), "\(reply.text)")
            let page = reply.text.split(separator: "\"OrderId\":").dropFirst().map { String($0.prefix { $0 != "," }) }
            ids += page
            sizes.append(page.count)
            path = reply.link("nextLink")
        }
        #expect(ids == ["57", "56", "55", "54", "53", "52", "51", "30"])
        // Two are 800 bytes of text and some; the third is more than what is left.
        #expect(sizes.allSatisfy { $0 <= 3 } && sizes.count >= 3, "\(sizes)")
    }

    @Test func `one entity that is larger than a page is a page`() throws {
        let shop = try Counter.shop(limits: ServiceLimits(pageBytes: 1_024))
        try shop.sql("UPDATE Orders SET Title = '\(String(repeating: "y", count: 5_000))' WHERE OrderId = 30")
        let first = shop.get("Top(count=2)")
        #expect(first.text.contains("\"OrderId\":30") && !first.text.contains("\"OrderId\":20"))
        let second = shop.get(try #require(first.link("nextLink")))
        #expect(second.text.contains("\"OrderId\":20") && second.link("nextLink") == nil)
    }
}
