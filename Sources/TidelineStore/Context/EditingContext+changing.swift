// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Inserting, changing and deleting, all pending until the save.
extension EditingContext {
    /// Makes a new object; the store has no row of it before the save.
    ///
    /// Absent properties get their default, or null. A key that the server makes is provisional until the save.
    ///
    /// - Parameters:
    ///   - values: by the wire names of the properties.
    ///   - set: the wire name of the entity set.
    ///   - isEditing: whether it begins in edit mode, so that cancelling leaves nothing and saving leaves it out.
    /// - Throws: ``LocalStoreError``: `unknownSet`, `unknownProperty`, `readOnly`, `invalidValue` for a value of another
    ///   type, `invalidKey` for a key that the server makes.
    @discardableResult
    public func insert(
        _ values: [String: Value] = [:],
        into set: String,
        isEditing: Bool = false
    ) throws -> ManagedRow {
        let set = try self.set(set)
        guard !set.layout.set.isReadOnly else {
            throw LocalStoreError(.readOnly, set: set.name, message: "The entity set '\(set.name)' can only be read.")
        }
        var places: [Int: Value] = [:]
        for (name, value) in values {
            let place = try set.place(name)
            places[place] = try set.fitting(value, place)
        }
        let row = try insert(places, set)
        if isEditing {
            row.edit = ManagedRow.EditMode(before: row.values, isNew: true)
        } else {
            record(.inserted(row))
        }
        return row
    }

    private func insert(_ places: [Int: Value], _ set: ContextSet) throws -> ManagedRow {
        var values = set.layout.columns.map { set.layout.initialValue($0.place) }
        for column in set.layout.columns {
            let place = column.place
            if let value = places[place] {
                if column.isMade, !value.isNull { throw made(column, set) }
                values[place] = value
            }
            if column.rule.isGeneratedKey {
                guard column.rule.low < 0 else {
                    throw column.refused("is made by the server, and has no temporary form", .unsupported)
                }
                values[place] = provisionalKey(column)
            }
        }
        let row = ManagedRow(self, set, .new, values)
        row.given = Set(places.keys)
        row.hasProvisionalKey = set.layout.isGenerated
        enter(row)
        return row
    }

    private func made(_ column: DeviceColumn, _ set: ContextSet) -> LocalStoreError {
        var error = column.refused(
            "is made by the server and cannot be given",
            column.rule.isGeneratedKey ? .invalidKey : .readOnly
        )
        error.set = set.name
        return error
    }

    /// Takes a new object into the context.
    func enter(_ row: ManagedRow) {
        register(row)
        updateMembership(row)
        touch(row.set.index)
    }

    /// Gives properties of an object values, as one step of undo.
    func assign(_ row: ManagedRow, _ new: [Int: Value]) throws {
        try row.load()
        guard row.presence == .stored || row.presence == .new else {
            throw LocalStoreError(
                .noSuchEntry,
                set: row.set.name,
                message: "An object that is deleted cannot be changed."
            )
        }
        let assignments = new.keys.sorted().compactMap { place in
            new[place].map { Change.Assignment(property: place, before: row.values[place], after: $0) }
        }.filter { $0.before != $0.after }
        for assignment in assignments {
            let column = row.set.layout.columns[assignment.property]
            if column.isMade { throw made(column, row.set) }
            guard row.presence == .new || !row.set.layout.key.contains(assignment.property) else {
                var error = column.refused("is part of the key and cannot change", .invalidKey)
                error.set = row.set.name
                throw error
            }
        }
        guard !assignments.isEmpty else { return }
        apply(row, assignments)
        if row.edit == nil { record(.assigned(row, assignments)) }
    }

    /// Gives properties of an object values; nothing is checked and no step is recorded.
    func apply(_ row: ManagedRow, _ assignments: [Change.Assignment]) {
        guard !assignments.isEmpty else { return }
        let old = row.identity
        for assignment in assignments {
            row.values[assignment.property] = assignment.after
            row.given.insert(assignment.property)
        }
        row.changedValues()
        if row.identity != old {
            unregister(row, as: old)
            register(row)
            // Only a new object changes its key; who referred to it by the old one still means it.
            if let old, let new = row.identity { renameReferences(old, to: new.key, of: row) }
        }
        updateMembership(row)
    }

    func differences(_ row: ManagedRow, _ values: [Value]) -> [Change.Assignment] {
        values.indices.filter { values[$0] != row.values[$0] }.map {
            Change.Assignment(property: $0, before: row.values[$0], after: values[$0])
        }
    }

    // MARK: Deleting

    /// Marks an object to be deleted, and does with its dependents what the model's delete rules say.
    ///
    /// One step of undo brings all of it back. Dependents whose rule denies, or that cannot lose the reference, stay as
    /// they are: the save refuses while they are there. A new object is only abandoned.
    /// - Throws: what reading the dependents throws; nothing is marked then.
    public func delete(_ row: ManagedRow) throws {
        guard row.context === self else {
            throw LocalStoreError(.noSuchEntry, set: row.set.name, message: "The object is of another context.")
        }
        _ = try row.currentContext()
        if row.edit?.isNew == true { return detach(row) }
        try group { try remove(row) }
    }

    private func remove(_ row: ManagedRow) throws {
        guard row.presence == .stored || row.presence == .new else { return }
        if let edit = row.edit {
            row.edit = nil
            apply(row, differences(row, edit.before))
        }
        let values = row.values
        takeOut(row)
        record(.removed(row, values))
        for reference in row.set.layout.incoming where reference.rule != .none {
            let keys = reference.parentPlaces.map { values[$0] }
            guard !keys.contains(.null) else { continue }
            let child = sets[reference.child]
            for dependent in try rows(child, where: reference.childPlaces, are: keys) {
                if reference.rule == .cascade { try remove(dependent) } else { try release(dependent, reference) }
            }
        }
    }

    /// Takes the reference from a dependent, where it can be without.
    private func release(_ row: ManagedRow, _ reference: SetLayout.Reference) throws {
        var new: [Int: Value] = [:]
        for place in reference.childPlaces {
            let column = row.set.layout.columns[place]
            new[place] = reference.rule == .setDefault ? column.property.defaultValue ?? .null : .null
            if new[place] == .null, !column.rule.isNullable { return }
            if row.set.layout.key.contains(place) { return }
        }
        try assign(row, new)
    }

    /// Takes an object out: a new one is gone, another marked as deleted.
    func takeOut(_ row: ManagedRow) {
        if row.presence == .new { return detach(row) }
        row.presence = .deleted
        row.changedValues()
        updateMembership(row)
    }

    /// Ends an object's part in the context.
    func detach(_ row: ManagedRow) {
        unregister(row, as: row.identity)
        row.changedValues()
        row.presence = .detached
        row.edit = nil
        updateMembership(row)
        row.context = nil
    }
}
