// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Which columns are the key of a table or view.
package enum TableKey {
    /// The columns of the key, or why there is none.
    ///
    /// A table's is its primary key, else its first unique index over columns that are NOT NULL; a view's is given.
    ///
    /// - Parameters:
    ///   - given: the columns that were named as the key of a view; `nil` for none.
    ///   - primary: the columns of the primary key.
    ///   - unique: the columns of unique indexes over plain columns without a condition, in their order.
    package static func choose(
        table: String,
        isView: Bool,
        given: [String]?,
        columns: [(name: String, isNotNull: Bool)],
        primary: [String],
        unique: [[String]]
    ) -> Result<[String], Introspection.Problem> {
        if isView {
            guard let given else {
                return .failure(
                    .refusal(
                        table,
                        "The view \(table) has no key, so it is left out; name its key with --key \(table)=Column,…",
                        stops: false
                    )
                )
            }
            if let missing = given.first(where: { name in !columns.contains { $0.name == name } }) {
                return .failure(
                    .refusal(table, "The view \(table) has no column \(missing), which was given as its key.")
                )
            }
            return .success(given)
        }
        if !primary.isEmpty { return .success(primary) }
        let candidate = unique.first { index in
            index.allSatisfy { name in columns.contains { $0.name == name && $0.isNotNull } }
        }
        if let candidate { return .success(candidate) }
        return .failure(
            .refusal(
                table,
                "The table \(table) has no key. Give it a PRIMARY KEY, or a unique index over columns that are NOT NULL."
            )
        )
    }
}

extension Introspection.Problem: Error {}
