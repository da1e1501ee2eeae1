// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Deleting, with what the model's rules ask of the dependents.
extension LocalTransaction {
    /// Deletes an entity, and does with its dependents what the model's delete rules say.
    ///
    /// - Returns: false when there was no such entity.
    /// - Throws: at the end of the transaction `stillReferenced`, when a rule refuses and dependents are still there.
    @discardableResult
    public func delete(_ key: Key, in set: String) throws -> Bool {
        let layout = try writable(set)
        let key = try checked(key, layout)
        guard let row = try connection.row(layout, key) else { return false }
        cascadeRoot = RowIdentity(set: layout.index, key: key)
        defer { cascadeRoot = nil }
        try delete(key, row, layout)
        return true
    }

    private func delete(_ key: [Value], _ row: StoredRow, _ set: SetLayout) throws {
        // Delete rules may lead in a circle; a row that came back after it was deleted is deleted again.
        let identity = RowIdentity(set: set.index, key: key)
        guard deleting.insert(identity).inserted else { return }
        defer { deleting.remove(identity) }
        deleted.insert(identity)
        failures.forget(set.name, Key(key))
        for reference in set.incoming { try release(reference, key, reference.parentPlaces.map { row.values[$0] }) }
        guard try connection.remove(set, key) else { return }
        append(
            OutboxChange(
                set: set.index,
                operation: .delete,
                turn: turn,
                key: key,
                etag: row.etag,
                row: row.values,
                assignments: []
            )
        )
    }

    /// Does with the dependents of a row that goes what the rule says.
    private func release(_ reference: SetLayout.Reference, _ parent: [Value], _ values: [Value]) throws {
        guard !values.contains(.null) else { return }
        let child = layout.sets[reference.child]
        guard reference.rule != .none else {
            denials.append(Denial(reference: reference, parent: parent, values: values))
            return
        }
        for row in try connection.rows(child, where: reference.childPlaces, are: values) {
            let key = child.key.map { row.values[$0] }
            if reference.rule == .cascade {
                try delete(key, row, child)
                continue
            }
            let new = reference.released(layout)
            guard !new.contains(where: { $1.isNull && !child.rules[$0].isNullable || child.key.contains($0) }) else {
                // Refused at the end, unless the row was given another reference, or deleted, by then.
                denials.append(Denial(reference: reference, parent: parent, values: values))
                return
            }
            try update(key, row, new, child)
        }
    }
}
