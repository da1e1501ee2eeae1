// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The packed record of one set's changes in one transaction: what a row of `tideline_outbox` holds.
///
///     version 1 · count of properties · (0 turn values…  |  1 turn key… etag n (place before after)…
///                                       |  2 turn key… etag values…)…
///
/// Values have their storage forms, so a typed insert is packed once, bound from here and kept from here.
enum OutboxRecord {
    static let insert: UInt8 = 0
    static let update: UInt8 = 1
    static let delete: UInt8 = 2

    /// The changes of one set in one transaction, in the order of their turns.
    static func encode(_ changes: [OutboxChange], _ layout: SetLayout) -> PackedBuffer {
        let record = PackedBuffer()
        begin(layout, record)
        for change in changes.sorted(by: { $0.turn < $1.turn }) { append(change, layout, to: record) }
        return record
    }

    static func begin(_ layout: SetLayout, _ buffer: PackedBuffer) {
        buffer.append(byte: 1)
        buffer.append(word: UInt32(layout.columns.count))
    }

    static func append(_ change: OutboxChange, _ layout: SetLayout, to buffer: PackedBuffer) {
        switch change.operation {
        case .insert:
            buffer.append(byte: insert)
            buffer.append(word: UInt32(change.turn))
            for (column, value) in zip(layout.columns, change.row) { column.append(value, to: buffer) }
        case .update:
            buffer.append(byte: update)
            head(change, layout, to: buffer)
            buffer.append(word: UInt32(change.assignments.count))
            for assignment in change.assignments {
                buffer.append(word: UInt32(assignment.property))
                layout.columns[assignment.property].append(assignment.before, to: buffer)
                layout.columns[assignment.property].append(assignment.after, to: buffer)
            }
        case .delete:
            buffer.append(byte: delete)
            head(change, layout, to: buffer)
            for (column, value) in zip(layout.columns, change.row) { column.append(value, to: buffer) }
        }
    }

    private static func head(_ change: OutboxChange, _ layout: SetLayout, to buffer: PackedBuffer) {
        buffer.append(word: UInt32(change.turn))
        for (place, value) in zip(layout.key, change.key) { layout.columns[place].append(value, to: buffer) }
        if let etag = change.etag { buffer.text(etag) } else { buffer.null() }
    }

    /// The keys of the rows that a record changes.
    static func keys(_ record: PackedBuffer, _ layout: SetLayout) throws -> [Key] {
        var keys: [Key] = []
        // After the version and the count of properties.
        var reader = record.reader(from: 5)
        while !reader.isAtEnd {
            let kind = reader.byte()
            _ = reader.word()
            var key = layout.key.map { _ in Value.null }
            if kind == insert {
                for column in layout.columns {
                    let stored = reader.next()
                    if let turn = layout.key.firstIndex(of: column.place) { key[turn] = try column.value(stored) }
                }
            } else {
                key = try layout.key.map { try layout.columns[$0].value(reader.next()) }
                reader.skip(1)
                if kind == delete {
                    reader.skip(layout.columns.count)
                } else {
                    for _ in 0..<min(Int(reader.word()), layout.columns.count) {
                        _ = reader.word()
                        reader.skip(2)
                    }
                }
            }
            keys.append(Key(key))
        }
        return keys
    }

    /// - Throws: ``LocalStoreError/Code/corrupt``.
    static func decode(_ bytes: [UInt8], _ layout: SetLayout) throws -> [OutboxChange] {
        try unsafe bytes.withUnsafeBytes { raw in try unsafe decode(raw, layout) }
    }

    static func decode(_ raw: UnsafeRawBufferPointer, _ layout: SetLayout) throws -> [OutboxChange] {
        var reader = unsafe PackedReader(raw)
        var changes: [OutboxChange] = []
        let damaged = LocalStoreError(.corrupt, set: layout.name, message: "A record of the outbox is damaged.")
        guard reader.byte() == 1, reader.word() == UInt32(layout.columns.count) else { throw damaged }
        while !reader.isAtEnd {
            let kind = reader.byte()
            var change = OutboxChange(
                set: layout.index,
                operation: .insert,
                turn: Int(reader.word()),
                key: [],
                etag: nil,
                row: [],
                assignments: []
            )
            if kind != insert {
                change.key = try layout.key.map { try layout.columns[$0].value(reader.next()) }
                if case .text(let text) = reader.next() { change.etag = unsafe String(decoding: text, as: UTF8.self) }
            }
            switch kind {
            case insert, delete:
                change.operation = kind == insert ? .insert : .delete
                change.row = try layout.columns.map { try $0.value(reader.next()) }
                if kind == insert { change.key = layout.key.map { change.row[$0] } }
            case update:
                change.operation = .update
                for _ in 0..<min(Int(reader.word()), layout.columns.count) {
                    let place = Int(reader.word())
                    guard layout.columns.indices.contains(place) else { throw damaged }
                    let before = try layout.columns[place].value(reader.next())
                    let after = try layout.columns[place].value(reader.next())
                    change.assignments.append(Change.Assignment(property: place, before: before, after: after))
                }
            default: throw damaged
            }
            guard !reader.isDamaged else { throw damaged }
            changes.append(change)
        }
        return changes
    }
}
