// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension PostgresFunctions {
    /// Upper and lower case by one table, that of the evaluator: each scalar by itself, in no language.
    ///
    /// What PostgreSQL's own functions do hangs on the locale of the database.
    static let letters = [
        mapping("lower") { $0.properties.lowercaseMapping }, mapping("upper") { $0.properties.uppercaseMapping },
    ].joined(separator: "\n")

    /// ASCII, nearly all text, goes the short way; then scalar for scalar; then the few that become several.
    private static func mapping(_ name: String, _ mapped: (Unicode.Scalar) -> String) -> String {
        var from = String.UnicodeScalarView()
        var to = String.UnicodeScalarView()
        var several: [(String, String)] = []
        for scalar in lowScalars where !scalar.isASCII {
            let result = mapped(scalar).unicodeScalars
            if result.count == 1, let only = result.first {
                guard only != scalar else { continue }
                from.append(scalar)
                to.append(only)
            } else {
                several.append((String(scalar), String(result)))
            }
        }
        var replaced = "a"
        for (scalar, text) in several { replaced = "replace(\(replaced), \(quoted(scalar)), \(quoted(text)))" }
        let ascii = "\(name)(a COLLATE \"C\")"
        let letters = "translate(\(ascii), \(quoted(String(from))), \(quoted(String(to))))"
        let marks = several.map(\.0).joined()
        return sql(
            "\(name)_marks(a text)",
            "text",
            "CASE WHEN translate(a, \(quoted(marks)), '') <> a COLLATE \"C\" THEN \(replaced) ELSE a END"
        )
            + "\n"
            + sql(
                "\(name)(a text)",
                "text",
                "CASE WHEN octet_length(a) = length(a) THEN \(ascii)"
                    + " ELSE tideline.\(name)_marks(\(letters)) END"
            )
    }
}
