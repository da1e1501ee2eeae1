// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Typed entities: packed once, bound and recorded from there.
extension LocalTransaction {
    /// Inserts a typed entity.
    ///
    /// A generated key that is 0 gets a temporary value.
    ///
    /// - Returns: the key.
    @discardableResult
    public func insert<E: Entity>(_ entity: E) throws -> Key {
        let set = try writable(E.entitySet.names.wire)
        var key = Key([])
        try insert(entity, set) { key = try self.key(in: $0, from: $1, set) }
        return key
    }

    /// Inserts many typed entities.
    public func insert<E: Entity>(contentsOf entities: some Sequence<E>) throws {
        let set = try writable(E.entitySet.names.wire)
        for entity in entities { try insert(entity, set) { _, _ in } }
    }

    /// - Parameter look: is shown the record and where the packed values begin in it.
    private func insert<E: Entity>(
        _ entity: E,
        _ set: SetLayout,
        look: (PackedBuffer, Int) throws -> Void
    ) throws {
        let record = record(set)
        let start = record.count
        record.append(byte: OutboxRecord.insert)
        record.append(word: UInt32(turn))
        let values = record.count
        var binder = Binder(set, record)
        if set.isGenerated { binder.makesKey = temporaryKey }
        entity.bind(into: &binder)
        do {
            try binder.finish()
            try look(record, values)
            if !binder.violations.isEmpty, try !note(binder.violations, key(in: record, from: values, set), set) {
                return record.truncate(to: start)
            }
            try store(set, record, from: values)
        } catch {
            record.truncate(to: start)
            throw named(error, set)
        }
    }

    /// Changes the properties in which the entity differs from what is stored.
    ///
    /// - Returns: false when there is no entity of its key.
    @discardableResult
    public func update<E: Entity>(_ entity: E) throws -> Bool {
        let set = try writable(E.entitySet.names.wire)
        let scratch = PackedBuffer()
        var binder = Binder(set, scratch)
        entity.bind(into: &binder)
        do { try binder.finish() } catch { throw named(error, set) }
        var reader = scratch.reader()
        let row = try set.columns.map { try $0.value(reader.next()) }
        let key = set.key.map { row[$0] }
        // What has no form in the file stands there as null, and is no value to change to.
        let unfit = binder.violations.filter { $0.isUnstorable && $0.code != .null }
        guard !key.contains(.null), let old = try connection.row(set, key) else {
            _ = try note(unfit, Key(key), set)
            return false
        }
        let names = Set(unfit.map(\.property))
        if !failures.isEmpty {
            // What was refused before, and fits now or does not fit otherwise, is told as it is now.
            let standing = Set(binder.violations.map(\.property)).subtracting(names)
            let all = set.columns.map(\.property.names.wire)
            failures.forget(set.name, Key(key), all.filter { !standing.contains($0) })
        }
        _ = try note(unfit, Key(key), set)
        var new: [Int: Value] = [:]
        for column in set.columns
        where row[column.place] != old.values[column.place] && !names.contains(column.property.names.wire) {
            // What the server alone makes is never written, and a default that it made since is not cleared: an entity
            // read earlier may hold an older value of the one, and none of the other.
            let value = row[column.place]
            if set.set.type.brings(value, at: column.place), !column.property.isReadOnly { new[column.place] = value }
        }
        try update(key, old, new, set)
        return true
    }

    /// Deletes the entity of a key.
    ///
    /// - Returns: false when there was none.
    @discardableResult
    public func delete<E: Entity>(_ type: E.Type, key: Key) throws -> Bool {
        try delete(key, in: E.entitySet.names.wire)
    }
}
