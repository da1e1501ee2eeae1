// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A context over another one.
extension EditingContext {
    /// Hands what is pending to the parent, as one step of its undo.
    func saveIntoParent(_ policy: MergePolicy) throws {
        guard let parent else { return }
        let rows = changedRows
        let inserts = rows.filter { $0.presence == .new && $0.edit?.isNew != true }
        let updates = rows.filter { $0.presence == .stored && $0.posted != $0.base }
        let deletes = rows.filter { $0.presence == .deleted }
        try parent.group {
            let merged = try meet(updates + deletes, policy)
            for row in inserts { try parent.receive(row) }
            for row in updates { try hand(row, merged[row] ?? row.posted) }
            for row in deletes {
                if let theirs = try row.identity.flatMap({ try parent.object($0) }) { try parent.delete(theirs) }
            }
        }
        for row in deletes { detach(row) }
        for row in inserts + updates {
            // The parent goes on with the same key, so it is the same object there.
            guard let identity = row.identity, let theirs = parent.row(identity) else { detach(row); continue }
            let isProvisional = row.hasProvisionalKey
            settle(row, theirs.values)
            row.hasProvisionalKey = isProvisional
        }
        seenEditions = parent.editions
    }

    /// Takes a new object of a context that saves into this one.
    private func receive(_ row: ManagedRow) throws {
        if let identity = row.identity, try object(identity) != nil {
            throw LocalStoreError(
                .duplicateKey,
                set: row.set.name,
                properties: row.set.layout.names(row.set.layout.key),
                message: "The entity set '\(row.set.name)' has an entity with this key."
            )
        }
        let new = ManagedRow(self, row.set, .new, row.posted)
        new.given = row.given
        new.hasProvisionalKey = row.hasProvisionalKey
        enter(new)
        record(.inserted(new))
    }

    /// Gives the parent's object what was changed of it here.
    private func hand(_ row: ManagedRow, _ values: [Value]) throws {
        guard let parent, let identity = row.identity, let theirs = try parent.object(identity) else { return }
        var new: [Int: Value] = [:]
        for place in values.indices where values[place] != theirs.values[place] { new[place] = values[place] }
        try parent.assign(theirs, new)
    }

    /// Compares what was read from the parent with what it has now.
    ///
    /// - Returns: the values to hand on, for the objects that both changed.
    private func meet(_ rows: [ManagedRow], _ policy: MergePolicy) throws -> [ManagedRow: [Value]] {
        var conflicts: [StaleObject] = []
        var merged: [ManagedRow: [Value]] = [:]
        for row in rows {
            guard let base = row.base, let identity = row.identity else { continue }
            let theirs = try parent?.object(identity)?.values
            guard theirs != base else { continue }
            if row.presence == .deleted {
                if theirs == nil || policy == .preferMine { continue }
                conflicts.append(StaleObject(row, base: base, theirs: theirs, clashes: []))
                continue
            }
            guard let theirs else {
                if policy != .preferTheirs {
                    conflicts.append(
                        StaleObject(row, base: base, theirs: nil, clashes: row.set.layout.names(row.dirtyPlaces))
                    )
                }
                continue
            }
            let touched = Set(base.indices.filter { row.posted[$0] != base[$0] })
            let merge = ThreeWayMerge(
                base: base,
                mine: row.posted,
                theirs: theirs,
                touched: touched,
                decision: policy == .preferMine ? .mine : .theirs
            )
            if policy == .strict || policy == .byProperty && !merge.clashes.isEmpty {
                let names = row.set.layout.names(merge.clashes.map(\.property))
                conflicts.append(StaleObject(row, base: base, theirs: theirs, clashes: names))
            } else {
                merged[row] = merge.values
            }
        }
        guard conflicts.isEmpty else { throw StaleObjectsError(objects: conflicts) }
        return merged
    }
}
