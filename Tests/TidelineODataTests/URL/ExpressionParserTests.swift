// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

@testable import TidelineOData

struct ExpressionParserTests {
    private func path(_ names: String...) -> Expression { .path(names) }

    @Test func `operators bind as the standard's table says`() throws {
        let expression = try ExpressionParser.parse("a add b mul 2 gt 3 and not c or d eq null")
        let expected: Expression = .binary(
            .or,
            .binary(
                .and,
                .binary(
                    .greaterThan,
                    .binary(.add, path("a"), .binary(.mul, path("b"), .literal(.integer(2)))),
                    .literal(.integer(3))
                ),
                .unary(.not, path("c"))
            ),
            .binary(.equal, path("d"), .literal(.null))
        )
        #expect(expression == expected)
    }

    @Test func `operators of one level lean to the left`() throws {
        #expect(
            try ExpressionParser.parse("a sub b sub c")
                == .binary(.sub, .binary(.sub, path("a"), path("b")), path("c"))
        )
    }

    @Test(arguments: [
        ("'O''Neil'", Value.string("O'Neil")),
        ("''", .string("")),
        ("''''", .string("'")),
        ("'''a'''", .string("'a'")),
        ("'a''''b'", .string("a''b")),
        ("0042", .integer(42)),
        ("999999999999999999", .integer(999_999_999_999_999_999)),
        ("9223372036854775807", .integer(.max)),
        ("42", .integer(42)),
        ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .decimal(EdmDecimal(coefficient: 9_223_372_036_854_775_808))),
        ("1.50", .decimal(EdmDecimal(coefficient: 150, scale: 2))),
        ("1e3", .double(1000)),
        ("-INF", .double(-.infinity)),
        ("INF", .double(.infinity)),
        ("true", .boolean(true)),
        ("null", .null),
        ("2026-11-21", .date(CalendarDate(daysSinceEpoch: 20_778))),
        ("08:30:15", .timeOfDay(TimeOfDay(nanoseconds: 30_615_000_000_000))),
        ("1970-01-01T01:00:00+01:00", .dateTimeOffset(DateTimeOffset(seconds: 0))),
        ("duration'PT1M'", .duration(.seconds(60))),
        ("binary'Zm8='", .binary([0x66, 0x6F])),
        ("a0000000-0000-0000-0000-000000000001", .guid(GUID(high: 0xA000_0000_0000_0000, low: 1))),
    ])
    func `a literal has the type of its form`(text: String, value: Value) throws {
        #expect(try ExpressionParser.parse(text) == .literal(value))
    }

    @Test func `not a number is read as such`() throws {
        guard case .literal(.double(let value)) = try ExpressionParser.parse("NaN") else {
            Issue.record("NaN is a double")
            return
        }
        #expect(value.isNaN)
    }

    @Test func `a minus before a name negates it`() throws {
        #expect(try ExpressionParser.parse("-a") == .unary(.negate, path("a")))
        #expect(try ExpressionParser.parse("a sub -5") == .binary(.sub, path("a"), .literal(.integer(-5))))
    }

    @Test func `names of functions and operators are read in any case`() throws {
        #expect(
            try ExpressionParser.parse("StartsWith(Client/Name,'A') AND now() GT Placed")
                == .binary(
                    .and,
                    .call(.startswith, [path("Client", "Name"), .literal(.string("A"))]),
                    .binary(.greaterThan, .call(.now, []), path("Placed"))
                )
        )
    }

    @Test func `lists, the user and aliases`() throws {
        #expect(
            try ExpressionParser.parse("not Id in (1, 2)")
                == .unary(.not, .isIn(path("Id"), [.literal(.integer(1)), .literal(.integer(2))]))
        )
        #expect(try ExpressionParser.parse("Team in @me/Teams") == .isInUser(path("Team"), attribute: "Teams"))
        #expect(try ExpressionParser.parse("Owner eq @me") == .binary(.equal, path("Owner"), .me(attribute: nil)))
        let aliases = ["a": "@b", "b": "5", "l": "['x',\"y\"]"]
        #expect(
            try ExpressionParser.parse("N eq @a", aliases: aliases) == .binary(.equal, path("N"), .literal(.integer(5)))
        )
        #expect(
            try ExpressionParser.parse("N in @l", aliases: aliases)
                == .isIn(path("N"), [.literal(.string("x")), .literal(.string("y"))])
        )
        #expect(try ExpressionParser.parse("N eq @z") == .binary(.equal, path("N"), .literal(.null)))
    }

    @Test(arguments: [
        ("", 0), ("a eq", 4), ("a eq 'x", 5), ("(a eq 1", 7), ("a eq 1)", 6), ("length(a", 8), ("nope(a)", 0),
        ("length(a,b)", 0), ("a/", 2), ("2026-13-01", 0), ("a eq duration'x'", 5), ("a  b", 1),
        ("1.5.5", 0), ("99:00", 0),
    ])
    func `a mistake is told where it stands`(text: String, offset: Int) {
        let error = #expect(throws: ODataError.self) { try ExpressionParser.parse(text) }
        #expect(error?.code == "InvalidFilter")
        #expect(error?.offset == offset)
    }

    @Test func `nesting has a limit, and hostile nesting ends there`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "(", count: levels) + "a" + String(repeating: ")", count: levels)
        }
        #expect(try ExpressionParser.parse(nested(90)) == path("a"))
        for text in [
            nested(1_000_000),
            String(repeating: "not ", count: 1_000_000) + "a",
            String(repeating: "-", count: 1_000_000) + "a",
            String(repeating: "tolower(", count: 1_000_000),
            "a" + String(repeating: " add a", count: 1_000_000),
        ] {
            let error = #expect(throws: ODataError.self) { try ExpressionParser.parse(text) }
            #expect(error?.code == "TooComplex")
        }
    }

    @Test func `aliases that multiply or never end are refused`() {
        var aliases = ["a0": "1"]
        for level in 1...50 { aliases["a\(level)"] = "@a\(level - 1) eq @a\(level - 1)" }
        aliases["x"] = "@x"
        for text in ["@a50", "@x"] {
            let error = #expect(throws: ODataError.self) { try ExpressionParser.parse(text, aliases: aliases) }
            #expect(error?.code == "TooComplex")
        }
    }

    @Test func `a long chain becomes a tree of little depth`() throws {
        let text = (0..<2000).map { "Id eq \($0)" }.joined(separator: " or ")
        let expression = try ExpressionParser.parse(text)
        func depth(_ expression: Expression) -> Int {
            guard case .binary(.or, let left, let right) = expression else { return 0 }
            return 1 + max(depth(left), depth(right))
        }
        #expect(depth(expression) <= 20)
        #expect(ExpressionPrinter.print(expression) == text)
    }

    @Test func `a list has a limit`() throws {
        let items = { (count: Int) in "a in (" + Array(repeating: "1", count: count).joined(separator: ",") + ")" }
        guard case .isIn(_, let list) = try ExpressionParser.parse(items(10_000)) else {
            Issue.record("a list was written")
            return
        }
        #expect(list.count == 10_000)
        let error = #expect(throws: ODataError.self) { try ExpressionParser.parse(items(10_001)) }
        #expect(error?.code == "TooComplex")
    }

    @Test(arguments: [
        "a add b mul 2 gt 3 and not c or d eq null", "(a or b) and c", "a sub (b sub c)", "not (a eq 1)", "-(5)", "-a",
        "--a", "(a add b) in (1,2)", "not a in (1)", "Team in @me/Teams", "Owner eq @me", "startswith(A/B,'O''Neil')",
        "a eq duration'PT1M'", "a eq binary'Zm8'", "a eq 2026-11-21T10:00:00Z", "a divby 2.5 le 1", "now() gt a",
        "(a eq b) eq c eq false", "case((NOT) : 180)", "(not) eq 5", "5 in NOT", "not (not)", "$it/it.i eq null",
        "$it/6/it/i eq null", "$it/lD($it/0) eq null", "-(0 in ip)",
        "not/a eq 1",
    ])
    func `printed text reads back as the same expression`(text: String) throws {
        let expression = try ExpressionParser.parse(text)
        let printed = ExpressionPrinter.print(expression)
        #expect(try ExpressionParser.parse(printed) == expression)
        if text != "(a eq b) eq c eq false" { #expect(printed == text) }
    }
}
