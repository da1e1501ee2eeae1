// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The condition on the rows of a set that ``RowSource`` stands for.
package enum RowRestriction {
    /// Those whose keys a query gives.
    ///
    ///     (t0.a, t0.b) IN (WITH f(c0, c1, c2) AS (query) SELECT f.c2, f.c0 FROM f)
    ///
    /// - Parameter key: the columns of the set's table `t0` that are its key.
    package static func rows(
        _ key: [SQLFragment],
        in query: SQLFragment,
        _ columns: OperationColumns,
        cast: (SQLFragment, Int) -> SQLFragment = { column, _ in column }
    ) -> SQLFragment {
        let names = (0..<columns.count).map { SQLFragment(raw: "c\($0)") }
        let chosen = columns.places.enumerated().map { place, column in
            cast(SQLFragment(raw: "f.c\(column ?? 0)"), place)
        }
        let list = SQLFragment(names, separator: ", ")
        // The line's end, because the query may end with a comment.
        let given: SQLFragment =
            "WITH f(\(list)) AS (\(query)\n) SELECT \(SQLFragment(chosen, separator: ", ")) FROM f"
        return "\(tuple(key)) IN (\(given))"
    }

    /// Those with certain keys.
    ///
    /// - Parameter keys: the stored values of each; none of them null.
    package static func rows(_ key: [SQLFragment], among keys: [[SQLFragment]]) -> SQLFragment {
        guard !keys.isEmpty else { return "1 = 0" }
        let rows = keys.map { values -> SQLFragment in "(\(SQLFragment(values, separator: ", ")))" }
        return "\(tuple(key)) IN (VALUES \(SQLFragment(rows, separator: ", ")))"
    }

    /// Those that a subquery has under the name `t0`.
    package static func rows(_ key: [SQLFragment], from source: SQLFragment) -> SQLFragment {
        "\(tuple(key)) IN (SELECT \(SQLFragment(key, separator: ", ")) FROM \(source))"
    }

    private static func tuple(_ key: [SQLFragment]) -> SQLFragment {
        key.count == 1 ? key[0] : "(\(SQLFragment(key, separator: ", ")))"
    }
}
