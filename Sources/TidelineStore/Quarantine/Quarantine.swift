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

    /// The entry that changes build on: they touch one of its rows, refer to one that it inserted, or delete one that
    /// it took others away from.
    static func holder(of changes: [OutboxChange], _ connection: Connection) throws -> Int64? {
        guard !changes.isEmpty else { return nil }
        for entry in try load(connection) where depends(changes, on: entry.changes, connection.layout) {
            return entry.id
        }
        return nil
    }

    /// Whether changes build on others: the same row, a reference to a row that those insert, or the deletion of one
    /// that those took rows away from, gave some, or deleted some of, which the service would take along before.
    static func depends(_ changes: [OutboxChange], on others: [OutboxChange], _ layout: StoreLayout) -> Bool {
        let rows = Set(others.map(\.identity))
        if changes.contains(where: { rows.contains($0.identity) }) { return true }
        for insert in others where insert.operation == .insert {
            let parent = layout.sets[insert.set]
            let isReferred = changes.contains {
                Folding.refers($0, to: insert.key, parent) || refers($0.identity, to: insert.identity, layout)
            }
            if isReferred { return true }
        }
        let left = others.filter { $0.operation != .insert }
        for deletion in changes where deletion.operation == .delete {
            let parent = layout.sets[deletion.set]
            if left.contains(where: { Folding.refers($0, to: deletion.key, parent) }) { return true }
        }
        return false
    }

    /// Whether a row refers to another one by its key, whatever is done to it: it would fall with what the other one is
    /// put in the place of.
    private static func refers(_ row: RowIdentity, to other: RowIdentity, _ layout: StoreLayout) -> Bool {
        let set = layout.sets[row.set]
        return set.outgoing.contains { reference in
            reference.parent == other.set && reference.parentPlaces == layout.sets[other.set].key
                && reference.values(in: row, set) == other.key
        }
    }
}
