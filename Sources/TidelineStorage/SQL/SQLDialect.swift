// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What differs between the databases that compiled SQL runs on.
public protocol SQLDialect: Sendable {
    /// The text of parameter `number`, counted from 1.
    func placeholder(_ number: Int) -> String
    /// Equality where null equals null: never null itself.
    func same(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// The opposite of ``same(_:_:)``.
    func different(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment
    /// Text that compares by its UTF-8 bytes.
    func binaryText(_ text: SQLFragment) -> SQLFragment
    /// Text of decimals that compares by number.
    func decimalText(_ text: SQLFragment) -> SQLFragment
    /// A call of one of the functions that compiled SQL relies on.
    func call(_ function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment
    /// The moment of the statement as text of fixed width, nine digits after the point.
    var now: SQLFragment { get }
    /// A column with the name of an enumeration's member, as text that compares by its bytes.
    func memberText(_ column: SQLFragment) -> SQLFragment
    /// Whether a text matches a pattern of ``TidelineModel/Pattern``.
    func matches(_ text: SQLFragment, _ pattern: String) -> SQLFragment
    /// What to read the items of a JSON array from: no rows for null and for what is no array.
    func elements(of array: SQLFragment, as alias: String) -> SQLFragment
    /// The JSON text of the item at hand of ``elements(of:as:)``.
    func element(of array: SQLFragment, as alias: String) -> SQLFragment
    /// One key of an order, nulls before all values when ascending and after them when descending.
    func orderTerm(_ term: SQLFragment, isDescending: Bool) -> SQLFragment
}

/// SQLite, with the functions and collations that a connection of TidelineSQLite registers.
public struct SQLiteDialect: SQLDialect {
    public init() {}

    public func placeholder(_ number: Int) -> String { "?\(number)" }

    public func same(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS \(right)" }

    public func different(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS NOT \(right)" }

    // Always said, because the column may be declared with NOCASE; the planner still uses an index of that collation.
    public func binaryText(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE BINARY" }

    public func decimalText(_ text: SQLFragment) -> SQLFragment { "\(text) COLLATE tideline_decimal" }

    public func call(_ function: SQLFunction, _ arguments: [SQLFragment]) -> SQLFragment {
        "\(SQLFragment(raw: "tideline_" + function.rawValue))(\(SQLFragment(arguments, separator: ", ")))"
    }

    public func matches(_ text: SQLFragment, _ pattern: String) -> SQLFragment {
        call(.matches, [text, SQLFragment(bind: .text(pattern))])
    }

    public func memberText(_ column: SQLFragment) -> SQLFragment { "\(column) COLLATE BINARY" }

    public func elements(of array: SQLFragment, as alias: String) -> SQLFragment {
        let valid: SQLFragment = "CASE WHEN json_valid(\(array)) THEN \(array) END"
        return "json_each(CASE WHEN json_type(\(valid)) = 'array' THEN \(array) END) AS \(SQLFragment(raw: alias))"
    }

    public func element(of array: SQLFragment, as alias: String) -> SQLFragment {
        "(\(array) -> \(SQLFragment(raw: alias)).fullkey)"
    }

    public var now: SQLFragment { "strftime('%Y-%m-%dT%H:%M:%f000000Z', 'now')" }

    // SQLite orders null before every value, which is the order of the standard.
    public func orderTerm(_ term: SQLFragment, isDescending: Bool) -> SQLFragment {
        isDescending ? "\(term) DESC" : term
    }
}
