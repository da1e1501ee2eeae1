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
        let values = try insert(entity, set)
        var reader = record(set).reader(from: values)
        var key = set.key.map { _ in Value.null }
        for column in set.columns {
            let stored = reader.next()
            if let turn = set.key.firstIndex(of: column.place) { key[turn] = try column.value(stored) }
        }
        return Key(key)
    }

    /// Inserts many typed entities.
    public func insert<E: Entity>(contentsOf entities: some Sequence<E>) throws {
        let set = try writable(E.entitySet.names.wire)
        for entity in entities { _ = try insert(entity, set) }
    }

    /// - Returns: where the packed values begin in the record.
    private func insert<E: Entity>(_ entity: E, _ set: SetLayout) throws -> Int {
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
            try store(set, record, from: values)
        } catch {
            record.truncate(to: start)
            throw named(error, set)
        }
        return values
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
        guard let old = try connection.row(set, key) else { return false }
        var new: [Int: Value] = [:]
        for column in set.columns where row[column.place] != old.values[column.place] {
            // What the server makes is read and never written, so an entity read earlier may hold an older value.
            if column.property.generation == .none { new[column.place] = row[column.place] }
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
