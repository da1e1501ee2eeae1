// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Checks what ties rows together after some of them changed: unique values and foreign keys.
struct ConstraintChecker {
    let schema: MemorySchema
    /// As it is now.
    let version: MemoryVersion
    /// As it was before the changes.
    let before: MemoryVersion

    /// The foreign keys to look at.
    enum Kind {
        case immediate, deferred, all
    }

    /// - Throws: ``StorageError`` with `duplicateValue` or `missingReference`.
    func check(_ touched: some Sequence<WorkingCopy.Place>, _ kind: Kind) throws {
        for place in touched {
            if kind != .deferred { try checkUnique(place) }
            for reference in schema.references[place.set] where isWanted(reference, kind) {
                try checkTarget(of: place, reference)
            }
            for reference in schema.dependents[place.set] where isWanted(reference, kind) {
                try checkDependents(of: place, reference)
            }
        }
    }

    private func isWanted(_ reference: MemorySchema.Reference, _ kind: Kind) -> Bool {
        switch kind {
        case .immediate: !reference.isDeferred
        case .deferred: reference.isDeferred
        case .all: true
        }
    }

    private func checkUnique(_ place: WorkingCopy.Place) throws {
        guard let row = version.tables[place.set][place.key] else { return }
        for columns in schema.model.sets[place.set].type.uniqueKeys {
            guard let values = MemoryTable.values(row.values, columns),
                version.tables[place.set].keys(columns, values).count > 1
            else { continue }
            throw StorageError(
                .duplicateValue,
                set: schema.model.sets[place.set].names.wire,
                properties: schema.names(columns, of: place.set),
                message: "Another entity has this value."
            )
        }
    }

    /// The row's own foreign key names a row.
    private func checkTarget(of place: WorkingCopy.Place, _ reference: MemorySchema.Reference) throws {
        guard let row = version.tables[place.set][place.key],
            let values = MemoryTable.values(row.values, reference.columns)
        else { return }
        guard exists(values, reference) else { throw missing(reference) }
    }

    /// The values that the row had before are there still, or nobody refers to them.
    private func checkDependents(of place: WorkingCopy.Place, _ reference: MemorySchema.Reference) throws {
        guard let old = before.tables[place.set][place.key],
            let values = MemoryTable.values(old.values, reference.targetColumns), !exists(values, reference)
        else { return }
        guard version.tables[reference.source].keys(reference.columns, values).isEmpty else {
            throw missing(reference)
        }
    }

    private func exists(_ values: [Value], _ reference: MemorySchema.Reference) -> Bool {
        let table = version.tables[reference.target]
        if reference.targetColumns == schema.model.sets[reference.target].type.key { return table[Key(values)] != nil }
        return !table.keys(reference.targetColumns, values).isEmpty
    }

    private func missing(_ reference: MemorySchema.Reference) -> StorageError {
        StorageError(
            .missingReference,
            set: schema.model.sets[reference.source].names.wire,
            properties: schema.names(reference.columns, of: reference.source),
            message: "A referenced entity does not exist, or this entity is still referred to."
        )
    }
}
