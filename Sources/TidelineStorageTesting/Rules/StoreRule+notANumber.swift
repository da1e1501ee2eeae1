// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Not-a-number: where it stands in orders, and what compares with it.
    static let notANumber: [StoreRule] = [
        StoreRule("not-a-number is ordered after all numbers, and pages over it hold each row once") { world throws in
            try insertNumbers(world)
            for property in ["Double", "Single"] {
                var plan = try samples(world, nil)
                plan.orderBy = [try world.sortKey(property, of: "Samples")]
                try expectPages(of: plan, ["17", "14", "15", "13", "11", "12", "16"], world)
                plan.orderBy = [try world.sortKey(property + " desc", of: "Samples")]
                try expectPages(of: plan, ["11", "12", "16", "13", "15", "14", "17"], world)
                let checker = ExpressionChecker(model: world.store.model, set: try world.set("Samples"))
                let negated = try checker.check(.unary(.negate, .names(property)))
                plan.orderBy = [ReadPlan.SortKey(negated)]
                try expectPages(of: plan, ["17", "13", "15", "14", "11", "12", "16"], world)
                plan.orderBy = [
                    ReadPlan.SortKey(negated, isDescending: true), try world.sortKey("Id desc", of: "Samples"),
                ]
                try expectPages(of: plan, ["16", "12", "11", "14", "15", "13", "17"], world)
            }
        },
        StoreRule("not-a-number is unequal to everything and in no order") { world throws in
            try insertNumbers(world)
            let rows = { (filter: Expression) throws -> [String] in try world.lines(samples(world, filter)) }
            for property in ["Double", "Single"] {
                let test = { (name: Expression.BinaryOperator, number: Double) throws -> [String] in
                    try rows(.compare(property, name, .double(number)))
                }
                #expect(try test(.greaterThan, 0) == ["13", "15"])
                #expect(try test(.greaterOrEqual, 1) == ["13", "15"])
                #expect(try test(.greaterThan, .infinity) == [])
                #expect(try test(.lessThan, 0) == ["14"])
                #expect(try test(.lessOrEqual, 1) == ["14", "15"])
                #expect(try test(.equal, 1) == ["15"])
                #expect(try test(.notEqual, 1) == ["11", "12", "13", "14", "16", "17"])
                let opposite = { (name: Expression.BinaryOperator, number: Double) throws -> [String] in
                    try rows(.unary(.not, .compare(property, name, .double(number))))
                }
                #expect(try opposite(.greaterThan, 0) == ["11", "12", "14", "16", "17"])
                #expect(try opposite(.greaterOrEqual, 1) == ["11", "12", "14", "16", "17"])
                #expect(try opposite(.lessThan, 0) == ["11", "12", "13", "15", "16", "17"])
                #expect(try opposite(.lessOrEqual, 1) == ["11", "12", "13", "16", "17"])
                let list = Expression.isIn(.names(property), [.literal(.double(1)), .literal(.double(.nan))])
                #expect(try rows(list) == ["15"])
                #expect(try rows(.unary(.not, list)) == ["11", "12", "13", "14", "16", "17"])
            }
        },
        StoreRule("two values that may be not-a-number compare as the evaluator has it") { world throws in
            try insertNumbers(world)
            let rows = { (filter: Expression) throws -> [String] in try world.lines(samples(world, filter)) }
            for other in ["Single", "Double"] {
                let test = { (name: Expression.BinaryOperator) -> Expression in
                    .binary(name, .names("Double"), .names(other))
                }
                // Null is equal to null.
                #expect(try rows(test(.equal)) == ["13", "14", "15", "17"])
                #expect(try rows(test(.notEqual)) == ["11", "12", "16"])
                #expect(try rows(test(.greaterOrEqual)) == ["13", "14", "15"])
                #expect(try rows(test(.lessOrEqual)) == ["13", "14", "15"])
                #expect(try rows(test(.greaterThan)) == [])
                #expect(try rows(.unary(.not, test(.equal))) == ["11", "12", "16"])
                #expect(try rows(.unary(.not, test(.notEqual))) == ["13", "14", "15", "17"])
                #expect(try rows(.unary(.not, test(.greaterOrEqual))) == ["11", "12", "16", "17"])
                #expect(try rows(.unary(.not, test(.lessOrEqual))) == ["11", "12", "16", "17"])
            }
            let isPositive = Expression.binary(
                .greaterThan,
                .unary(.negate, .names("Double")),
                .literal(.double(0))
            )
            #expect(try rows(isPositive) == ["14"])
            #expect(try rows(.unary(.not, isPositive)) == ["11", "12", "13", "15", "16", "17"])
            let quotient = Expression.binary(.div, .names("Double"), .literal(.integer(0)))
            #expect(try rows(.binary(.equal, quotient, .literal(.null))) == ["11", "12", "16", "17"])
        },
    ]

    /// Samples 11 to 17: NaN, NaN, INF, -INF, 1, NaN and null.
    private static func insertNumbers(_ world: World) throws {
        try world.require(.notANumber)
        let numbers: [Double?] = [.nan, .nan, .infinity, -.infinity, 1, .nan, nil]
        let set = try world.set("Samples")
        let places = try ["Double", "Single"].map { try world.place($0, of: "Samples") }
        try world.store.write { writer in
            for (row, number) in numbers.enumerated() {
                let value = number.map(Value.double) ?? .null
                let values: [Int: Value] = [0: .integer(Int64(11 + row)), places[0]: value, places[1]: value]
                let key = try writer.insert(values, into: set)
                #expect(key == Key([.integer(Int64(11 + row))]))
            }
        }
    }

    /// The keys of those samples that match a filter.
    private static func samples(_ world: World, _ filter: Expression?) throws -> ReadPlan {
        let isOurs = Expression.compare("Id", .greaterOrEqual, .integer(11))
        return try world.plan("Samples", columns: ["Id"], filter: filter.map { .binary(.and, isOurs, $0) } ?? isOurs)
    }

    private static func expectPages(of plan: ReadPlan, _ rows: [String], _ world: World) throws {
        #expect(try world.lines(plan) == rows)
        for size in [1, 2, 3] {
            var paged = plan
            paged.pageLimit.rows = size
            #expect(try world.pages(paged).flatMap { $0 } == rows, "\(size) rows a page")
        }
    }
}
