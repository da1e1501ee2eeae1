// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The transactions that wait for the user, in their tables.
enum Quarantine {
    /// An entry with its changes by places.
    struct Entry {
        var id: Int64
        var number: Int64
        var code: String
        var message: String
        var status: Int
        var dependsOn: Int64?
        var changes: [OutboxChange]
    }

    static func isEmpty(_ connection: Connection) throws -> Bool {
        try connection.integer("SELECT EXISTS (SELECT 1 FROM main.tideline_quarantine)") == 0
    }

    /// All entries, oldest first.
    static func load(_ connection: Connection) throws -> [Entry] {
        guard try !isEmpty(connection) else { return [] }
        let heads = try connection.query(
            "SELECT id, number, code, message, status, depends_on FROM main.tideline_quarantine ORDER BY id"
        ) {
            Entry(
                id: $0.integer(0),
                number: $0.integer(1),
                code: $0.string(2) ?? "",
                message: $0.string(3) ?? "",
                status: Int($0.integer(4)),
                dependsOn: $0.isNull(5) ? nil : $0.integer(5),
                changes: []
            )
        }
        return try heads.map { head in
            var entry = head
            let rows = try connection.query(
                "SELECT set_name, record FROM main.tideline_quarantine_records WHERE id = ?",
                { $0.integer(head.id) }
            ) { ($0.string(0) ?? "", $0.bytes(1)) }
            for (name, bytes) in rows { entry.changes += try OutboxRecord.decode(bytes, connection.layout.set(name)) }
            entry.changes.sort { $0.turn < $1.turn }
            return entry
        }
    }

    @discardableResult
    static func add(
        _ changes: [OutboxChange],
        number: Int64,
        code: String,
        message: String,
        status: Int,
        dependsOn: Int64?,
        _ connection: Connection
    ) throws -> Int64 {
        try PendingLog.retire(number, connection)
        try connection.run(
            """
            INSERT INTO main.tideline_quarantine (number, code, message, status, depends_on)
            VALUES (?, ?, ?, ?, ?)
            """
        ) {
            $0.integer(number)
            $0.text(code)
            $0.text(message)
            $0.integer(Int64(status))
            if let dependsOn { $0.integer(dependsOn) } else { $0.null() }
        }
        let id = try connection.integer("SELECT last_insert_rowid()")
        try store(changes, id: id, connection)
        return id
    }

    /// Stores the changes of an entry in place of those that it has.
    static func store(_ changes: [OutboxChange], id: Int64, _ connection: Connection) throws {
        try connection.run("DELETE FROM main.tideline_quarantine_records WHERE id = ?") { $0.integer(id) }
        for (set, part) in Dictionary(grouping: changes, by: \.set) {
            let layout = connection.layout.sets[set]
            let record = OutboxRecord.encode(part, layout)
            try connection.run("INSERT INTO main.tideline_quarantine_records VALUES (?, ?, ?)") {
                $0.integer(id)
                $0.text(layout.name)
                $0.blob(record.bytes)
            }
        }
    }

    static func remove(_ id: Int64, _ connection: Connection) throws {
        try connection.run("DELETE FROM main.tideline_quarantine WHERE id = ?") { $0.integer(id) }
        try connection.run("DELETE FROM main.tideline_quarantine_records WHERE id = ?") { $0.integer(id) }
    }

    /// The entry that changes build on, see ``Ties``.
    static func holder(of changes: [OutboxChange], _ connection: Connection) throws -> Int64? {
        guard !changes.isEmpty else { return nil }
        for entry in try load(connection) where Ties(connection.layout, entry.changes).isBase(of: changes) {
            return entry.id
        }
        return nil
    }
}
