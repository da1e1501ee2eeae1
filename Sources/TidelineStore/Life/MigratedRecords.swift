// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The store's own records, read in the old arrangement and stored in the new one.
struct MigratedRecords {
    struct Base {
        var set: SetLayout
        var key: [Value]
        var server: ServerRow
    }

    struct Made {
        var set: SetLayout
        var key: [Value]
        var number: Int64
    }

    struct ConflictRow {
        var id: Int64
        var set: String
        var key: [UInt8]
        var record: [UInt8]
    }

    private(set) var log: PendingLog
    private(set) var quarantine: [Quarantine.Entry]
    private(set) var bases: [Base] = []
    private(set) var made: [Made] = []
    /// The keys that took the place of temporary ones, oldest first.
    private(set) var renamed: [(old: RowIdentity, new: RowIdentity)] = []
    /// The conflict log, by identifier; `nil` where nothing is left of the entry.
    private(set) var conflicts: [(id: Int64, row: ConflictRow?)] = []
    private(set) var dropped: [DroppedChange] = []
    let mapping: LayoutMapping

    /// Reads and maps all of them.
    ///
    /// - Parameter connection: of the old layout, inside the transaction.
    init(_ connection: Connection, _ mapping: LayoutMapping) throws {
        self.mapping = mapping
        log = try PendingLog.load(connection)
        quarantine = try Quarantine.load(connection)
        for place in log.entries.indices {
            let entry = log.entries[place]
            log.entries[place].changes = try mapped(entry.changes, entry.number, isFrozen: entry.isFrozen)
            log.entries[place].isDirty = true
        }
        for place in quarantine.indices {
            quarantine[place].changes = try mapped(quarantine[place].changes, quarantine[place].number, isFrozen: false)
        }
        try readBases(connection)
        try readMade(connection)
        try readRenamed(connection)
        try readConflicts(connection)
    }

    // MARK: Changes

    private mutating func mapped(
        _ changes: [OutboxChange],
        _ number: Int64,
        isFrozen: Bool
    ) throws -> [OutboxChange] {
        var result: [OutboxChange] = []
        for change in changes {
            let targets = mapping.targets(of: change.set)
            if isFrozen, targets.count != 1 {
                let name = mapping.old.sets[change.set].name
                throw LocalStoreError(
                    .pendingChanges,
                    set: name,
                    message: "Changes of '\(name)' were sent and not answered; the set cannot be split or dropped. "
                        + "Sync with the data of the version before."
                )
            }
            note(change, number)
            for target in targets {
                var mapped = try target.change(change)
                // What was sent keeps its places, also where nothing of it is left here.
                if mapped.operation == .update, mapped.assignments.isEmpty, !isFrozen { continue }
                mapped.turn = result.count
                result.append(mapped)
            }
        }
        return result
    }

    /// Keeps what has no place in the new arrangement.
    private mutating func note(_ change: OutboxChange, _ number: Int64) {
        let set = mapping.old.sets[change.set]
        func add(_ property: String?, _ before: Value, _ after: Value) {
            dropped.append(
                DroppedChange(
                    transaction: number,
                    set: set.name,
                    key: change.key.map { $0.text ?? "" },
                    operation: change.operation.rawValue,
                    property: property,
                    before: before.text,
                    after: after.text
                )
            )
        }
        switch change.operation {
        case .insert:
            for column in set.columns where mapping.isDropped(column.place, of: change.set) {
                if !change.row[column.place].isNull {
                    add(column.property.names.wire, .null, change.row[column.place])
                }
            }
        case .update:
            for assignment in change.assignments where mapping.isDropped(assignment.property, of: change.set) {
                add(set.columns[assignment.property].property.names.wire, assignment.before, assignment.after)
            }
        case .delete:
            if mapping.targets(of: change.set).isEmpty { add(nil, .null, .null) }
        }
    }

    // MARK: Rows of the server

    private func key(_ bytes: [UInt8], _ set: SetLayout) throws -> [Value] {
        try unsafe bytes.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            return try set.key.map { try set.columns[$0].value(reader.next()) }
        }
    }

    private mutating func readBases(_ connection: Connection) throws {
        let rows = try connection.query("SELECT set_name, key, etag, record FROM main.tideline_base") {
            ($0.string(0) ?? "", $0.bytes(1), $0.string(2), $0.isNull(3) ? nil : $0.bytes(3))
        }
        for (name, bytes, etag, record) in rows {
            let set = try connection.layout.set(name)
            guard let target = mapping.primary(of: set.index) else { continue }
            let server = try ServerRow(etag: etag, record: record, of: set).map {
                StoredRow(values: try target.row($0.values), etag: $0.etag)
            }
            bases.append(Base(set: target.new, key: try target.key(key(bytes, set)), server: server))
        }
    }

    private mutating func readMade(_ connection: Connection) throws {
        let rows = try connection.query("SELECT set_name, key, number FROM main.tideline_made") {
            ($0.string(0) ?? "", $0.bytes(1), $0.integer(2))
        }
        for (name, bytes, number) in rows {
            let set = try connection.layout.set(name)
            guard let target = mapping.primary(of: set.index) else { continue }
            made.append(Made(set: target.new, key: try target.key(key(bytes, set)), number: number))
        }
    }

    private mutating func readRenamed(_ connection: Connection) throws {
        for (name, old, new) in try connection.renamedKeys() {
            let set = try connection.layout.set(name)
            guard let target = mapping.primary(of: set.index) else { continue }
            func identity(_ bytes: [UInt8]) throws -> RowIdentity {
                RowIdentity(set: target.new.index, key: try target.key(key(bytes, set)))
            }
            renamed.append((try identity(old), try identity(new)))
        }
    }

    // MARK: Conflict log

    private mutating func readConflicts(_ connection: Connection) throws {
        let rows = try connection.query(
            "SELECT id, set_name, key, record, number FROM main.tideline_conflicts ORDER BY id"
        ) { ($0.integer(0), $0.string(1) ?? "", $0.bytes(2), $0.bytes(3), $0.integer(4)) }
        for (id, name, bytes, record, number) in rows {
            let set = try connection.layout.set(name)
            let properties = try ConflictRecord.decode(record, set)
            let key = try key(bytes, set)
            for clash in properties where mapping.isDropped(clash.property, of: set.index) {
                dropped.append(
                    DroppedChange(
                        transaction: number,
                        set: name,
                        key: key.map { $0.text ?? "" },
                        operation: "conflict",
                        property: set.columns[clash.property].property.names.wire,
                        before: (clash.mineWon ? clash.mine : clash.theirs).text,
                        after: (clash.mineWon ? clash.theirs : clash.mine).text
                    )
                )
            }
            guard let target = mapping.primary(of: set.index) else {
                conflicts.append((id, nil))
                continue
            }
            let kept = try properties.flatMap { clash in
                try target.sources.indices.filter { target.sources[$0].place == clash.property }.map { place in
                    let source = target.sources[place]
                    return ThreeWayMerge.Clash(
                        property: place,
                        base: try source.value(clash.base),
                        mine: try source.value(clash.mine),
                        theirs: try source.value(clash.theirs),
                        mineWon: clash.mineWon,
                        isJoined: clash.isJoined,
                        isOpen: clash.isOpen
                    )
                }
            }
            guard !kept.isEmpty || properties.isEmpty else {
                conflicts.append((id, nil))
                continue
            }
            let packed = PackedBuffer()
            connection.append(try target.key(key), target.new.key, target.new, to: packed)
            let row = ConflictRow(
                id: id,
                set: target.new.name,
                key: packed.bytes,
                record: ConflictRecord.encode(kept, target.new)
            )
            conflicts.append((id, row))
        }
    }
}
