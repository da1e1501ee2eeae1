// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Puts the changes of a transaction on top of what others committed meanwhile: who commits first wins.
struct CommitMerge {
    let schema: MemorySchema
    /// The snapshot that the transaction began with.
    let base: MemoryVersion
    let copy: WorkingCopy

    /// - Parameter committed: the newest committed version.
    /// - Returns: the next one.
    /// - Throws: ``StorageError``: `busy` when another transaction changed the same row or client, `duplicateKey`,
    ///   `duplicateValue` or `missingReference` when the two together break a rule.
    func merged(into committed: MemoryVersion) throws -> MemoryVersion {
        var next = committed
        for place in copy.touched {
            let before = base.tables[place.set][place.key]?.transaction
            let now = committed.tables[place.set][place.key]?.transaction
            let row = copy.version.tables[place.set][place.key]
            guard before == now else { throw before == nil && row != nil ? duplicate(place) : conflict }
            next.tables[place.set].set(row, key: place.key)
        }
        try mergeClients(into: &next, committed)
        try ConstraintChecker(schema: schema, version: next, before: committed).check(copy.touched, .all)
        for entry in copy.entries { next.log.append(entry) }
        for change in copy.conflictChanges { change.apply(to: &next.conflicts) }
        return next
    }

    private func mergeClients(into next: inout MemoryVersion, _ committed: MemoryVersion) throws {
        func answers(_ version: MemoryVersion, _ client: String) -> [MemoryVersion.Request: MemoryVersion.Answer] {
            version.answers.filter { $0.key.client == client }
        }
        for client in copy.clients {
            guard base.marks[client] == committed.marks[client], answers(base, client) == answers(committed, client)
            else { throw conflict }
            next.marks[client] = copy.version.marks[client]
            for request in answers(committed, client).keys { next.answers[request] = nil }
            next.answers.merge(answers(copy.version, client)) { _, new in new }
        }
    }

    private var conflict: StorageError {
        StorageError(.busy, message: "Another transaction changed the same entity first.")
    }

    private func duplicate(_ place: WorkingCopy.Place) -> StorageError {
        let set = schema.model.sets[place.set]
        return StorageError(
            .duplicateKey,
            set: set.names.wire,
            properties: schema.names(set.type.key, of: place.set),
            message: "An entity with this key exists."
        )
    }
}
