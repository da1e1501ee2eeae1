// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A compiled condition.
struct SQLCondition {
    var sql: SQLFragment
    /// Whether null can come out where the standard says so (a Boolean property, a function of null).
    var isNullable: Bool
    /// Whether `sql` is safe beside AND, OR and NOT without parentheses.
    var isAtom: Bool
    /// What joins its parts, where it is several conditions.
    var word: Junction?

    /// The word between conditions.
    enum Junction {
        case and, or

        fileprivate var separator: StaticString {
            switch self {
            case .and: " AND "
            case .or: " OR "
            }
        }
    }

    init(_ sql: SQLFragment, isNullable: Bool = false, isAtom: Bool = false) {
        self.sql = sql
        self.isNullable = isNullable
        self.isAtom = isAtom
    }

    /// Several conditions joined with `AND` or `OR`, each in parentheses where it needs them there.
    ///
    /// Parts joined with the same word stand flat: a filter is often a long chain, and SQLite limits the depth.
    init(joining parts: [SQLCondition], _ word: Junction) {
        sql = SQLFragment(parts.map { $0.part(of: word) }, separator: word.separator)
        isNullable = parts.contains(where: \.isNullable)
        isAtom = false
        self.word = word
    }

    /// Joins another condition to this one.
    ///
    /// In place, so that a chain of conditions is written once.
    mutating func join(_ word: Junction, _ other: SQLCondition) {
        if self.word != nil, self.word != word { sql = grouped }
        sql.append(literal: word.separator)
        sql.append(other.part(of: word))
        isNullable = isNullable || other.isNullable
        isAtom = false
        self.word = word
    }

    /// As it stands between others that a word joins.
    private func part(of junction: Junction) -> SQLFragment { word == nil || word == junction ? sql : grouped }

    static let always = SQLCondition("TRUE", isAtom: true)
    static let never = SQLCondition("FALSE", isAtom: true)
    static let unknown = SQLCondition("NULL", isNullable: true, isAtom: true)

    /// With parentheses where it needs them.
    var grouped: SQLFragment { isAtom ? sql : "(\(sql))" }

    static func constant(_ value: Bool) -> SQLCondition { value ? always : never }
}
