// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineStore

struct ThreeWayMergeTests {
    @Test func `properties changed on one side merge, the others are the policy's`() {
        let base: [Value] = [.string("A"), .integer(1), .null, .integer(9)]
        let mine: [Value] = [.string("B"), .integer(2), .null, .integer(7)]
        let theirs: [Value] = [.string("A"), .integer(3), .string("x"), .integer(7)]
        let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs, touched: [0, 1, 3])
        #expect(merge.values == [.string("B"), .integer(3), .string("x"), .integer(7)])
        #expect(merge.remaining == [0])
        #expect(
            merge.clashes == [
                .init(property: 1, base: .integer(1), mine: .integer(2), theirs: .integer(3), mineWon: false)
            ]
        )
    }

    @Test(
        arguments: [
            (ConflictPolicy.serverWins, 12), (.clientWins, 15), (.counter, 17), (.minimum, 12), (.maximum, 15),
            (.lastEdit, 15), (.union, 13), (.words, 12), (ConflictPolicy(.words, else: .clientWins), 15), (.ask, 12),
        ] as [(ConflictPolicy, Int64)]
    )
    func `each policy decides between 10 to 15 here and 10 to 12 there`(policy: ConflictPolicy, expected: Int64) {
        let merge = ThreeWayMerge(
            base: [.integer(10)],
            mine: [.integer(15)],
            theirs: [.integer(12)],
            touched: [0]
        ) { _, base, mine, theirs in
            let change = ConflictingChange(
                set: "Items",
                key: Key([.integer(1)]),
                property: "Count",
                base: base,
                mine: mine,
                theirs: theirs
            )
            return ConflictDecider().decide(policy, change, Property(names: Names(wire: "Count"), type: .int64))
        }
        #expect(merge.values == [.integer(expected)])
        #expect(merge.clashes.count == 1)
    }

    /// Whatever the rows: every value of the result is one of the two sides', nothing of either is lost without a clash.
    @Test(arguments: 0..<20)
    func `no update is lost without an entry`(round: Int) {
        var seed = UInt64(round) &* 0x9E37_79B9_7F4A_7C15 &+ 20_261_121
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        for _ in 0..<500 {
            let count = 1 + next(6)
            let base = (0..<count).map { _ in Value.integer(Int64(next(3))) }
            var mine = base
            var theirs = base
            var touched = Set<Int>()
            for place in 0..<count {
                if next(2) == 0 {
                    mine[place] = .integer(Int64(next(3)))
                    touched.insert(place)
                }
                if next(2) == 0 { theirs[place] = .integer(Int64(next(3))) }
            }
            let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs, touched: touched)
            for place in 0..<count {
                let clash = merge.clashes.first { $0.property == place }
                let comment: Comment = "round \(round): \(base) \(mine) \(theirs) at \(place)"
                #expect(merge.values[place] == mine[place] || merge.values[place] == theirs[place], comment)
                if theirs[place] != base[place] { #expect(merge.values[place] == theirs[place], comment) }
                if touched.contains(place), mine[place] != base[place], merge.values[place] != mine[place] {
                    #expect(clash?.mine == mine[place], comment)
                }
                #expect(merge.remaining.contains(place) == (merge.values[place] != theirs[place]), comment)
            }
            // Merging what came out once more changes nothing.
            let again = ThreeWayMerge(
                base: theirs,
                mine: merge.values,
                theirs: theirs,
                touched: Set(merge.remaining)
            )
            #expect(again.values == merge.values && again.clashes.isEmpty)
        }
    }
}
