// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import Testing

@testable import TidelineStore

/// What each rule makes of three values.
struct ConflictRuleTests {
    private func decide(
        _ policy: ConflictPolicy,
        _ base: Value,
        _ mine: Value,
        _ theirs: Value,
        _ property: Property = Property(names: Names(wire: "P"), type: .int64),
        functions: [String: ConflictFunction] = [:]
    ) -> ConflictDecision {
        let change = ConflictingChange(
            set: "Items",
            key: Key([.integer(7)]),
            property: "P",
            base: base,
            mine: mine,
            theirs: theirs
        )
        return ConflictDecider(functions: functions).decide(policy, change, property)
    }

    private func text(_ base: String, _ mine: String, _ theirs: String, by unit: TextRule.Unit) -> String? {
        guard case .string(let text)? = TextRule.join(.string(base), .string(mine), .string(theirs), by: unit) else {
            return nil
        }
        return text
    }

    // MARK: Counter

    @Test(arguments: [
        (Value.integer(10), Value.integer(15), Value.integer(12), Value.integer(17)),
        (.integer(10), .integer(5), .integer(12), .integer(7)), (.null, .integer(5), .integer(3), .integer(8)),
    ])
    func `a counter adds what both sides added`(base: Value, mine: Value, theirs: Value, sum: Value) {
        #expect(decide(.counter, base, mine, theirs) == .joined(sum))
    }

    @Test func `a counter of decimals keeps their digits`() {
        var property = Property(names: Names(wire: "P"), type: .decimal)
        property.scale = 2
        func decimal(_ coefficient: Int128, _ scale: Int) -> Value {
            .decimal(EdmDecimal(coefficient: coefficient, scale: scale))
        }
        #expect(
            decide(.counter, decimal(105, 1), decimal(1025, 2), decimal(20, 0), property) == .joined(decimal(1975, 2))
        )
        #expect(
            decide(.counter, .double(1), .double(1.5), .double(3), Property(names: Names(wire: "P"), type: .double))
                == .joined(.double(3.5))
        )
    }

    @Test func `a sum that leaves the range is left to the fallback`() {
        #expect(decide(.counter, .integer(0), .integer(.max), .integer(1)) == .theirs)
        #expect(decide(ConflictPolicy(.counter, else: .ask), .integer(0), .integer(.max), .integer(1)) == .open)
        let small = Property(names: Names(wire: "P"), type: .byte)
        let policy = ConflictPolicy(.counter, else: .clientWins)
        #expect(decide(policy, .integer(0), .integer(200), .integer(100), small) == .mine)
        #expect(decide(policy, .integer(0), .integer(100), .integer(155), small) == .joined(.integer(255)))
        #expect(decide(policy, .integer(0), .null, .integer(155), small) == .mine)
        #expect(decide(.counter, .integer(0), .integer(5), .null) == .theirs)
    }

    @Test func `what leaves the range on the way and is in it at the end counts`() {
        #expect(decide(.counter, .integer(.min), .integer(.max), .integer(.min + 5)) == .theirs)
        #expect(decide(.counter, .integer(.max), .integer(-1), .integer(.max - 1)) == .joined(.integer(-2)))
    }

    // MARK: Extremes

    @Test func `null and not-a-number give way`() {
        #expect(decide(.maximum, .integer(1), .integer(2), .null) == .mine)
        #expect(decide(.minimum, .integer(1), .null, .integer(2)) == .theirs)
        let number = Property(names: Names(wire: "P"), type: .double)
        #expect(decide(.minimum, .double(1), .double(.nan), .double(2), number) == .theirs)
        #expect(decide(.maximum, .double(1), .double(2), .double(.nan), number) == .mine)
        #expect(decide(.maximum, .null, .double(.nan), .null, number) == .mine)
        let date = Property(names: Names(wire: "P"), type: .date)
        let days = [1, 9, 4].map { Value.date(CalendarDate(daysSinceEpoch: $0)) }
        #expect(decide(.maximum, days[0], days[1], days[2], date) == .mine)
        #expect(decide(.minimum, days[0], days[1], days[2], date) == .theirs)
    }

    // MARK: Union

    @Test(arguments: [
        (#"["a","b"]"#, #"["b","c"]"#, #"["a","b","d"]"#, #"["b","d","c"]"#),
        ("[]", #"["x"]"#, #"["y"]"#, #"["y","x"]"#), (#"["a"]"#, "[]", #"["a","b"]"#, #"["b"]"#),
        ("[1,2]", "[1,2,3]", "[2,1.0]", "[2,1.0,3]"), (#"[{"k":1}]"#, #"[{"k":1},{"k":2}]"#, "[]", #"[{"k":2}]"#),
    ])
    func `a union has what either added, and not what either took out`(
        base: String,
        mine: String,
        theirs: String,
        union: String
    ) {
        var tags = Property(names: Names(wire: "P"), type: .string)
        tags.structure = .collection(of: .primitive(.string))
        #expect(decide(.union, .string(base), .string(mine), .string(theirs), tags) == .joined(.string(union)))
    }

    @Test func `flags are a set of bits`() {
        #expect(decide(.union, .integer(0b0011), .integer(0b0110), .integer(0b1011)) == .joined(.integer(0b1110)))
        #expect(decide(.union, .null, .integer(1), .integer(2)) == .joined(.integer(3)))
        #expect(decide(.union, .integer(1), .null, .integer(2)) == .theirs)
        var tags = Property(names: Names(wire: "P"), type: .string)
        tags.structure = .collection(of: .primitive(.string))
        #expect(decide(.union, .null, .string("[1]"), .string("{}"), tags) == .theirs)
    }

    // MARK: Texts

    @Test(
        arguments: [
            ("the red house", "the old red house", "the red barn", "the old red barn"),
            ("one two three", "ONE two three", "one two THREE", "ONE two THREE"), ("a b c d", "a c d", "a b c", "a c"),
            ("a, b", "a, b!", "A, b", "A, b!"), ("x y", "x  y", "w x y", "w x  y"), ("a b", "a c", "a d", nil),
            ("a b c", "a X c", "a X c d", "a X c d"), ("", "new", "", "new"), ("", "a", "b", nil),
            ("caf\u{e9} noir", "cafe\u{301} noir", "caf\u{e9} noir!", "cafe\u{301} noir!"),
        ] as [(String, String, String, String?)]
    )
    func `words are merged where the edits do not touch`(base: String, mine: String, theirs: String, merged: String?) {
        let text = text(base, mine, theirs, by: .words)
        #expect(text.map { Array($0.utf8) } == merged.map { Array($0.utf8) })
    }

    @Test(
        arguments: [
            ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"), ("a\nb\n", "a x\nb\n", "a y\nb\n", nil),
            ("a\nb", "a\nb\nc", "z\na\nb", "z\na\nb\nc"), ("a\r\nb\r\n", "a\r\nB\r\n", "A\r\nb\r\n", "A\r\nB\r\n"),
        ] as [(String, String, String, String?)]
    )
    func `lines are merged as wholes`(base: String, mine: String, theirs: String, merged: String?) {
        let text = text(base, mine, theirs, by: .lines)
        #expect(text.map { Array($0.utf8) } == merged.map { Array($0.utf8) })
    }

    @Test func `texts that overlap, or that the property may not have, are left to the fallback`() {
        var note = Property(names: Names(wire: "P"), type: .string)
        #expect(decide(.words, .string("a"), .string("b"), .string("c"), note) == .theirs)
        #expect(
            decide(ConflictPolicy(.words, else: .ask), .string("a"), .string("b"), .string("c"), note) == .open
        )
        #expect(decide(.words, .string("a b"), .string("x b"), .string("a y"), note) == .joined(.string("x y")))
        note.maxLength = 4
        #expect(decide(.words, .string("a b"), .string("aa b"), .string("a bb"), note) == .theirs)
    }

    @Test func `texts with more differences than are looked for are not merged`() {
        let many = (0..<600).map { "m\($0)" }.joined(separator: " ")
        let others = (0..<600).map { "n\($0)" }.joined(separator: " ")
        #expect(text(many, others, many + "!", by: .words) == nil)
    }

    // MARK: Functions

    @Test func `a function of the app decides by its name, and the fallback where it cannot`() {
        let policy = ConflictPolicy(.custom("Mean"), else: .clientWins)
        let functions: [String: ConflictFunction] = [
            "Mean": { change in
                guard case (.integer(let mine), .integer(let theirs)) = (change.mine, change.theirs) else { return nil }
                return change.set == "Items" && change.key.values == [.integer(7)] && change.property == "P"
                    ? .integer((mine + theirs) / 2) : nil
            }
        ]
        #expect(decide(policy, .integer(0), .integer(2), .integer(8), functions: functions) == .joined(.integer(5)))
        #expect(decide(policy, .integer(0), .null, .integer(8), functions: functions) == .mine)
        #expect(decide(policy, .integer(0), .integer(2), .integer(8)) == .mine)
        let constant: [String: ConflictFunction] = ["Mean": { _ in .string("no number") }]
        #expect(decide(policy, .integer(0), .integer(2), .integer(8), functions: constant) == .mine)
    }
}
