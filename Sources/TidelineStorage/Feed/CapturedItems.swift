// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// A table whose rows are parts of the rows of a captured one.
package struct CapturedItems: Hashable, Sendable {
    package var name: String
    /// The columns that hold the key of the row that they are a part of, in the order of its key.
    package var key: [String]

    package init(name: String, key: [String]) {
        self.name = name
        self.key = key
    }
}

extension EntityModel {
    /// The columns whose values before a change are logged, by the table of their set.
    package var capturedColumns: [String: [String]] {
        let tables = sets.filter { !$0.isReadOnly }.map { ($0.names.database, $0.type.capturedColumns) }
        // Two sets may be of one table; what either has is captured.
        return Dictionary(tables, uniquingKeysWith: +)
    }

    /// Makes sure that each set that can be written is of a captured table; devices could not follow another one.
    ///
    /// - Throws: ``StorageError/Code/unsupported``.
    package func requireCapture(of tables: Set<String>) throws {
        if let set = sets.first(where: { !$0.isReadOnly && !tables.contains($0.names.database) }) {
            throw StorageError.unpublished(set)
        }
    }
}

extension EntityType {
    /// The tables of its collections, each once.
    package var capturedItems: [CapturedItems] {
        var found: [CapturedItems] = []
        for items in properties.compactMap(\.items) {
            let captured = CapturedItems(name: items.name, key: items.key)
            if !found.contains(captured) { found.append(captured) }
        }
        return found
    }

    /// The columns of its key.
    package var keyColumns: [String] { key.map { properties[$0].names.database } }

    /// The columns whose values before a change are logged; items are in tables of their own.
    package var capturedColumns: [String] { properties.filter { $0.items == nil }.map(\.names.database) }
}
