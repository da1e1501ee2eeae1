// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension PostgresFunctions {
    /// Text by Unicode scalars, compared by bytes.
    static let text = [
        sql(
            "substring(a text, start bigint)",
            "text",
            "substr(a, least(CASE WHEN start < 0 THEN greatest(length(a) + start, 0) ELSE start END, length(a))::int + 1)"
        ),
        sql(
            "substring(a text, start bigint, count bigint)",
            "text",
            "substr(a, least(CASE WHEN start < 0 THEN greatest(length(a) + start, 0) ELSE start END, length(a))::int + 1, least(greatest(count, 0), length(a))::int)"
        ),
        sql("endswith(a text, b text)", "boolean", "right(a, length(b)) = b COLLATE \"C\""),
        sql("trim(a text)", "text", "btrim(a, \(quoted(whiteSpace)))"),
    ].joined(separator: "\n")

    /// The white space of Unicode.
    private static let whiteSpace: String = lowScalars.filter(\.properties.isWhitespace).map(String.init).joined()

    /// The scalars of the first two planes but U+0000: beyond them none has a case or is white space, and a server that
    /// starts need not look at them all.
    static var lowScalars: some Sequence<Unicode.Scalar> { (1...0x1FFFF).lazy.compactMap(Unicode.Scalar.init) }

    /// All scalars but U+0000.
    static var scalars: some Sequence<Unicode.Scalar> { (1...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) }

    /// A text as a literal of SQL.
    static func quoted(_ text: String) -> String { text.quoted(by: "'") }
}
