// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

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

    /// Those with certain keys.
    ///
    /// - Parameters:
    ///   - key: the columns of the set's table `t0` that are its key.
    ///   - stored: a value as the column of a property holds it, or `nil` where it cannot.
    /// - Throws: ``StorageError/Code/tooManyRows``.
    package static func rows(
        _ keys: [Key],
        of set: EntitySet,
        _ key: [SQLFragment],
        stored: (Value, Property) -> SQLValue?
    ) throws(StorageError) -> SQLFragment {
        let properties = set.type.key.map { set.type.properties[$0] }
        var rows: [[SQLFragment]] = []
        for given in keys {
            let values = zip(given.values, properties).compactMap { value, property -> SQLFragment? in
                guard let value = stored(value, property), value != .null else { return nil }
                return "\(bind: value)"
            }
            // A value that the column cannot hold is the key of no row.
            if values.count == properties.count { rows.append(values) }
        }
        guard rows.count * properties.count <= mostValues else {
            throw StorageError(.tooManyRows, set: set.names.wire, message: "There are too many keys to read.")
        }
        return self.rows(key, among: rows)
    }

    /// The most values that keys of one query have: SQLite binds 32,766 at most.
    private static let mostValues = 30_000

    /// Those that a subquery has under the name `t0`.
    package static func rows(_ key: [SQLFragment], from source: SQLFragment) -> SQLFragment {
        "\(tuple(key)) IN (SELECT \(SQLFragment(key, separator: ", ")) FROM \(source))"
    }

    private static func tuple(_ key: [SQLFragment]) -> SQLFragment {
        key.count == 1 ? key[0] : "(\(SQLFragment(key, separator: ", ")))"
    }
}
