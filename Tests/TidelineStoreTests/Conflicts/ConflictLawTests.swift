// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// The laws that every policy keeps, over random values.
struct ConflictLawTests {
    /// A policy with values that it decides over, and whether the order of the two sides must not matter.
    struct Case: Sendable, CustomTestStringConvertible {
        var policy: ConflictPolicy
        var property: Property
        var isSymmetric = false
        var value: @Sendable (inout SeededGenerator) -> Value

        var testDescription: String { "\(policy.text) of \(property.type.rawValue)" }
    }

    static let functions: [String: ConflictFunction] = [
        "Longer": { change in
            guard case (.string(let mine), .string(let theirs)) = (change.mine, change.theirs) else { return nil }
            return .string(mine.utf8.count > theirs.utf8.count ? mine : theirs)
        }
    ]

    private static func property(_ type: PrimitiveType) -> Property { Property(names: Names(wire: "P"), type: type) }

    private static var collection: Property {
        var property = property(.string)
        property.structure = .collection(of: .primitive(.int64))
        return property
    }

    private static func small(_ random: inout SeededGenerator) -> Value {
        Int.random(in: 0..<8, using: &random) == 0 ? .null : .integer(Int64.random(in: -4...4, using: &random))
    }

    private static func decimal(_ random: inout SeededGenerator) -> Value {
        .decimal(
            EdmDecimal(
                coefficient: Int128.random(in: -99...99, using: &random),
                scale: Int.random(in: 0...2, using: &random)
            )
        )
    }

    private static func double(_ random: inout SeededGenerator) -> Value {
        .double([Double.nan, -1.5, 0, 2, .infinity].randomElement(using: &random) ?? 0)
    }

    private static func flags(_ random: inout SeededGenerator) -> Value {
        .integer(Int64.random(in: 0...255, using: &random))
    }

    private static func items(_ random: inout SeededGenerator) -> Value {
        let items = (0..<6).filter { _ in Bool.random(using: &random) }
        return .string(JSONValue.array(items.map { .number("\($0)") }).text)
    }

    private static func text(_ random: inout SeededGenerator) -> Value {
        let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            ["a", "b", "c", "é", "d\nd"].randomElement(using: &random) ?? ""
        }
        return .string(words.joined(separator: Bool.random(using: &random) ? " " : "\n"))
    }

    static let all: [Case] = [
        Case(policy: .serverWins, property: property(.int64), value: small),
        Case(policy: .clientWins, property: property(.int64), value: small),
        Case(policy: .lastEdit, property: property(.string), value: text),
        Case(policy: .ask, property: property(.int64), value: small),
        Case(policy: .counter, property: property(.int64), value: small),
        Case(policy: .counter, property: property(.decimal), isSymmetric: true, value: decimal),
        Case(policy: .minimum, property: property(.int64), isSymmetric: true, value: small),
        Case(policy: .maximum, property: property(.int64), isSymmetric: true, value: small),
        Case(policy: .maximum, property: property(.double), isSymmetric: true, value: double),
        Case(policy: .minimum, property: property(.decimal), isSymmetric: true, value: decimal),
        Case(policy: .maximum, property: property(.string), isSymmetric: true, value: text),
        Case(policy: .union, property: property(.int64), isSymmetric: true, value: flags),
        Case(policy: .union, property: collection, isSymmetric: true, value: items),
        Case(policy: .words, property: property(.string), value: text),
        Case(policy: .lines, property: property(.string), value: text),
        Case(policy: ConflictPolicy(.words, else: .clientWins), property: property(.string), value: text),
        Case(policy: ConflictPolicy(.custom("Longer")), property: property(.string), value: text),
        Case(policy: ConflictPolicy(.custom("Missing"), else: .lastEdit), property: property(.string), value: text),
    ]

    /// One property merged: what results, and what the log keeps.
    private func merge(_ one: Case, _ base: Value, _ mine: Value, _ theirs: Value) -> ThreeWayMerge {
        ThreeWayMerge(base: [base], mine: [mine], theirs: [theirs], touched: [0]) { _, base, mine, theirs in
            let change = ConflictingChange(
                set: "Items",
                key: Key([.integer(1)]),
                property: "P",
                base: base,
                mine: mine,
                theirs: theirs
            )
            return ConflictDecider(functions: Self.functions).decide(one.policy, change, one.property)
        }
    }

    /// Collections count as sets: the order of their items is the server's.
    private func same(_ left: Value, _ right: Value) -> Bool {
        guard case (.string(let left), .string(let right)) = (left, right), case .array(let one)? = JSONValue(left),
            case .array(let two)? = JSONValue(right)
        else { return left == right }
        return Set(one) == Set(two) && one.count == two.count
    }

    @Test(arguments: all, Seeds.chosen(or: 0..<5))
    func `a side that changed nothing gives way, equal changes are one, and what lost is in the log`(
        one: Case,
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let (base, mine, theirs) = (one.value(&random), one.value(&random), one.value(&random))
            let comment: Comment = "seed \(seed): \(base) \(mine) \(theirs)"
            if one.policy != .counter {
                #expect(merge(one, base, mine, mine).values == [mine], comment)
                #expect(merge(one, base, mine, mine).clashes.isEmpty, comment)
            }
            #expect(merge(one, base, base, theirs).values == [theirs], comment)
            #expect(merge(one, base, mine, base).values == [mine], comment)
            #expect(merge(one, base, mine, base).clashes.isEmpty, comment)
            let merged = merge(one, base, mine, theirs)
            #expect(merged == merge(one, base, mine, theirs), comment)
            guard mine != base, theirs != base, mine != theirs else { continue }
            let clash = merged.clashes.first
            #expect(clash?.base == base && clash?.mine == mine && clash?.theirs == theirs, comment)
            #expect(clash?.mineWon == (merged.values[0] != theirs), comment)
            #expect(clash?.isOpen == (one.policy == .ask), comment)
            // Met again by a server that has it, nothing is left to do.
            let again = merge(one, merged.values[0], merged.values[0], merged.values[0])
            #expect(again.values == merged.values && again.clashes.isEmpty && again.remaining.isEmpty, comment)
            // Sent again after the server took it, it is a change on top of itself.
            #expect(merge(one, theirs, merged.values[0], theirs).values == merged.values, comment)
            #expect(one.property.violations(of: merged.values[0]).isEmpty, comment)
        }
    }

    @Test(arguments: all.filter(\.isSymmetric), Seeds.chosen(or: 0..<5))
    func `counters, unions and extremes do not depend on who comes first`(one: Case, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let (base, a, b, c) = (one.value(&random), one.value(&random), one.value(&random), one.value(&random))
            // A side that changed nothing says nothing.
            guard a != base, b != base, c != base else { continue }
            let comment: Comment = "seed \(seed): \(base) \(a) \(b) \(c)"
            func join(_ mine: Value, _ theirs: Value) -> Value { merge(one, base, mine, theirs).values[0] }
            #expect(same(join(a, b), join(b, a)), comment)
            #expect(same(join(a, join(b, c)), join(join(a, b), c)), comment)
            if one.policy != .counter { #expect(same(join(a, join(a, b)), join(a, b)), comment) }
        }
    }

    @Test(arguments: Seeds.chosen(or: 0..<5))
    func `a counter holds the sum of all that was added, equal additions too`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let counter = Case(policy: .counter, property: Self.property(.int64), value: Self.small)
        for _ in 0..<200 {
            let base = Int64.random(in: -50...50, using: &random)
            let steps = (0..<6).map { _ in Int64.random(in: -3...3, using: &random) }
            var server = Value.integer(base)
            for step in steps { server = merge(counter, .integer(base), .integer(base + step), server).values[0] }
            #expect(server == .integer(base + steps.reduce(0, +)), "seed \(seed): \(base) \(steps)")
        }
    }
}
