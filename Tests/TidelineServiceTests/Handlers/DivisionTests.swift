// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import HTTPTypes
import Testing
import TidelineModel
import TidelineOData

@testable import TidelineService

/// Divisions of integers by a zero in the data: the request fails, whatever order a database looks in.
///
/// Order 40 has a total of 0, and no client.
struct DivisionTests {
    @Test(arguments: [
        ("Orders?$filter=100 div Total gt 0", 400), ("Orders?$filter=100 mod Total gt 0", 400),
        ("Orders?$filter=Total ne 0 and 100 div Total gt 0", 200),
        ("Orders?$filter=100 div Total gt 0 and Total ne 0", 200),
        ("Orders?$filter=Total eq 0 or 100 div Total gt 0", 200),
        ("Orders?$orderby=100 div Total", 400), ("Orders?$orderby=100 div Total&$filter=Total gt 5", 200),
        ("Orders?$compute=100 div Total as Part", 400), ("Orders?$compute=100 div Total as Part&$select=Title", 200),
        ("Orders?$compute=100 div Total as Part&$filter=ClientId ne null", 200),
        ("Orders/$count?$filter=100 div Total ge 1", 400),
        ("Orders(40)?$compute=100 div Total as Part", 400), ("Orders(10)?$compute=100 div Total as Part", 200),
        ("Clients(1)/Orders?$filter=100 div Total ge 1", 200),
        ("Orders/$filter(ClientId ne null)?$filter=100 div Total ge 1", 200),
        ("Clients?$expand=Orders($filter=100 div Total ge 1)", 200),
        ("Clients?$filter=Orders/any(o:100 div o/Total ge 1)", 200),
    ])
    func `a request that divides by zero fails`(_ path: String, _ status: Int) throws {
        let shop = try Shop(open: true)
        let reply = shop.get(path.replacing(" ", with: "%20"))
        #expect(reply.status == status, "\(reply.text)")
        if status == 400 { #expect(reply.text.contains("divided by zero")) }
    }

    @Test
    func `related entities are asked as far as they are shown`() throws {
        let shop = try Shop(open: true)
        try shop.database.write { try $0.execute(sql: "UPDATE Orders SET Total = 0 WHERE OrderId = 30") }
        let expand = "$expand=Orders($filter=100%20div%20Total%20ge%201)"
        #expect(shop.get("Clients?\(expand)").status == 400)
        #expect(shop.get("Clients?$filter=ClientId%20ne%203&\(expand)").status == 200)
        #expect(shop.get("Clients?$expand=Orders($compute=100%20div%20Total%20as%20Part)").status == 400)
    }

    @Test
    func `a row that a policy hides fails no request`() throws {
        let shop = try Shop()
        // Alice has orders 10 and 30; 40 is nobody's.
        #expect(shop.get("Orders?$filter=100%20div%20Total%20ge%200").status == 200)
        #expect(shop.get("Orders?$orderby=100%20div%20Total").status == 200)
        try shop.database.write { try $0.execute(sql: "UPDATE Orders SET Total = 0 WHERE OrderId = 20") }
        #expect(shop.get("Orders?$filter=100%20div%20Total%20ge%200").status == 200)
        #expect(shop.get("Orders?$filter=100%20div%20Total%20ge%200", as: Shop.bob).status != 200)
    }

    @Test func `an endless list of divisions is refused`() throws {
        let text = (1...200).map { "\($0) div Total gt 1" }.joined(separator: " or ")
        let reply = try Shop(open: true).get("Orders?$filter=\(text.replacing(" ", with: "%20"))")
        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.text.contains("too many"))
    }
}
