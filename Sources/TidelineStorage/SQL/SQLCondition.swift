// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A compiled condition.
struct SQLCondition {
    var sql: SQLFragment
    /// Whether null can come out where the standard says so (a Boolean property, a function of null).
    var isNullable: Bool
    /// Whether `sql` is safe beside AND, OR and NOT without parentheses.
    var isAtom: Bool

    init(_ sql: SQLFragment, isNullable: Bool = false, isAtom: Bool = false) {
        self.sql = sql
        self.isNullable = isNullable
        self.isAtom = isAtom
    }

    static let always = SQLCondition("TRUE", isAtom: true)
    static let never = SQLCondition("FALSE", isAtom: true)
    static let unknown = SQLCondition("NULL", isNullable: true, isAtom: true)

    /// With parentheses where it needs them.
    var grouped: SQLFragment { isAtom ? sql : "(\(sql))" }

    static func constant(_ value: Bool) -> SQLCondition { value ? always : never }
}
