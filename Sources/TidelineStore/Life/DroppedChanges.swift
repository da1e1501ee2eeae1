// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The table of what migrations took away of changes that waited.
enum DroppedChanges {
    private static let tableSQL = """
        CREATE TABLE IF NOT EXISTS main.tideline_dropped (id INTEGER PRIMARY KEY, number INTEGER NOT NULL,
          set_name TEXT NOT NULL, key BLOB NOT NULL, operation TEXT NOT NULL, property TEXT, before TEXT, after TEXT)
        """

    static func isThere(_ connection: Connection) throws -> Bool {
        try connection.integer("SELECT COUNT(*) FROM main.sqlite_schema WHERE name = 'tideline_dropped'") > 0
    }

    static func add(_ changes: [DroppedChange], _ connection: Connection) throws {
        guard !changes.isEmpty else { return }
        try connection.run(tableSQL)
        for change in changes {
            let key = PackedBuffer()
            for text in change.key { key.text(text) }
            try connection.run(
                """
                INSERT INTO main.tideline_dropped (number, set_name, key, operation, property, before, after)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
            ) {
                $0.integer(change.transaction)
                $0.text(change.set)
                $0.blob(key.bytes)
                $0.text(change.operation)
                for text in [change.property, change.before, change.after] {
                    if let text { $0.text(text) } else { $0.null() }
                }
            }
        }
    }

    static func load(_ connection: Connection) throws -> [DroppedChange] {
        guard try isThere(connection) else { return [] }
        return try connection.query(
            "SELECT number, set_name, key, operation, property, before, after FROM main.tideline_dropped ORDER BY id"
        ) {
            DroppedChange(
                transaction: $0.integer(0),
                set: $0.string(1) ?? "",
                key: texts($0.bytes(2)),
                operation: $0.string(3) ?? "",
                property: $0.string(4),
                before: $0.string(5),
                after: $0.string(6)
            )
        }
    }

    static func remove(_ connection: Connection) throws {
        try connection.run("DROP TABLE IF EXISTS main.tideline_dropped")
    }

    private static func texts(_ bytes: [UInt8]) -> [String] {
        unsafe bytes.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            var texts: [String] = []
            while !reader.isAtEnd {
                guard case .text(let text) = reader.next() else { break }
                texts.append(unsafe String(decoding: text, as: UTF8.self))
            }
            return texts
        }
    }
}

extension LocalStore {
    /// What migrations took away of changes that waited to be sent, oldest first; kept until
    /// ``forgetDroppedChanges()``.
    public func droppedChanges() throws -> [DroppedChange] { try reading { try DroppedChanges.load($0) } }

    /// Forgets what migrations took away, once the app has told its user.
    public func forgetDroppedChanges() throws {
        try writing { connection in
            if try DroppedChanges.isThere(connection) { try connection.run("DELETE FROM main.tideline_dropped") }
            return ((), [])
        }
    }
}
