// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

/// Parameters and statements in SQL.
struct OperationScriptTests {
    /// The statements with each parameter as `<name>`.
    private func statements(_ sql: String, _ language: OperationScript.Language = .sqlite) -> [String] {
        OperationScript(sql, language: language).statements.map { pieces in
            pieces.map { piece in
                switch piece {
                case .text(let text): text
                case .parameter(let name): "<\(name)>"
                }
            }.joined()
        }
    }

    @Test(arguments: [
        ("SELECT :a, :b_2+:a", ["SELECT <a>, <b_2>+<a>"]),
        ("SELECT ':a'':b', \":c\", `:d`, [:e] -- :f\n, :g", ["SELECT ':a'':b', \":c\", `:d`, [:e] -- :f\n, <g>"]),
        ("/* :a ; */ SELECT 1; ; -- end\n ;SELECT 2;", ["/* :a ; */ SELECT 1", "SELECT 2"]),
        ("SELECT ';' ; SELECT 'x", ["SELECT ';' ", " SELECT 'x"]),
        ("", []), ("  -- nothing", []), ("SELECT 1 /* open", ["SELECT 1 /* open"]),
    ])
    func `SQL of SQLite`(sql: String, expected: [String]) { #expect(statements(sql) == expected) }

    @Test(arguments: [
        ("SELECT a::text, :b::int, c[:d]", ["SELECT a::text, <b>::int, c[<d>]"]),
        ("SELECT $$ :a; $$, $x$ $$ :b $x$, :c", ["SELECT $$ :a; $$, $x$ $$ :b $x$, <c>"]),
        (#"SELECT E'\':a', 'b\', :c"#, [#"SELECT E'\':a', 'b\', <c>"#]),
        (
            "SELECT /* a /* :b */ :c */ :d, x ? 'k', @ -1, j @> :e",
            ["SELECT /* a /* :b */ :c */ <d>, x ? 'k', @ -1, j @> <e>"]
        ),
        ("SELECT x[1:2]", ["SELECT x[1:2]"]),
    ])
    func `SQL of PostgreSQL`(sql: String, expected: [String]) { #expect(statements(sql, .postgres) == expected) }

    @Test(
        arguments: [
            ("SELECT ?", OperationScript.Language.sqlite, "?"), ("SELECT ?12", .sqlite, "?12"),
            ("SELECT @x", .sqlite, "@x"),
            ("SELECT $x", .sqlite, "$x"), ("SELECT $1", .postgres, "$1"), ("SELECT '?'", .sqlite, nil),
            ("SELECT a ? 'b'", .postgres, nil),
        ] as [(String, OperationScript.Language, String?)]
    )
    func `parameters of another form are told`(sql: String, language: OperationScript.Language, expected: String?) {
        #expect(OperationScript(sql, language: language).foreignParameter == expected)
    }

    @Test(arguments: [
        ("  -- x\n /* y */ (select 1)", "SELECT"), ("with a as (select 1) select 2", "WITH"), ("PRAGMA x", "PRAGMA"),
        (":a", ""), ("@", "@"),
    ])
    func `a statement is known by its first word`(sql: String, word: String) {
        #expect(OperationScript(sql, language: .postgres).keyword(of: 0) == word)
    }
}
