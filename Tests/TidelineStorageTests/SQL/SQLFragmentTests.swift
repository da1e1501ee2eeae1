// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorage

/// Pieces of SQL: text and values apart.
struct SQLFragmentTests {
    private let nested: SQLFragment = {
        let test: SQLFragment = "\(name: "a\"b") > \(bind: .integer(5))"
        let other: SQLFragment = "\(SQLFragment(outer: 0)) = \(bind: .text("x"))"
        return "(\(SQLFragment([test, other, test], separator: " AND ")))"
    }()

    @Test func `parameters are numbered as they stand after those of each run`() {
        let (text, bindings) = nested.rendered(SQLiteDialect(), outer: 1)
        #expect(text == "(\"a\"\"b\" > ?2 AND ?1 = ?3 AND \"a\"\"b\" > ?4)")
        #expect(bindings == [.integer(5), .text("x"), .integer(5)])
    }

    @Test func `PostgreSQL casts each parameter`() {
        let (text, bindings) = nested.rendered(PostgresDialect(), outer: 1)
        #expect(text == "(\"a\"\"b\" > $2::bigint AND $1 = $3::text AND \"a\"\"b\" > $4::bigint)")
        #expect(bindings == [.integer(5), .text("x"), .integer(5)])
        let typed = SQLFragment(bind: .typed("2024-02-29", type: "date"))
        #expect(typed.rendered(PostgresDialect()).text == "$1::date")
    }

    @Test func `fragments are equal that render equally, however they were put together`() {
        let parts: SQLFragment =
            "\(SQLFragment(raw: "a"))\(SQLFragment(["b", "c"], separator: ""))\(bind: .null)\(SQLFragment(raw: "d"))"
        let whole: SQLFragment = "abc\(bind: .null)d"
        #expect(parts == whole)
        #expect(parts.hashValue == whole.hashValue)
        #expect(whole != "abc\(bind: .integer(1))d" as SQLFragment)
        #expect(whole != "ab\(bind: .null)cd" as SQLFragment)
        #expect("\(name: "x")" as SQLFragment == "\"x\"" as SQLFragment)
        #expect(SQLFragment(bind: .null) != SQLFragment(outer: 0))
    }

    @Test func `a list has its separator between its fragments alone`() {
        #expect(SQLFragment([], separator: ", ").rendered(SQLiteDialect()).text == "")
        #expect(SQLFragment(["a"], separator: ", ").rendered(SQLiteDialect()).text == "a")
        #expect(SQLFragment(["a", "", "c"], separator: ", ").rendered(SQLiteDialect()).text == "a, , c")
    }
}
