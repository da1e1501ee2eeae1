// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Related entities.
    static let expansions: [StoreRule] = [
        StoreRule("an expansion to one follows its row, and is empty for a null reference") { world throws in
            let client = try world.expansion("Client", of: "Orders", world.plan("Clients", columns: ["Name"]))
            let seller = try world.expansion("Seller", of: "Orders", world.plan("Sellers", columns: ["Id", "Name"]))
            let plan = try world.plan("Orders", columns: ["Id"], expanding: [client, seller])
            #expect(
                try world.lines(plan) == [
                    "1|[{Ann}]|[{2|Second}]", "2|[{Ann}]|[{3|Third}]", "3|[{Bob}]|[]", "4|[]|[{2|Second}]",
                    "5|[{Émile}]|[]", "6|[{Ann}]|[{2|Second}]",
                ]
            )
        },
        StoreRule("an expansion to one from the other end is empty where nobody refers") { world throws in
            let profile = try world.expansion("Profile", of: "Clients", world.plan("Profiles", columns: ["Motto"]))
            #expect(
                try world.lines(try world.plan("Clients", columns: ["Id"], expanding: [profile])) == [
                    "k1|[{first}]", "k2|[]", "k3|[{null}]", "É|[]",
                ]
            )
        },
        StoreRule("an expansion to many has its own filter, order and limits for each row, and counts before them") {
            world throws in
            let few = try world.plan(
                "Orders",
                columns: ["Id"],
                filter: .compare("Total", .greaterThan, .number("1")),
                orderBy: ["Total desc"],
                skip: 1,
                top: 1
            )
            let expansion = try world.expansion("Orders", of: "Clients", few, includesCount: true)
            #expect(
                try world.lines(try world.plan("Clients", columns: ["Id"], expanding: [expansion])) == [
                    "k1|[{2}]3", "k2|[]1", "k3|[]0", "É|[]0",
                ]
            )
        },
        StoreRule("expansions nest, over composite keys and one set twice") { world throws in
            let product = try world.expansion("Product", of: "Lines", world.plan("Products", columns: ["Label"]))
            let order = try world.expansion("Order", of: "Lines", world.plan("Orders", columns: ["Number"]))
            let lines = try world.expansion(
                "Lines",
                of: "Orders",
                world.plan("Lines", columns: ["Place"], expanding: [product, order])
            )
            let orders = try world.expansion(
                "Orders",
                of: "Clients",
                world.plan("Orders", columns: ["Id"], expanding: [lines]),
                includesCount: true
            )
            #expect(
                try world.lines(try world.plan("Clients", columns: ["Id"], top: 2, expanding: [orders])) == [
                    "k1|[{1|[{1|[{Bolt!}]|[{a}]}{2|[{Bolt!}]|[{a}]}]}{2|[{1|[{Nut!}]|[{b}]}]}"
                        + "{6|[{9|[{Nut!}]|[{f}]}{10|[{Bolt!}]|[{f}]}]}]3",
                    "k2|[{3|[]}]1",
                ]
            )
        },
        StoreRule("an expansion over link rows has each entity once, ordered and counted, and sees no hidden link") {
            world throws in
            let products = try world.plan("Products", columns: ["Label", "Size"], orderBy: ["Size desc"])
            var expansion = try world.expansion("Products", of: "Orders", products, includesCount: true)
            #expect(
                try world.lines(try world.plan("Orders", columns: ["Id"], expanding: [expansion])) == [
                    "1|[{Bolt!|S}{Bolt!|L}]2", "2|[{Nut!|null}]1", "3|[]0", "4|[]0", "5|[]0",
                    "6|[{Bolt!|S}{Nut!|null}]2",
                ]
            )
            expansion.linkFilter = try world.condition(.compare("Quantity", .greaterThan, .integer(2)), on: "Lines")
            expansion.plan.filter = try world.condition(.compare("Size", .notEqual, .string("L")), on: "Products")
            #expect(
                try world.lines(try world.plan("Orders", columns: ["Id"], expanding: [expansion])) == [
                    "1|[{Bolt!|S}]1", "2|[]0", "3|[]0", "4|[]0", "5|[]0", "6|[{Nut!|null}]1",
                ]
            )
        },
        StoreRule("a set expands into itself, up and down") { world throws in
            let boss = try world.expansion("Boss", of: "Sellers", world.plan("Sellers", columns: ["Id"]))
            let team = try world.expansion(
                "Team",
                of: "Sellers",
                world.plan("Sellers", columns: ["Id"], orderBy: ["Id desc"], expanding: [boss])
            )
            #expect(
                try world.lines(try world.plan("Sellers", columns: ["Id"], expanding: [boss, team])) == [
                    "1|[]|[{3|[{1}]}{2|[{1}]}]", "2|[{1}]|[{4|[{2}]}]", "3|[{1}]|[]", "4|[{2}]|[]",
                ]
            )
        },
        StoreRule("a page of related entities says where the next one goes on, if there is one") { world throws in
            var lines = try world.expansion(
                "Lines",
                of: "Orders",
                world.plan("Lines", columns: ["Place"], orderBy: ["Place desc"], pageRows: 1)
            )
            #expect(
                try world.lines(try world.plan("Orders", columns: ["Id"], expanding: [lines])) == [
                    "1|[{2}>2,1]", "2|[{1}]", "3|[]", "4|[]", "5|[]", "6|[{10}>10,6]",
                ]
            )
            // $top ends them, whatever the page holds.
            lines.plan.top = 1
            #expect(
                try world.lines(try world.plan("Orders", columns: ["Id"], expanding: [lines])).first == "1|[{2}]"
            )
            (lines.plan.top, lines.plan.after) = (nil, [.integer(2), .integer(1)])
            #expect(
                try world.lines(try world.plan("Orders", columns: ["Id"], expanding: [lines])).first == "1|[{1}]"
            )
        },
        StoreRule("bytes of related entities count for the page, rows do not") { world throws in
            let lines = try world.expansion("Lines", of: "Orders", world.plan("Lines", columns: ["Place"]))
            var plan = try world.plan("Orders", columns: ["Id"], expanding: [lines])
            plan.pageLimit = .init(rows: 100, bytes: 20)
            // Eight bytes of the order and eight of each line: 24 | 16 + 8 | 8 + 8 + 24.
            #expect(try world.pages(plan).map(\.count) == [1, 2, 3])
            plan.expansions[0].plan.top = 1
            #expect(try world.pages(plan).map(\.count) == [2, 3, 1])
            plan.expansions[0].plan.top = nil
            #expect(
                try world.pages(plan) == [["1|[{1}{2}]"], ["2|[{1}]", "3|[]"], ["4|[]", "5|[]", "6|[{9}{10}]"]]
            )
        },
    ]
}
