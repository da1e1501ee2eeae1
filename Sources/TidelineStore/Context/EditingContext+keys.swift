// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Keys that change: provisional ones at the save, temporary ones at the sync, given ones of new objects.
extension EditingContext {
    /// Every object that the context knows, each once.
    var knownRows: [ManagedRow] {
        var seen = Set<ObjectIdentifier>()
        let rows = registered.values.compactMap(\.row) + changed.flatMap(\.values)
        return rows.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    /// Lets those who refer to a new object follow the key that it was given.
    ///
    /// Steps of undo stay as they are: going back, they meet the old key again.
    func renameReferences(_ old: RowIdentity, to new: [Value], of row: ManagedRow) {
        for other in knownRows where other !== row { _ = rename(other, [old: new], ownKey: false) }
    }

    /// Gives objects other keys, wherever these are written down: in the objects, in those that refer to them, in the
    /// steps of undo, and in the contexts that save into this one.
    func rename(_ mapping: [RowIdentity: [Value]]) {
        var current = mapping
        while !current.isEmpty {
            var next: [RowIdentity: [Value]] = [:]
            for row in knownRows {
                guard let (old, new) = rename(row, current, ownKey: true), current[old] == nil else { continue }
                // A foreign key was part of its key: who refers to it follows too.
                next[old] = new.key
            }
            func renamed(_ steps: [UndoStep]) -> [UndoStep] { steps.map { rename($0, current) } }
            undoStack = undoStack.map(renamed)
            redoStack = redoStack.map(renamed)
            openGroup = openGroup.map(renamed)
            flight.left = renamed(flight.left)
            flight.done = renamed(flight.done)
            for child in children { child.context?.rename(current) }
            current = next
        }
    }

    /// - Returns: the old and the new key where it has another one now.
    private func rename(
        _ row: ManagedRow,
        _ mapping: [RowIdentity: [Value]],
        ownKey: Bool
    ) -> (old: RowIdentity, new: RowIdentity)? {
        let old = row.identity
        guard let values = renamed(row.values, row.set, mapping, ownKey) else { return nil }
        let isClean = !row.hasChanges
        row.values = values
        if ownKey {
            row.base = isClean ? values : row.base.map { renamed($0, row.set, mapping, true) ?? $0 }
            if parent != nil { row.hasProvisionalKey = false }
        }
        if let before = row.edit?.before { row.edit?.before = renamed(before, row.set, mapping, ownKey) ?? before }
        row.changedValues()
        updateMembership(row)
        guard let old, let new = row.identity, old != new else { return nil }
        unregister(row, as: old)
        if let other = registered[new]?.row, other !== row, !other.hasChanges { detach(other) }
        register(row)
        return (old, new)
    }

    private func rename(_ step: UndoStep, _ mapping: [RowIdentity: [Value]]) -> UndoStep {
        switch step {
        case .inserted: return step
        case .removed(let row, let values):
            return .removed(row, renamed(values, row.set, mapping, true) ?? values)
        case .assigned(let row, let assignments):
            let count = row.set.layout.columns.count
            func side(_ side: (Change.Assignment) -> Value) -> [Value] {
                var values = [Value](repeating: .null, count: count)
                for assignment in assignments { values[assignment.property] = side(assignment) }
                return renamed(values, row.set, mapping, true) ?? values
            }
            let (before, after) = (side(\.before), side(\.after))
            return .assigned(
                row,
                assignments.map {
                    Change.Assignment(property: $0.property, before: before[$0.property], after: after[$0.property])
                }
            )
        }
    }

    /// The values with the new keys, or `nil` where none of them is concerned.
    func renamed(
        _ values: [Value],
        _ set: ContextSet,
        _ mapping: [RowIdentity: [Value]],
        _ ownKey: Bool
    ) -> [Value]? {
        var new = values
        if ownKey, let own = set.identity(values), let key = mapping[own] {
            for (place, value) in zip(set.layout.key, key) { new[place] = value }
        }
        for reference in set.layout.outgoing {
            guard let parent = principal(of: values, reference), let key = mapping[parent] else { continue }
            for (place, parentPlace) in zip(reference.childPlaces, reference.parentPlaces) {
                if let turn = sets[reference.parent].layout.key.firstIndex(of: parentPlace) { new[place] = key[turn] }
            }
        }
        return new == values ? nil : new
    }

    /// The identity that a foreign key means, or `nil` where it is null or refers to other properties than the key.
    func principal(of values: [Value], _ reference: SetLayout.Reference) -> RowIdentity? {
        let key = sets[reference.parent].layout.key
        guard reference.parentPlaces.count == key.count else { return nil }
        var found: [Value] = []
        for place in key {
            guard let turn = reference.parentPlaces.firstIndex(of: place) else { return nil }
            let value = values[reference.childPlaces[turn]]
            guard value != .null else { return nil }
            found.append(value)
        }
        return RowIdentity(set: reference.parent, key: found)
    }
}
