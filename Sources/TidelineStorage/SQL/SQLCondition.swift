// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A compiled condition.
struct SQLCondition {
    var sql: SQLFragment
    /// Whether null can come out where the standard says so (a Boolean property, a function of null).
    var isNullable: Bool
    /// Whether `sql` is safe beside AND, OR and NOT without parentheses.
    var isAtom: Bool
    /// What joins its parts, where it is several conditions: `AND` or `OR`.
    var word: String?

    init(_ sql: SQLFragment, isNullable: Bool = false, isAtom: Bool = false) {
        self.sql = sql
        self.isNullable = isNullable
        self.isAtom = isAtom
    }

    /// Several conditions joined with `AND` or `OR`, each in parentheses where it needs them there.
    ///
    /// Parts joined with the same word stand flat: a filter is often a long chain, and SQLite limits the depth.
    init(joining parts: [SQLCondition], _ word: String) {
        let terms = parts.map { $0.word == nil || $0.word == word ? $0.sql : $0.grouped }
        sql = SQLFragment(terms, separator: word == "AND" ? " AND " : " OR ")
        isNullable = parts.contains(where: \.isNullable)
        isAtom = false
        self.word = word
    }

    /// Two conditions joined.
    init(_ left: SQLCondition, _ word: String, _ right: SQLCondition) {
        let first = left.word == nil || left.word == word ? left.sql : left.grouped
        let second = right.word == nil || right.word == word ? right.sql : right.grouped
        sql = SQLFragment([first, word == "AND" ? " AND " : " OR ", second], separator: "")
        isNullable = left.isNullable || right.isNullable
        isAtom = false
        self.word = word
    }

    static let always = SQLCondition("TRUE", isAtom: true)
    static let never = SQLCondition("FALSE", isAtom: true)
    static let unknown = SQLCondition("NULL", isNullable: true, isAtom: true)

    /// With parentheses where it needs them.
    var grouped: SQLFragment { isAtom ? sql : "(\(sql))" }

    static func constant(_ value: Bool) -> SQLCondition { value ? always : never }
}
