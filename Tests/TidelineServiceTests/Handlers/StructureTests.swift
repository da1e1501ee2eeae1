// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineService

struct StructureTests {
    @Test(
        .covers("OD-1.4.9.n"),
        arguments: [
            ("Address%20eq%20{\"Street\":\"Main%20St\",\"City\":\"Bern\"}", "1"),
            ("Address%20eq%20{\"City\":\"Basel\"}", "1"),
            ("Address%20ne%20{\"City\":\"Basel\"}", "2"), ("Tags%20eq%20[\"a\",\"b\",\"ab\"]", "1"),
            ("Tags%20eq%20[]", "2"), ("Tags%20ne%20[\"a\"]", "3"),
        ]
    )
    func `complex values and collections are compared as a whole`(filter: String, count: String) throws {
        #expect(try Gallery().data("Items/$count?$filter=\(filter)") == count)
    }

    @Test func `what stands behind keys, the service root and aggregates is behind the policies`() throws {
        let shop = try Shop()
        func count(_ filter: String) -> String { shop.send(.get, "Orders/$count?$filter=\(filter)").text }
        #expect(count("$root/Clients(1)/Name%20eq%20'Ann'") == "2")
        #expect(count("$root/Clients(2)/Name%20eq%20'Ben'") == "0")
        #expect(count("$root/Clients/$count%20eq%202") == "2")
        #expect(count("$root/Clients/any(c:c/Name%20eq%20'Ben')") == "0")
        #expect(count("Client/Orders(10)/Total%20eq%20100") == "1")
        #expect(count("Client/Orders/aggregate(Total%20with%20sum)%20gt%20200") == "1")
        #expect(shop.send(.get, "Orders?$filter=$root/Clients(1)/Orders%20eq%20null").status == 501)
    }
}
