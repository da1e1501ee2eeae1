// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One object of a draft.
///
///     set · presence · edit mode · provisional · n (name · given · value · base? · before?)…
///
/// Values are texts, so that what does not fit its property yet comes back as it was.
struct DraftRow {
    static let version: UInt8 = 1

    let set: ContextSet
    let presence: ManagedRow.Presence
    let isEditingNew: Bool
    let hasProvisionalKey: Bool
    var values: [Value]
    var base: [Value]?
    /// The pending values when edit mode began.
    var before: [Value]?
    var given = Set<Int>()

    init(_ row: ManagedRow) {
        set = row.set
        presence = row.presence
        isEditingNew = row.edit?.isNew == true
        hasProvisionalKey = row.hasProvisionalKey
        values = row.values
        base = row.base
        before = row.edit?.before
        given = row.given
    }

    func encode(to out: PackedBuffer, _ set: ContextSet) {
        out.text(set.name)
        out.integer(presence == .new ? 1 : presence == .deleted ? 2 : 0)
        out.integer(before == nil ? 0 : isEditingNew ? 2 : 1)
        out.integer(hasProvisionalKey ? 1 : 0)
        out.integer(Int64(values.count))
        for place in values.indices {
            out.text(set.layout.columns[place].property.names.wire)
            out.integer(given.contains(place) ? 1 : 0)
            for side in [values, base, before] {
                if let text = side?[place].text { out.text(text) } else { out.null() }
            }
        }
    }

    /// - Throws: ``LocalStoreError``: `corrupt`, `unknownSet`.
    init(_ reader: inout PackedReader, _ context: EditingContext) throws {
        let damaged = LocalStoreError(.corrupt, message: "The bytes are no draft of a context.")
        guard let name = reader.text(), case .integer(let presence) = reader.next(),
            case .integer(let edit) = reader.next(), case .integer(let provisional) = reader.next(),
            case .integer(let count) = reader.next(), count >= 0, count < 100_000
        else { throw damaged }
        set = try context.set(name)
        self.presence = presence == 1 ? .new : presence == 2 ? .deleted : .stored
        isEditingNew = edit == 2
        hasProvisionalKey = provisional == 1
        var sides = [[Value]](repeating: set.layout.columns.map { $0.property.defaultValue ?? .null }, count: 3)
        for _ in 0..<count {
            guard let property = reader.text(), case .integer(let isGiven) = reader.next() else { throw damaged }
            let texts = [reader.text(), reader.text(), reader.text()]
            guard let place = set.places[property] else { continue }
            if isGiven == 1 { given.insert(place) }
            let type = set.layout.columns[place].property.type
            for side in 0..<3 { sides[side][place] = texts[side].map { Value(text: $0, as: type) ?? .null } ?? .null }
        }
        guard !reader.isDamaged else { throw damaged }
        values = sides[0]
        base = presence == 1 ? nil : sides[1]
        before = edit == 0 ? nil : sides[2]
    }

    /// Makes it an object of a context, pending as it was.
    func enter(_ context: EditingContext) -> ManagedRow {
        let known = set.identity(values).flatMap { context.row($0) }
        let row = known ?? ManagedRow(context, set, presence, values)
        row.presence = presence
        row.values = values
        row.base = base
        row.edit = before.map { ManagedRow.EditMode(before: $0, isNew: isEditingNew) }
        row.hasProvisionalKey = hasProvisionalKey
        row.given = given
        context.enter(row)
        return row
    }
}

extension PackedReader {
    /// The next value where it is a text.
    mutating func text() -> String? {
        guard case .text(let text) = next() else { return nil }
        return unsafe String(decoding: text, as: UTF8.self)
    }
}
