// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// The keys that rows had before the server gave them theirs: entities in memory, managed objects and drafts still know
/// them by the old.
///
/// A temporary key is used once in the life of a file, so an old key means one row for ever. The last 100,000 are kept.
enum RenamedKeys {
    static let limit: Int64 = 100_000

    /// Whether a key may be one that the server has yet to make: no other is ever given up.
    static func mayHave(_ key: [Value]) -> Bool {
        key.contains {
            if case .integer(let number) = $0 { return number < 0 }
            return false
        }
    }

    /// Whether a part of a key is a greater number than in another one.
    static func isHigher(_ key: [Value], than other: [Value]) -> Bool {
        zip(key, other).contains {
            if case (.integer(let one), .integer(let other)) = ($0, $1) { return one > other }
            return false
        }
    }
}

extension ServerEffects {
    /// Notes that a row has another key from now on.
    func noteRenamed(_ old: RowIdentity, to new: RowIdentity) throws {
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS main.tideline_renamed (id INTEGER PRIMARY KEY AUTOINCREMENT,
              set_name TEXT NOT NULL, old BLOB NOT NULL, new BLOB NOT NULL, UNIQUE (set_name, old))
            """
        )
        try connection.run("INSERT OR REPLACE INTO main.tideline_renamed (set_name, old, new) VALUES (?, ?, ?)") {
            self.bind(old, to: $0)
            $0.blob(self.packed(new))
        }
        let last = try connection.integer("SELECT MAX(id) FROM main.tideline_renamed")
        if last > RenamedKeys.limit {
            try connection.run("DELETE FROM main.tideline_renamed WHERE id <= ?") {
                $0.integer(last - RenamedKeys.limit)
            }
        }
    }
}

extension Connection {
    /// The key that a row got in the place of an old one, or `nil` when it still has that.
    func renamed(_ set: SetLayout, _ key: [Value]) throws -> [Value]? {
        // Where the row is still there, the key is its own: of a file that was set back, say.
        guard RenamedKeys.mayHave(key), try row(set, key) == nil,
            try hasRenamed()
        else { return nil }
        var current = key
        // Keys that stand in for the server's fall from one to the next; the server's is higher, once for each part.
        var given = 0
        while given < set.key.count {
            let buffer = PackedBuffer()
            append(current, set.key, set, to: buffer)
            let found = try query(
                "SELECT new FROM main.tideline_renamed WHERE set_name = ? AND old = ?",
                {
                    $0.text(set.name)
                    $0.blob(buffer.bytes)
                }
            ) { $0.bytes(0) }
            guard let bytes = found.first else { break }
            let next = try unsafe bytes.withUnsafeBytes { raw in
                var reader = unsafe PackedReader(raw)
                return try set.key.map { try set.columns[$0].value(reader.next()) }
            }
            if RenamedKeys.isHigher(next, than: current) { given += 1 }
            current = next
            // A key of the server is the last: the same number may have stood for another row here before.
            guard RenamedKeys.mayHave(current) else { break }
        }
        return current == key ? nil : current
    }

    private func hasRenamed() throws -> Bool {
        try exists("SELECT 1 FROM main.sqlite_master WHERE name = 'tideline_renamed'", { _ in })
    }

    /// All that is known: the set, the old key and the new one, packed, oldest first.
    func renamedKeys() throws -> [(set: String, old: [UInt8], new: [UInt8])] {
        guard try hasRenamed() else { return [] }
        return try query("SELECT set_name, old, new FROM main.tideline_renamed ORDER BY id") {
            ($0.string(0) ?? "", $0.bytes(1), $0.bytes(2))
        }
    }

    /// Forgets the old keys, where other rows may have them from now on.
    func forgetRenamed() throws { try run("DROP TABLE IF EXISTS main.tideline_renamed") }

    fileprivate func currentKey(_ key: Key, in set: String) throws -> Key {
        // A key that does not fit the set is refused where it is used.
        guard let place = layout.model.setIndex(wire: set), layout.sets[place].key.count == key.values.count else {
            return key
        }
        return try renamed(layout.sets[place], key.values).map(Key.init) ?? key
    }
}

extension LocalReader {
    /// The key that an entity has now, where it had a temporary one when it was read.
    package func currentKey(_ key: Key, in set: String) throws -> Key { try connection.currentKey(key, in: set) }
}

extension LocalTransaction {
    /// The key that an entity has now, where it had a temporary one when it was read.
    package func currentKey(_ key: Key, in set: String) throws -> Key { try connection.currentKey(key, in: set) }
}
