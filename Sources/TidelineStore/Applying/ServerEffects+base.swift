// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What the server has of rows with changes of their own, and what is shown of both.
extension ServerEffects {
    /// What the server has of a dirty row, where a pull told it after the changes were made.
    func base(_ identity: RowIdentity) throws -> ServerRow? {
        let found = try connection.query(
            "SELECT etag, record FROM main.tideline_base WHERE set_name = ? AND key = ?",
            { self.bind(identity, to: $0) }
        ) { (etag: $0.string(0), record: $0.isNull(1) ? nil : $0.bytes(1)) }
        return try found.first.map {
            try ServerRow(etag: $0.etag, record: $0.record, of: layout.sets[identity.set])
        }
    }

    func bind(_ identity: RowIdentity, to buffer: PackedBuffer) {
        buffer.text(layout.sets[identity.set].name)
        buffer.blob(packed(identity))
    }

    func packed(_ identity: RowIdentity) -> [UInt8] {
        let key = PackedBuffer()
        let set = layout.sets[identity.set]
        connection.append(identity.key, set.key, set, to: key)
        return key.bytes
    }

    func setBase(_ identity: RowIdentity, _ server: ServerRow) throws {
        let set = layout.sets[identity.set]
        try connection.run(
            "INSERT OR REPLACE INTO main.tideline_base (set_name, key, etag, record) VALUES (?, ?, ?, ?)"
        ) {
            self.bind(identity, to: $0)
            if let etag = server.etag { $0.text(etag) } else { $0.null() }
            guard let row = server.row else { return $0.null() }
            let record = PackedBuffer()
            for (column, value) in zip(set.columns, row.values) { column.append(value, to: record) }
            $0.blob(record.bytes)
        }
    }

    /// Whether a row left what the user may see, and nothing has come of it since.
    func isOutOfSight(_ identity: RowIdentity) throws -> Bool {
        if case .outOfSight? = try base(identity) { true } else { false }
    }

    func dropBase(_ identity: RowIdentity) throws {
        try connection.run("DELETE FROM main.tideline_base WHERE set_name = ? AND key = ?") {
            self.bind(identity, to: $0)
        }
    }

    /// Ends the keeping of the server's row beside changes that were rebased on it, but for those that are held.
    func settleBase(_ identity: RowIdentity, _ row: StoredRow?) throws {
        if isHeld(identity) { try setBase(identity, ServerRow(row)) } else { try dropBase(identity) }
    }

    /// Keeps the server's row beside a deletion, which holds the row as it was deleted here; else as ``settleBase(_:_:)``.
    func keepBase(_ identity: RowIdentity, _ row: StoredRow?) throws {
        guard changes(of: identity).contains(where: { $0.operation == .delete }) else {
            return try settleBase(identity, row)
        }
        try setBase(identity, ServerRow(row))
    }

    /// Whether changes of a row lie in the quarantine.
    func isHeld(_ identity: RowIdentity) -> Bool {
        quarantine.contains { $0.changes.contains { $0.identity == identity } }
    }

    /// The changes of a row that lie in the quarantine, oldest first.
    ///
    /// - Parameter number: that of a transaction; only those that came after it are asked for.
    func heldChanges(of identity: RowIdentity, after number: Int64 = 0) -> [OutboxChange] {
        quarantine.filter { $0.number > number }.sorted { $0.number < $1.number }
            .flatMap { $0.changes.filter { $0.identity == identity } }
    }

    /// All changes of a row that are not on the server, oldest first.
    ///
    /// - Parameter own: the number of a transaction whose changes are left out.
    func changes(of identity: RowIdentity, except own: Int64? = nil) -> [OutboxChange] {
        var all: [(number: Int64, change: OutboxChange)] = []
        for entry in quarantine {
            all += entry.changes.filter { $0.identity == identity }.map { (entry.number, $0) }
        }
        for place in places(of: identity) {
            let entry = log.entries[place.entry]
            guard !entry.isIncluded, entry.number != own else { continue }
            all.append((entry.number, entry.changes[place.change]))
        }
        return all.sorted { ($0.number, $0.change.turn) < ($1.number, $1.change.turn) }.map(\.change)
    }

    /// What the server had last of a row: what a pull kept, or the row with its changes taken back.
    func serverRow(_ identity: RowIdentity) throws -> StoredRow? {
        if let base = try base(identity) { return base.row }
        return try rolledBack(identity, changes(of: identity))
    }

    /// The row as this device has it, with changes taken back.
    func rolledBack(_ identity: RowIdentity, _ changes: [OutboxChange]) throws -> StoredRow? {
        rolledBack(try connection.row(layout.sets[identity.set], identity.key), changes)
    }

    /// A row with changes taken back, the newest first.
    func rolledBack(_ row: StoredRow?, _ changes: [OutboxChange]) -> StoredRow? {
        var row = row
        for change in changes.reversed() {
            switch change.operation {
            case .insert: row = nil
            case .delete: row = StoredRow(values: change.row, etag: change.etag)
            case .update:
                for assignment in change.assignments { row?.values[assignment.property] = assignment.before }
            }
        }
        return row
    }

    /// Stores a row as the server's with the changes of this device on it.
    func show(_ identity: RowIdentity, _ server: StoredRow?) throws {
        let set = layout.sets[identity.set]
        let old = try connection.row(set, identity.key)
        // What else came with the server's row is no part of what is shown.
        var row = server.map { StoredRow(values: $0.values, etag: $0.etag) }
        for column in set.columns where column.property.isLocalOnly {
            if let kept = old?.values[column.place] { row?.values[column.place] = kept }
        }
        for change in shownChanges(of: identity) {
            switch change.operation {
            case .insert: row = StoredRow(values: change.row, etag: server?.etag)
            case .delete: row = nil
            case .update:
                // Without a row of the server the row of this device carries the changes.
                if row == nil { row = old }
                for assignment in change.assignments { row?.values[assignment.property] = assignment.after }
            }
        }
        guard row != old else { return }
        touch(identity)
        if let row { try connection.put(row, set) } else { try connection.remove(set, identity.key) }
    }
}
