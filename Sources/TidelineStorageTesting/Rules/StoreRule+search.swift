// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Whole words, by an index where a store has one.
    static let search: [StoreRule] = [
        StoreRule("words are found in any letter case, with and without accents, and side by side") { world throws in
            try world.fillNames()
            let cases: [(SearchExpression, [String])] = [
                (.word("bike"), ["101", "102"]), (.word("BIKE"), ["101", "102"]), (.word("bik"), []),
                (.word("emile"), ["101"]), (.word("ÉMILE"), ["101"]), (.word("e\u{301}mile"), ["101"]),
                (.phrase("bike shop"), ["101", "102"]), (.phrase("shop bike"), []),
                (.word("bike-shop"), ["101", "102"]),
                (.and(.word("shop"), .word("bikes")), ["103"]), (.or(.word("12"), .word("bikes")), ["103", "105"]),
                (.and(.word("bike"), .not(.word("emile"))), ["102"]),
                (.not(.word("shop")), ["104", "105", "106", "107"]),
                (.not(.and(.word("shop"), .not(.word("of")))), ["103", "104", "105", "106", "107"]),
                (.word("straße"), ["105"]), (.word("strasse"), []), (.word("naive"), ["106"]), (.word("øre"), ["106"]),
                (.word("ore"), []), (.word("ΕΛΛΆΣ"), ["106"]), (.word("ЁЛКА"), ["106"]), (.word("việt"), ["107"]),
                (.word("viet"), ["107"]), (.word("日本"), ["107"]), (.word("--"), []),
                (.not(.word("--")), (101...107).map(String.init)),
            ]
            for (search, expected) in cases {
                let found = try world.sellers(search)
                #expect(found == expected, "\(search)")
            }
        },
        StoreRule("what is searched follows every change, those of other programs too") { world throws in
            try world.fillNames()
            try world.update("Sellers", [.integer(102)], "Name", .string("boat house"))
            #expect(try world.sellers(.word("bike")) == ["101"])
            #expect(try world.sellers(.phrase("boat house")) == ["102"])
            try world.delete("Sellers", .integer(101))
            #expect(try world.sellers(.word("bike")) == [])
            try world.insert("Sellers", "101", "bike", nil, nil)
            #expect(try world.sellers(.word("bike")) == ["101"])
            #expect(try world.sellers(.word("emile")) == [])
            try world.runOutside(
                """
                UPDATE sellers SET name = 'raft' WHERE id = 102; UPDATE sellers SET id = 202 WHERE id = 103;
                DELETE FROM sellers WHERE id = 101; INSERT INTO sellers(id, name) VALUES (108, 'Bike')
                """
            )
            #expect(try world.sellers(.word("boat")) == [])
            #expect(try world.sellers(.word("raft")) == ["102"])
            #expect(try world.sellers(.word("bikes")) == ["202"])
            #expect(try world.sellers(.word("bike")) == ["108"])
            try world.reopen()
            #expect(try world.sellers(.word("bike")) == ["108"])
        },
        StoreRule("words are looked for beside other conditions and behind collections") { world throws in
            try world.fillNames()
            let set = try world.set("Sellers")
            var plan = try world.plan("Sellers", columns: ["Id"], filter: .compare("Id", .greaterThan, .integer(101)))
            let found = ExpressionChecker.condition(for: .word("bike"), over: set.type)
            plan.filter = plan.filter.map { TypedExpression(node: .binary(.and, $0, found), type: .boolean) }
            #expect(try world.lines(plan) == ["102"])
            #expect(try world.store.read { try $0.count(plan) } == 1)
            let isFound = try world.store.read { reader in
                try [101, 103].map { id in
                    try reader.satisfies(found, key: Key([.integer(id)]), in: set, user: .anonymous)
                }
            }
            #expect(isFound == [true, false])
            // Behind a collection the row at hand is another one.
            let bosses = try world.plan(
                "Sellers",
                columns: ["Id"],
                filter: .binary(
                    .equal,
                    .count(of: ["Team"], filter: nil, search: .word("shop")),
                    .literal(.integer(2))
                )
            )
            for id in [102, 103, 104] as [Int64] {
                try world.update("Sellers", [.integer(id)], "BossId", .integer(101))
            }
            #expect(try world.lines(bosses) == ["101"])
        },
    ]
}

extension World {
    /// Sellers with the numbers from 101 on.
    fileprivate func fillNames() throws {
        let names: [String?] = [
            "Émile's Bike-Shop", "bike shop", "shop of BIKES", nil, "Straße 12", "Ελλάς naïve Øre ёлка",
            "Việt\tNam 日本",
        ]
        for (place, name) in names.enumerated() { try insert("Sellers", "\(101 + place)", name, nil, nil) }
    }

    /// The keys of those sellers that a search finds.
    fileprivate func sellers(_ search: SearchExpression) throws -> [String] {
        var plan = try plan("Sellers", columns: ["Id"])
        let isNew = try condition(.compare("Id", .greaterThan, .integer(100)), on: "Sellers")
        let found = ExpressionChecker.condition(for: search, over: plan.set.type)
        plan.filter = TypedExpression(node: .binary(.and, isNew, found), type: .boolean)
        return try lines(plan)
    }
}
