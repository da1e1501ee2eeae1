// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Order, pages, limits.
    static let order: [StoreRule] = [
        StoreRule("nulls come first in ascending order and last in descending, the key decides between equals") {
            world throws in
            #expect(try world.orders(by: "PlacedAt") == ["3", "5", "4", "1", "6", "2"])
            #expect(try world.orders(by: "PlacedAt desc") == ["2", "1", "6", "4", "3", "5"])
            #expect(try world.orders(by: "Total") == ["5", "1", "4", "3", "2", "6"])
            #expect(try world.orders(by: "SellerId desc", "Total desc") == ["2", "6", "1", "4", "3", "5"])
            #expect(try world.orders(by: "Total", "Id desc") == ["5", "4", "1", "3", "2", "6"])
            #expect(try world.orders(by: "Id desc") == ["6", "5", "4", "3", "2", "1"])
            #expect(try world.orders(by: "Client/Name desc") == ["5", "3", "1", "2", "6", "4"])
        },
        StoreRule("text is ordered by its bytes") { world throws in
            for (number, name) in ["a", "B", "é", "e\u{301}", "z", "", "a b", "A"].enumerated() {
                try world.insert("Clients", "x\(number)", name, nil)
            }
            let plan = try world.plan(
                "Clients",
                columns: ["Name"],
                filter: .call(.startswith, [.names("Id"), .literal(.string("x"))]),
                orderBy: ["Name"]
            )
            let expected = ["", "A", "B", "a", "a b", "e\u{301}", "z", "é"]
            #expect(try world.lines(plan).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
            #expect(
                try world.pages(paged(plan, 1)).flatMap { $0 }.map { Array($0.utf8) } == expected.map { Array($0.utf8) }
            )
        },
        StoreRule("pages by any property, in both directions, hold each row once in its order") { world throws in
            for set in world.store.model.sets {
                let name = set.names.wire
                let keys = set.type.key.map { set.type.properties[$0].names.wire }
                for property in set.type.properties {
                    for direction in ["", " desc"] {
                        let plan = try world.plan(name, columns: keys, orderBy: [property.names.wire + direction])
                        let whole = try world.lines(plan)
                        for rows in [1, 2] {
                            let pages = try world.pages(paged(plan, rows))
                            #expect(pages.flatMap { $0 } == whole, "\(name) by \(property.names.wire)\(direction)")
                            #expect(pages.dropLast().allSatisfy { $0.count == rows })
                            #expect(pages.last?.isEmpty == false)
                        }
                    }
                }
            }
        },
        StoreRule("pages by several keys, nulls among them, hold each row once in its order") { world throws in
            let orders = [
                ["SellerId", "PlacedAt desc"], ["SellerId desc", "PlacedAt"],
                ["Total desc", "ClientId", "SellerId desc"],
                ["Client/Rating", "Total"], ["Client/Rating desc", "Seller/Boss/Name", "Number desc"],
            ]
            for order in orders {
                let plan = try world.plan("Orders", columns: ["Id"], orderBy: order)
                #expect(try world.pages(paged(plan, 1)).flatMap { $0 } == (try world.lines(plan)), "\(order)")
            }
        },
        StoreRule("a page goes on after its last row, whatever came and went meanwhile") { world throws in
            var plan = try world.plan("Orders", columns: ["Id"], orderBy: ["PlacedAt", "Total"], pageRows: 2)
            let (first, end) = try world.page(plan)
            #expect(first.lines == ["5", "3"])
            #expect(end.continuation == [.null, .number("100"), .integer(3)])
            try world.delete("Orders", .integer(3))
            try world.insert("Orders", "-", "early", nil, nil, "1", nil)
            try world.insert("Orders", "-", "late", nil, nil, "1", "1969-12-31T23:59:59.999Z")
            plan.after = end.continuation
            #expect(try world.pages(plan) == [["8", "4"], ["1", "6"], ["2"]])
        },
        StoreRule("skip and top count after the filter, top over all pages") { world throws in
            let filter = Expression.compare("Total", .greaterThan, .number("1"))
            let page = { (skip: Int, top: Int?, rows: Int) throws -> ([String], PageEnd) in
                let (recorder, end) = try world.page(
                    world.plan("Orders", columns: ["Id"], filter: filter, skip: skip, top: top, pageRows: rows)
                )
                return (recorder.lines, end)
            }
            #expect(try page(1, 3, .max) == (["2", "3", "4"], PageEnd(rows: 3, continuation: nil)))
            #expect(try page(4, 9, .max) == (["6"], PageEnd(rows: 1, continuation: nil)))
            #expect(try page(9, nil, .max) == ([], PageEnd(rows: 0, continuation: nil)))
            #expect(try page(0, 0, .max) == ([], PageEnd(rows: 0, continuation: nil)))
            #expect(try page(1, 3, 2) == (["2", "3"], PageEnd(rows: 2, continuation: [.integer(3)])))
            #expect(try page(1, 2, 2) == (["2", "3"], PageEnd(rows: 2, continuation: nil)))
            #expect(try page(3, nil, 2) == (["4", "6"], PageEnd(rows: 2, continuation: nil)))
        },
        StoreRule("a page ends by bytes, and has at least one row") { world throws in
            var plan = try world.plan("Orders", columns: ["Id"])
            plan.pageLimit = .init(rows: 100, bytes: 1)
            #expect(try world.pages(plan) == [["1"], ["2"], ["3"], ["4"], ["5"], ["6"]])
            // Two integers of eight bytes fill a page of nine.
            plan.pageLimit = .init(rows: 100, bytes: 9)
            #expect(try world.pages(plan) == [["1", "2"], ["3", "4"], ["5", "6"]])
            plan.pageLimit = .init(rows: 0, bytes: .max)
            #expect(try world.page(plan).recorder.lines == ["1"])
            #expect(try world.page(plan).end == PageEnd(rows: 1, continuation: [.integer(1)]))
        },
    ]

    private static func paged(_ plan: ReadPlan, _ rows: Int) -> ReadPlan {
        var plan = plan
        plan.pageLimit.rows = rows
        return plan
    }
}
