// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
public import TidelineModel

/// What can be changed in one transaction; it reads its own changes.
///
/// It does not outlive its closure.
public final class LocalTransaction {
    let connection: Connection
    let layout: StoreLayout
    /// The packed changes of each set, by its place.
    var records: [PackedBuffer?]
    /// The changes made so far.
    var turn = 0
    /// The rows whose changes are not recorded.
    var unrecorded = TouchedRows()
    /// Whether anything but inserts was done, so that changes may fold.
    var hasRewrites = false
    /// Deleted rows that nothing may refer to any more when the transaction ends.
    var denials: [Denial] = []
    /// What the changes break; the transaction is refused at its end when there is something.
    var failures = Failures()
    /// Rows of sets with rules of which nothing but local-only properties changed, so that no record has them.
    var localOnlyRows = Set<RowIdentity>()
    var deleted = Set<RowIdentity>()
    /// The rows whose deletion is going on.
    var deleting = Set<RowIdentity>()
    private var lastTemporary: Int64?
    private var isTemporaryUsed = false
    private var inserts: [Statement?]
    private var isOver = false
    /// Whether what delete rules do to dependents is recorded.
    var recordsCascades = true
    /// The row whose deletion the delete rules are followed for now.
    var cascadeRoot: RowIdentity?

    init(_ connection: Connection) {
        self.connection = connection
        layout = connection.layout
        records = Array(repeating: nil, count: layout.sets.count)
        inserts = Array(repeating: nil, count: layout.sets.count)
    }

    /// The model of the store.
    public var model: EntityModel { layout.model }

    /// Ends the use of the object.
    func end() { isOver = true }

    func writable(_ name: String) throws -> SetLayout {
        let set = try layout.set(name)
        guard !set.set.isReadOnly else {
            throw LocalStoreError(.readOnly, set: name, message: "The entity set '\(name)' can only be read.")
        }
        precondition(!isOver, "A transaction cannot be used after its closure.")
        try connection.checkTransaction()
        return set
    }

    func record(_ set: SetLayout) -> PackedBuffer {
        if let known = records[set.index] { return known }
        let new = PackedBuffer()
        OutboxRecord.begin(set, new)
        records[set.index] = new
        return new
    }

    /// The next temporary key of this store: -1, -2, …, each used once.
    func temporaryKey() throws -> Int64 {
        let last = try lastTemporary ?? connection.lastTemporaryKey()
        lastTemporary = last - 1
        isTemporaryUsed = true
        return last - 1
    }

    func storeTemporaryKey() throws {
        if isTemporaryUsed, let lastTemporary { try connection.setLastTemporaryKey(lastTemporary) }
    }

    // MARK: Dynamic rows

    /// Inserts an entity.
    ///
    /// Absent properties get their default, or null; a number that the server makes as key must be absent, a GUID that it
    /// would make is made here where it is absent.
    ///
    /// What the values break is told at the end of the transaction, all at once.
    ///
    /// - Returns: the key, a temporary negative one where the server makes it.
    /// - Throws: ``LocalStoreError``: `duplicateKey`, `unknownProperty`, `readOnly`, and `invalidKey` for a key that the
    ///   server makes.
    @discardableResult
    public func insert(_ values: [String: Value], into set: String) throws -> Key {
        let layout = try writable(set)
        var row = [Value](repeating: .null, count: layout.columns.count)
        var given = Set<Int>()
        for (name, value) in values {
            let place = try self.place(name, layout)
            row[place] = value
            given.insert(place)
        }
        for column in layout.columns
        where !given.contains(column.place) || row[column.place].isNull && layout.key.contains(column.place) {
            row[column.place] = layout.initialValue(column.place)
        }
        return try insert(row, given: given, into: layout)
    }

    /// Inserts a row whose values stand in the order of the properties.
    func insert(_ row: [Value], given: Set<Int>, into set: SetLayout) throws -> Key {
        guard set.set.type.mediaProperty == nil else {
            throw LocalStoreError(
                .unsupported,
                set: set.name,
                message:
                    "An entity of '\(set.name)' is made with its file, by POST to the service; a device has no files."
            )
        }
        let record = record(set)
        let start = record.count
        do {
            record.append(byte: OutboxRecord.insert)
            record.append(word: UInt32(turn))
            let values = record.count
            var broken: [ValueError] = []
            for column in set.columns {
                broken += try append(row[column.place], isGiven: given.contains(column.place), column, to: record)
            }
            let key = try key(in: record, from: values, set)
            if try note(broken, key, set) {
                try store(set, record, from: values)
            } else {
                record.truncate(to: start)
            }
            return key
        } catch {
            record.truncate(to: start)
            throw named(error, set)
        }
    }

    private func append(
        _ value: Value,
        isGiven: Bool,
        _ column: DeviceColumn,
        to record: PackedBuffer
    ) throws -> [ValueError] {
        let property = column.property
        switch property.generation {
        case .none:
            guard !property.isReadOnly || !isGiven || value.isNull else {
                throw column.refused("can only be read", .readOnly)
            }
            return column.append(checked: value, to: record)
        case .onInsert where column.rule.isGeneratedKey:
            guard !isGiven || value.isNull else {
                throw column.refused("is made by the server and cannot be given", .invalidKey)
            }
            guard column.rule.form == .integer, column.rule.low < 0 else {
                throw column.refused("is made by the server, and has no temporary form", .unsupported)
            }
            record.integer(try temporaryKey())
        case .onInsert where !column.rule.isNullable || !value.isNull && !property.isReadOnly:
            return column.append(checked: value, to: record)
        case .onInsert, .always:
            guard !isGiven || value.isNull else { throw column.refused("is made by the server", .readOnly) }
            record.null()
        }
        return []
    }

    /// Binds a packed row and inserts it.
    ///
    /// - Throws: ``LocalStoreError/Code/duplicateKey`` where its key is taken.
    func store(_ set: SetLayout, _ record: PackedBuffer, from values: Int) throws {
        let statement: Statement
        if let known = inserts[set.index] {
            statement = known
        } else {
            statement = try connection.statement(set.insertSQL)
            inserts[set.index] = statement
        }
        var reader = record.reader(from: values)
        for index in 1...Int32(set.columns.count) { unsafe reader.bind(statement.handle, index) }
        guard unsafe sqlite3_step(statement.handle) == SQLITE_DONE else {
            let error = unsafe SQLiteRefusal.error(SQLITE_ERROR, connection.database.sqliteConnection)
            statement.reset()
            guard error.code == .duplicateKey else { throw error }
            throw try taken(key(in: record, from: values, set), set)
        }
        statement.reset()
        turn += 1
    }

    /// Changes properties of an entity; an equal value is no change.
    ///
    /// What the values break is told at the end of the transaction, all at once.
    ///
    /// - Returns: false when there is no such entity.
    @discardableResult
    public func update(_ key: Key, _ values: [String: Value], in set: String) throws -> Bool {
        let layout = try writable(set)
        let key = try checked(key, layout)
        guard let old = try connection.row(layout, key) else { return false }
        var new: [Int: Value] = [:]
        for (name, value) in values { new[try place(name, layout)] = value }
        try update(key, old, new, layout)
        return true
    }

    /// Changes properties of a row that was read in this transaction.
    func update(_ key: [Value], _ old: StoredRow, _ new: [Int: Value], _ set: SetLayout) throws {
        let scratch = PackedBuffer()
        var assignments: [Change.Assignment] = []
        do {
            for place in new.keys.sorted() {
                let column = set.columns[place]
                scratch.removeAll()
                let broken = column.append(checked: new[place] ?? .null, to: scratch)
                var reader = scratch.reader()
                let value = try column.value(reader.next())
                let isUnstorable = broken.contains { $0.isUnstorable && $0.code != .null }
                let isChange = isUnstorable || value != old.values[place]
                if isChange || broken.isEmpty { failures.forget(set.name, Key(key), [column.property.names.wire]) }
                guard isChange else { continue }
                guard !set.key.contains(place) else {
                    throw column.refused("is part of the key and cannot change", .invalidKey)
                }
                if let reason = column.reasonAgainstChange { throw column.refused(reason, .readOnly) }
                _ = try note(broken + column.violationsOfChange(to: value), Key(key), set)
                guard !isUnstorable else { continue }
                assignments.append(Change.Assignment(property: place, before: old.values[place], after: value))
            }
        } catch {
            throw named(error, set)
        }
        guard !assignments.isEmpty else { return }
        let places = assignments.map(\.property)
        let sql = "UPDATE main.\(set.table) SET \(set.matchesForSetting(places)) WHERE \(set.matches(set.key))"
        try connection.run(sql) { buffer in
            for assignment in assignments { set.columns[assignment.property].append(assignment.after, to: buffer) }
            connection.append(key, set.key, set, to: buffer)
        }
        assignments.removeAll { !set.columns[$0.property].property.isRecorded }
        guard !assignments.isEmpty else {
            if set.hasConditions { localOnlyRows.insert(RowIdentity(set: set.index, key: key)) }
            return unrecorded.add(set.index, key)
        }
        append(
            OutboxChange(
                set: set.index,
                operation: .update,
                turn: turn,
                key: key,
                etag: old.etag,
                row: [],
                assignments: assignments
            )
        )
    }

    func append(_ change: OutboxChange) {
        if !recordsCascades, let cascadeRoot, change.identity != cascadeRoot {
            return unrecorded.add(change.set, change.key)
        }
        let set = layout.sets[change.set]
        OutboxRecord.append(change, set, to: record(set))
        turn += 1
        hasRewrites = true
    }

    // MARK: Names and keys

    private func place(_ name: String, _ set: SetLayout) throws -> Int {
        guard let place = set.set.type.propertyIndex(wire: name) else {
            throw LocalStoreError(
                .unknownProperty,
                set: set.name,
                properties: [name],
                message: "The entities of '\(set.name)' have no property '\(name)'."
            )
        }
        return place
    }

    /// The key with its values in the families of its properties.
    func checked(_ key: Key, _ set: SetLayout) throws -> [Value] {
        try Connection.checked(key, set)
    }

    func named(_ error: any Error, _ set: SetLayout) -> any Error {
        guard var error = error as? LocalStoreError else { return error }
        error.set = error.set ?? set.name
        return error
    }
}
