// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Deletes a row and does to its dependents what the delete rules say.
struct RowRemover {
    let schema: MemorySchema
    let transaction: UInt64
    let nonce: UInt64

    func remove(_ place: WorkingCopy.Place, from copy: inout WorkingCopy) throws {
        guard let old = copy.version.tables[place.set][place.key] else { return }
        copy.set(nil, at: place, nonce: nonce)
        for reference in schema.dependents[place.set] where reference.onDelete != .none {
            guard let values = MemoryTable.values(old.values, reference.targetColumns) else { continue }
            let order = RowOrder(isDescending: schema.model.sets[reference.source].type.key.map { _ in false })
            let keys = copy.version.tables[reference.source].keys(reference.columns, values)
            for key in keys.sorted(by: { order.compare($0.values, $1.values) < 0 }) {
                try follow(reference, .init(set: reference.source, key: key), in: &copy)
            }
        }
    }

    private func follow(
        _ reference: MemorySchema.Reference,
        _ place: WorkingCopy.Place,
        in copy: inout WorkingCopy
    ) throws {
        guard reference.onDelete != .cascade else { return try remove(place, from: &copy) }
        guard let row = copy.version.tables[place.set][place.key] else { return }
        let properties = schema.model.sets[place.set].type.properties
        var given: [Int: Value] = [:]
        for column in reference.columns {
            given[column] = reference.onDelete == .setNull ? .null : properties[column].defaultValue ?? .null
        }
        let values = try RowBuilder(schema: schema, place: place.set).updated(row.values, given)
        copy.set(MemoryRow(values: values, transaction: transaction), at: place, nonce: nonce)
    }
}
