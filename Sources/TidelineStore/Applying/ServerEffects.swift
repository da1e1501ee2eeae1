// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What a state of the server does to rows that have changes of their own: rebasing, never overwriting.
///
/// Works inside one writing transaction. ``log`` and ``quarantine`` are changed in memory and stored by ``save()``.
final class ServerEffects {
    let connection: Connection
    let layout: StoreLayout
    var log: PendingLog
    var quarantine: [Quarantine.Entry]
    private var dirtyQuarantine = Set<Int64>()
    private(set) var touched = Set<Int>()
    private(set) var conflicts: [Int64] = []
    var quarantined: [Int64] = []
    private(set) var merged = 0
    private let policy: (Int, Int) -> ConflictPolicy

    init(_ connection: Connection, policy: @escaping (Int, Int) -> ConflictPolicy = { _, _ in .serverWins }) throws {
        self.connection = connection
        self.policy = policy
        layout = connection.layout
        log = try PendingLog.load(connection)
        quarantine = try Quarantine.load(connection)
    }

    func save() throws {
        try log.save(connection)
        for entry in quarantine where dirtyQuarantine.contains(entry.id) {
            try Quarantine.store(entry.changes, id: entry.id, connection)
        }
    }

    func touch(_ set: Int) { touched.insert(set) }

    /// The rows that must not be overwritten.
    var dirty: Set<RowIdentity> {
        log.identities.union(quarantine.flatMap { $0.changes.map(\.identity) })
    }

    // MARK: What the server has

    /// The server's row of a dirty one, where a pull brought it after the changes were made. `nil`: not kept; an empty
    /// optional inside: the server has no such row.
    func base(_ identity: RowIdentity) throws -> StoredRow?? {
        let set = layout.sets[identity.set]
        let found = try connection.query(
            "SELECT etag, record FROM main.tideline_base WHERE set_name = ? AND key = ?",
            { self.bind(identity, to: $0) }
        ) { (etag: $0.string(0), isAbsent: $0.isNull(1), bytes: $0.bytes(1)) }
        guard let first = found.first else { return nil }
        guard !first.isAbsent else { return .some(nil) }
        return try unsafe first.bytes.withUnsafeBytes { raw in
            var reader = unsafe PackedReader(raw)
            let values = try set.columns.map { try $0.value(reader.next()) }
            return .some(StoredRow(values: values, etag: first.etag))
        }
    }

    func bind(_ identity: RowIdentity, to buffer: PackedBuffer) {
        buffer.text(layout.sets[identity.set].name)
        buffer.blob(packed(identity))
    }

    private func packed(_ identity: RowIdentity) -> [UInt8] {
        let key = PackedBuffer()
        let set = layout.sets[identity.set]
        connection.append(identity.key, set.key, set, to: key)
        return key.bytes
    }

    func setBase(_ identity: RowIdentity, _ row: StoredRow?) throws {
        let set = layout.sets[identity.set]
        try connection.run("INSERT OR REPLACE INTO main.tideline_base (set_name, key, etag, record) VALUES (?, ?, ?, ?)") {
            self.bind(identity, to: $0)
            if let etag = row?.etag { $0.text(etag) } else { $0.null() }
            guard let row else { return $0.null() }
            let record = PackedBuffer()
            for (column, value) in zip(set.columns, row.values) { column.append(value, to: record) }
            $0.blob(record.bytes)
        }
    }

    func dropBase(_ identity: RowIdentity) throws {
        try connection.run("DELETE FROM main.tideline_base WHERE set_name = ? AND key = ?") { self.bind(identity, to: $0) }
    }

    /// All changes of a row that are not on the server, oldest first.
    func changes(of identity: RowIdentity) -> [OutboxChange] {
        var all: [(number: Int64, change: OutboxChange)] = []
        for entry in quarantine {
            all += entry.changes.filter { $0.identity == identity }.map { (entry.number, $0) }
        }
        for entry in log.entries where !entry.isIncluded {
            all += entry.changes.filter { $0.identity == identity }.map { (entry.number, $0) }
        }
        return all.sorted { ($0.number, $0.change.turn) < ($1.number, $1.change.turn) }.map(\.change)
    }

    /// What the server had last of a row: what a pull kept, or the row with its changes taken back.
    func serverRow(_ identity: RowIdentity) throws -> StoredRow? {
        if let base = try base(identity) { return base }
        return try rolledBack(identity, changes(of: identity))
    }

    /// A row with changes taken back, the newest first.
    func rolledBack(_ identity: RowIdentity, _ changes: [OutboxChange]) throws -> StoredRow? {
        var row = try connection.row(layout.sets[identity.set], identity.key)
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
        var row = server
        for column in set.columns where column.property.isLocalOnly {
            if let kept = old?.values[column.place] { row?.values[column.place] = kept }
        }
        for change in changes(of: identity) {
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
        touch(identity.set)
        if let row { try connection.put(row, set) } else { try connection.remove(set, identity.key) }
    }

    // MARK: Meeting

    /// The server has `theirs` for a row, or none.
    ///
    /// - Parameters:
    ///   - leftScope: for no row: whether it merely left the subscription.
    ///   - isOwn: whether the state is the answer to this device's own change, so that meeting it joins nothing.
    func meet(_ identity: RowIdentity, _ theirs: StoredRow?, leftScope: Bool = false, isOwn: Bool = false) throws {
        let before = merged
        defer { if isOwn { merged = before } }
        let set = layout.sets[identity.set]
        let isHeld = quarantine.contains { $0.changes.contains { $0.identity == identity } }
        let places = log.entries.indices.flatMap { entry in
            log.entries[entry].isIncluded
                ? []
                : log.entries[entry].changes.indices.filter { log.entries[entry].changes[$0].identity == identity }
                    .map { (entry: entry, change: $0) }
        }
        let isFrozen = places.contains { log.entries[$0.entry].isFrozen }
        if isFrozen || isHeld {
            // The answer to what was sent is awaited, or the user decides: until then both states are kept.
            try setBase(identity, theirs)
            return try show(identity, theirs)
        }
        guard let first = places.first else {
            try dropBase(identity)
            return try show(identity, theirs)
        }
        let all = places.map { log.entries[$0.entry].changes[$0.change] }
        let number = log.entries[first.entry].number
        if leftScope, all[0].operation != .insert {
            return try leave(identity, places.map(\.entry), set)
        }
        if let theirs, theirs.etag != nil, all[0].operation != .insert, all[0].etag == theirs.etag {
            return try show(identity, theirs)
        }
        switch (all[0].operation, theirs) {
        case (.insert, let theirs?):
            // A second insert of a key: equal content is the same row, else the server will refuse and tell why.
            let mine = try rolledForward(all)
            if let mine, travelling(set).allSatisfy({ mine.values[$0] == theirs.values[$0] }) {
                drop(identity)
                try dropBase(identity)
            } else {
                try setBase(identity, theirs)
            }
        case (.insert, nil): try dropBase(identity)
        case (_, let theirs?) where all.contains { $0.operation == .delete }:
            if all.last?.operation == .delete {
                try logConflict(identity, .deletedHere, number, clashes(all[0], all, theirs, set, mineWon: false))
                drop(identity)
            } else {
                try changeFirst(first) { $0.etag = theirs.etag }
            }
            try dropBase(identity)
        case (_, nil) where all.contains { $0.operation == .delete }:
            // Gone on both sides; what is inserted again stays.
            forget(identity) { change, seen in
                if change.operation == .insert { seen = true }
                return seen
            }
            try dropBase(identity)
        case (_, nil): return try insertAgain(identity, all, number, first, set)
        case (_, let theirs?):
            try merge(identity, all, theirs, places.map { ($0.entry, $0.change) }, number, set)
            try dropBase(identity)
        }
        try show(identity, theirs)
    }

    private func travelling(_ set: SetLayout) -> [Int] {
        set.columns.filter { !$0.property.isLocalOnly && $0.property.generation == .none }.map(\.place)
    }

    private func rolledForward(_ changes: [OutboxChange]) throws -> StoredRow? {
        var row: StoredRow?
        for change in changes {
            switch change.operation {
            case .insert: row = StoredRow(values: change.row, etag: nil)
            case .delete: row = nil
            case .update: for one in change.assignments { row?.values[one.property] = one.after }
            }
        }
        return row
    }

    private func merge(
        _ identity: RowIdentity, _ all: [OutboxChange], _ theirs: StoredRow, _ places: [(Int, Int)], _ number: Int64,
        _ set: SetLayout
    ) throws {
        var base = theirs.values
        var mine = theirs.values
        var touched = Set<Int>()
        for change in all {
            for assignment in change.assignments {
                if touched.insert(assignment.property).inserted { base[assignment.property] = assignment.before }
                mine[assignment.property] = assignment.after
            }
        }
        // Where only the server changed something, the base of those properties is not recorded: any other value will do.
        let result = ThreeWayMerge(base: base, mine: mine, theirs: theirs.values, touched: touched) {
            policy(set.index, $0)
        }
        if !result.remaining.isEmpty { merged += 1 }
        if !result.clashes.isEmpty {
            try logConflict(
                identity, .update, number,
                result.clashes.map { Clash($0.property, $0.base, $0.mine, $0.theirs, $0.mineWon) })
        }
        let remaining = Set(result.remaining)
        var seen = Set<Int>()
        for (entry, change) in places {
            var kept: [Change.Assignment] = []
            for var assignment in log.entries[entry].changes[change].assignments where remaining.contains(assignment.property) {
                if seen.insert(assignment.property).inserted { assignment.before = theirs.values[assignment.property] }
                kept.append(assignment)
            }
            log.entries[entry].changes[change].assignments = kept
            log.entries[entry].isDirty = true
        }
        for place in remaining where result.values[place] != mine[place] {
            guard let last = places.last(where: { at in
                log.entries[at.0].changes[at.1].assignments.contains { $0.property == place }
            }) else { continue }
            for index in log.entries[last.0].changes[last.1].assignments.indices
            where log.entries[last.0].changes[last.1].assignments[index].property == place {
                log.entries[last.0].changes[last.1].assignments[index].after = result.values[place]
            }
        }
        if let first = places.first { log.entries[first.0].changes[first.1].etag = theirs.etag }
        dropEmpty(identity)
    }

    private func dropEmpty(_ identity: RowIdentity) {
        var etag: String?
        for entry in log.entries.indices where !log.entries[entry].isFrozen {
            log.entries[entry].changes.removeAll { change in
                guard change.identity == identity, change.operation == .update, change.assignments.isEmpty else { return false }
                etag = change.etag
                return true
            }
            // The version passes on to the first change that is left.
            if let known = etag, let next = log.entries[entry].changes.firstIndex(where: { $0.identity == identity }) {
                log.entries[entry].changes[next].etag = known
                etag = nil
            }
        }
    }

    /// Update beats delete: a row that the server deleted and this device changed is inserted again, whole.
    private func insertAgain(
        _ identity: RowIdentity, _ all: [OutboxChange], _ number: Int64, _ first: (entry: Int, change: Int),
        _ set: SetLayout
    ) throws {
        guard var row = try connection.row(set, identity.key) else { return drop(identity) }
        row.etag = nil
        try logConflict(identity, .deletedThere, number, clashes(all[0], all, nil, set, mineWon: true))
        let turn = log.entries[first.entry].changes[first.change].turn
        let old = log.entries[first.entry].number
        drop(identity)
        guard let entry = log.entries.firstIndex(where: { $0.number == old }) else { return }
        try dropBase(identity)
        let insert = OutboxChange(
            set: set.index, operation: .insert, turn: turn, key: identity.key, etag: nil, row: row.values, assignments: [])
        log.entries[entry].changes.append(insert)
        log.entries[entry].changes.sort { $0.turn < $1.turn }
        log.entries[entry].isDirty = true
        try show(identity, nil)
        if set.isGenerated {
            let temporary = try connection.number("last_temporary") - 1
            try connection.setNumber("last_temporary", temporary)
            try remap(identity, to: [.integer(temporary)])
        }
    }

    /// A row left the subscription while changes of it wait: they go to the quarantine as a whole, the row goes.
    private func leave(_ identity: RowIdentity, _ entries: [Int], _ set: SetLayout) throws {
        for number in Set(entries.map { log.entries[$0].number }).sorted() {
            try toQuarantine(
                number, code: "LeftScope",
                message: "An entity of '\(set.name)' that was changed here is no longer part of what you may see.",
                status: 0)
        }
        try setBase(identity, nil)
        touch(identity.set)
        try connection.remove(set, identity.key)
    }

    private func changeFirst(_ place: (entry: Int, change: Int), _ body: (inout OutboxChange) -> Void) throws {
        body(&log.entries[place.entry].changes[place.change])
        log.entries[place.entry].isDirty = true
    }

    /// Takes all changes of a row out of what waits.
    private func drop(_ identity: RowIdentity) {
        forget(identity) { _, _ in false }
    }

    private func forget(_ identity: RowIdentity, keep: (OutboxChange, inout Bool) -> Bool) {
        var state = false
        for entry in log.entries.indices where !log.entries[entry].isFrozen {
            let count = log.entries[entry].changes.count
            log.entries[entry].changes.removeAll { $0.identity == identity && !keep($0, &state) }
            if log.entries[entry].changes.count != count { log.entries[entry].isDirty = true }
        }
    }

    // MARK: The conflict log

    private typealias Clash = (property: Int, base: Value, mine: Value, theirs: Value, mineWon: Bool)

    private func clashes(
        _ first: OutboxChange, _ all: [OutboxChange], _ theirs: StoredRow?, _ set: SetLayout, mineWon: Bool
    ) -> [Clash] {
        var found: [Int: Clash] = [:]
        for change in all {
            for assignment in change.assignments {
                let before = found[assignment.property]?.base ?? assignment.before
                found[assignment.property] = (
                    assignment.property, before, assignment.after, theirs?.values[assignment.property] ?? .null, mineWon
                )
            }
            if change.operation == .delete, let theirs {
                for place in travelling(set) where change.row[place] != theirs.values[place] {
                    found[place] = (place, change.row[place], .null, theirs.values[place], mineWon)
                }
            }
        }
        return found.values.sorted { $0.property < $1.property }
    }

    private func logConflict(
        _ identity: RowIdentity, _ kind: Conflict.Kind, _ number: Int64, _ clashes: [Clash]
    ) throws {
        let set = layout.sets[identity.set]
        let record = PackedBuffer()
        for clash in clashes {
            record.integer(Int64(clash.property))
            record.integer(clash.mineWon ? 1 : 0)
            for value in [clash.base, clash.mine, clash.theirs] { set.columns[clash.property].append(value, to: record) }
        }
        try connection.run(
            """
            INSERT INTO main.tideline_conflicts (set_name, key, kind, number, noticed, record)
            VALUES (?, ?, ?, ?, CAST(strftime('%s', 'now') AS INTEGER), ?)
            """
        ) {
            self.bind(identity, to: $0)
            $0.text(kind.rawValue)
            $0.integer(number)
            $0.blob(record.bytes)
        }
        conflicts.append(try connection.integer("SELECT last_insert_rowid()"))
    }

    // MARK: Quarantine

    /// Takes a transaction, and those that build on it, out of what waits and into the quarantine.
    func toQuarantine(_ number: Int64, code: String, message: String, status: Int) throws {
        guard let place = log.entries.firstIndex(where: { $0.number == number }) else { return }
        let entry = log.entries[place]
        let id = try Quarantine.add(
            entry.changes, number: number, code: code, message: message, status: status, dependsOn: nil, connection)
        try hold(entry, id, code, message, status, nil)
        var held = entry.changes
        for later in log.entries where later.number > number && !later.isFrozen {
            guard Quarantine.depends(later.changes, on: held, layout) else { continue }
            let text = "The transaction builds on one that the server refused."
            let laterID = try Quarantine.add(
                later.changes, number: later.number, code: "DependsOnQuarantined", message: text, status: 0,
                dependsOn: id, connection)
            try hold(later, laterID, "DependsOnQuarantined", text, 0, id)
            held += later.changes
        }
    }

    private func hold(
        _ entry: PendingLog.Entry, _ id: Int64, _ code: String, _ message: String, _ status: Int, _ holder: Int64?
    ) throws {
        try PendingLog.remove(entry.number, connection)
        log.entries.removeAll { $0.number == entry.number }
        quarantine.append(
            Quarantine.Entry(
                id: id, number: entry.number, code: code, message: message, status: status, dependsOn: holder,
                changes: entry.changes))
        quarantined.append(id)
    }

    // MARK: Keys

    /// Gives a row another key: in its table, in the rows that refer to it, and wherever changes of it are kept.
    ///
    /// - Returns: whether a row of the new key was there already; it is kept as the server's state.
    @discardableResult
    func remap(_ identity: RowIdentity, to key: [Value]) throws -> Bool {
        let set = layout.sets[identity.set]
        let new = RowIdentity(set: identity.set, key: key)
        guard new != identity else { return false }
        touch(identity.set)
        let pulled = try connection.row(set, key)
        if pulled != nil { try connection.remove(set, key) }
        let base = try base(identity)
        try dropBase(identity)
        if let pulled { try setBase(new, pulled) } else if let base { try setBase(new, base) }
        try connection.run("UPDATE main.\(set.table) SET \(set.matchesForSetting(set.key)) WHERE \(set.matches(set.key))") {
            self.connection.append(key, set.key, set, to: $0)
            self.connection.append(identity.key, set.key, set, to: $0)
        }
        try connection.run("UPDATE main.tideline_conflicts SET key = ? WHERE set_name = ? AND key = ?") {
            $0.blob(self.packed(new))
            self.bind(identity, to: $0)
        }
        for entry in log.entries.indices {
            if ServerEffects.rename(&log.entries[entry].changes, identity, new, layout) { log.entries[entry].isDirty = true }
        }
        for entry in quarantine.indices {
            if ServerEffects.rename(&quarantine[entry].changes, identity, new, layout) {
                dirtyQuarantine.insert(quarantine[entry].id)
            }
        }
        for reference in set.incoming where reference.parentPlaces == set.key {
            let child = layout.sets[reference.child]
            let places = reference.childPlaces
            let changed = try connection.run(
                "UPDATE main.\(child.table) SET \(child.matchesForSetting(places)) WHERE \(child.matches(places))"
            ) {
                self.connection.append(key, places, child, to: $0)
                self.connection.append(identity.key, places, child, to: $0)
            }
            if changed > 0 { touch(child.index) }
        }
        return pulled != nil
    }

    private static func rename(
        _ changes: inout [OutboxChange], _ old: RowIdentity, _ new: RowIdentity, _ layout: StoreLayout
    ) -> Bool {
        let set = layout.sets[old.set]
        var isChanged = false
        for index in changes.indices {
            if changes[index].identity == old {
                changes[index].key = new.key
                for (place, value) in zip(set.key, new.key) where !changes[index].row.isEmpty {
                    changes[index].row[place] = value
                }
                isChanged = true
            }
            for reference in set.incoming
            where reference.child == changes[index].set && reference.parentPlaces == set.key {
                if changes[index].rename(reference.childPlaces, from: old.key, to: new.key, layout) { isChanged = true }
            }
        }
        return isChanged
    }
}

extension OutboxChange {
    /// Gives a foreign key another value wherever it has an old one.
    fileprivate mutating func rename(_ places: [Int], from old: [Value], to new: [Value], _ layout: StoreLayout) -> Bool {
        var isChanged = false
        if !row.isEmpty, places.map({ row[$0] }) == old {
            for (place, value) in zip(places, new) { row[place] = value }
            isChanged = true
        }
        let keyPlaces = layout.sets[set].key
        if places.allSatisfy(keyPlaces.contains) {
            let at = places.compactMap { keyPlaces.firstIndex(of: $0) }
            if at.map({ key[$0] }) == old {
                for (place, value) in zip(at, new) { key[place] = value }
                isChanged = true
            }
        }
        for (place, pair) in zip(places, zip(old, new)) {
            for index in assignments.indices where assignments[index].property == place {
                if assignments[index].before == pair.0 {
                    assignments[index].before = pair.1
                    isChanged = true
                }
                if assignments[index].after == pair.0 {
                    assignments[index].after = pair.1
                    isChanged = true
                }
            }
        }
        return isChanged
    }
}
