// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A question whose answer is there before it is asked.
struct Prefetched: Hashable {
    private let text: String
    private let bindings: [SQLValue]

    init(_ statement: SelectStatement) {
        text = statement.text
        bindings = statement.bindings
    }
}

extension PostgresReader {
    /// Asks for all rows with one message.
    func prefetch(_ rows: [(key: Key, set: EntitySet)]) throws {
        prefetched = [:]
        var statements: [SelectStatement] = []
        for (key, set) in rows.prefix(Self.mostPrefetched) where set.isWhole(key) {
            guard let statement = try context.statements(set).wholeEntity(key) else { continue }
            statements.append(statement)
        }
        // One alone is asked for when it is read.
        guard statements.count > 1 else { return }
        try named {
            for (statement, result) in zip(statements, try connection.queries(statements)) {
                prefetched[Prefetched(statement)] = result
            }
        }
    }

    /// All rows of a message are in memory until they are read.
    private static let mostPrefetched = 100
}
