// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

struct ConflictPolicyTests {
    @Test(arguments: [
        ("serverWins", ConflictPolicy.serverWins), ("clientWins", .clientWins), ("lastEdit", .lastEdit),
        ("counter", .counter), ("union", .union), ("minimum", .minimum), ("maximum", .maximum), ("words", .words),
        ("lines", .lines), ("ask", .ask), ("words else ask", ConflictPolicy(.words, else: .ask)),
        ("counter else clientWins", ConflictPolicy(.counter, else: .clientWins)),
        ("custom(Prices)", ConflictPolicy(.custom("Prices"))),
        ("custom(Prices) else lastEdit", ConflictPolicy(.custom("Prices"), else: .lastEdit)),
    ])
    func `a policy is read as it is written`(text: String, policy: ConflictPolicy) {
        #expect(policy.text == text)
        #expect(ConflictPolicy(text: text) == policy)
    }

    @Test(arguments: [
        "", " ", "newest", "words else", "words else counter", "words or ask", "words else ask now", "custom",
        "custom()", "custom(a b)", "custom(1)", "Counter",
    ])
    func `what is no policy is none`(text: String) {
        #expect(ConflictPolicy(text: text) == nil)
    }

    @Test(arguments: [
        (PrimitiveType.int32, ["words", "lines"]), (.string, ["counter"]),
        (.decimal, ["union", "words", "lines"]),
        (.guid, ["counter", "union", "words", "lines"]),
        (.geographyPoint, ["counter", "union", "minimum", "maximum", "words", "lines"]),
    ])
    func `a rule says which values it cannot decide over`(type: PrimitiveType, refused: [String]) {
        let property = Property(names: Names(wire: "P"), type: type)
        let all = ["serverWins", "counter", "union", "minimum", "maximum", "words", "lines", "ask", "custom(F)"]
        #expect(all.filter { ConflictPolicy(text: $0)?.mismatch(with: property) != nil } == refused)
    }

    @Test func `a collection takes a union, and nothing that needs an order or a text`() {
        var tags = Property(names: Names(wire: "Tags"), type: .string)
        tags.structure = .collection(of: .primitive(.string))
        #expect(ConflictPolicy.union.mismatch(with: tags) == nil)
        #expect(ConflictPolicy.words.mismatch(with: tags) == "needs a text")
        #expect(ConflictPolicy.maximum.mismatch(with: tags) == "needs values that have an order")
        #expect(ConflictPolicy.counter.mismatch(with: tags) == "needs a number")
    }

    @Test func `the policy of a property counts before that of its type`() {
        var type = EntityType(
            names: Names(wire: "Item"),
            properties: ["Id", "Name"].map { Property(names: Names(wire: $0), type: .int32) },
            key: [0]
        )
        #expect(type.conflictPolicy(of: 1) == .serverWins)
        type.conflictPolicy = .ask
        #expect(type.conflictPolicy(of: 1) == .ask)
        type.properties[1].conflictPolicy = .counter
        #expect(type.conflictPolicy(of: 1) == .counter)
        #expect(type.conflictPolicy(of: 0) == .ask)
    }
}
