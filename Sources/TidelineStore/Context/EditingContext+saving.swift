// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Saving: into the store in one transaction, or into the parent as one step.
extension EditingContext {
    /// Writes everything that is pending and posted, or nothing.
    ///
    /// Into a store it is one transaction, whose checks find all failures at once; a nested context hands its changes
    /// to its parent and writes nothing. Steps of undo stay: one that is taken back after the save makes the opposite
    /// pending.
    ///
    /// - Parameter policy: what happens to objects that somebody else changed since they were read.
    /// - Throws: ``StaleObjectsError``; ``LocalStoreError`` for what breaks a rule, with all its failures. The changes
    ///   stay pending then.
    public func save(_ policy: MergePolicy = .byProperty) throws {
        do {
            try carryOut(policy)
        } catch let error as StaleObjectsError where policy == .preferMine || policy == .preferTheirs {
            // One side deleted what the other changed: no values merge, so the policy ends it as a whole.
            for object in error.objects { try resolve(object, policy == .preferMine ? .keepMine : .keepTheirs) }
            try carryOut(policy)
        }
    }

    private func carryOut(_ policy: MergePolicy) throws {
        try catchUp()
        var save = ContextSave(self, policy)
        guard !save.isEmpty else { return }
        if parent != nil { return try saveIntoParent(policy) }
        do {
            try store.write { try save.run($0) }
        } catch var error as LocalStoreError where !error.failures.isEmpty {
            name(&error.failures, save.outcome.keys)
            throw error
        }
        finish(save.outcome)
    }

    /// The object that a failure of a save is about, or `nil` where it is none of this context.
    public func row(of failure: ValidationFailure) -> ManagedRow? {
        guard let set = model.setIndex(wire: failure.set), let key = failure.key else { return nil }
        return row(RowIdentity(set: set, key: key.values))
    }

    /// Gives failures of new objects the keys that these have here, in the place of those of the attempt.
    private func name(_ failures: inout [ValidationFailure], _ keys: [RowIdentity: [Value]]) {
        var own: [RowIdentity: [Value]] = [:]
        for (identity, key) in keys { own[RowIdentity(set: identity.set, key: key)] = identity.key }
        for place in failures.indices {
            guard let set = model.setIndex(wire: failures[place].set), let key = failures[place].key,
                let known = own[RowIdentity(set: set, key: key.values)]
            else { continue }
            failures[place].key = Key(known)
        }
    }

    /// Takes over what the commit made of the objects.
    private func finish(_ outcome: ContextSave.Outcome) {
        for row in outcome.deleted { detach(row) }
        if !outcome.keys.isEmpty { rename(outcome.keys) }
        for (row, values) in outcome.stored { settle(row, values) }
    }

    /// The row of an object is stored; edits that were not posted stay.
    func settle(_ row: ManagedRow, _ stored: [Value]) {
        let edits = row.edit.map { edit in row.values.indices.filter { row.values[$0] != edit.before[$0] } } ?? []
        let kept = edits.map { row.values[$0] }
        let old = row.identity
        row.take(stored)
        row.hasProvisionalKey = false
        row.given = []
        row.edit?.before = stored
        for (place, value) in zip(edits, kept) { row.values[place] = value }
        if row.identity != old { unregister(row, as: old) }
        register(row)
        updateMembership(row)
    }
}
