// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension LocalStore {
    /// Ends a conflict: writes what the choice leaves different as a new local transaction, and takes the entry out of
    /// the log.
    ///
    /// - Throws: ``LocalStoreError``: `noSuchEntry` when there is no such conflict, or its entity is gone; what the
    ///   write throws.
    public func resolve(conflict id: Int64, _ choice: ConflictChoice) throws {
        try write { transaction in
            let entry = try self.conflict(id, transaction.connection)
            switch (choice, entry.kind) {
            case (.keepMine, .deletedHere), (.keepTheirs, .deletedThere):
                try transaction.delete(entry.key, in: entry.set)
            case (.keepMine, .deletedThere), (.keepTheirs, .deletedHere): break
            case (.keepMine, .update): try update(entry, transaction) { $0.mine }
            case (.keepTheirs, .update): try update(entry, transaction) { $0.theirs }
            case (.merge(let values), _):
                guard try transaction.update(entry.key, values, in: entry.set) else { throw Self.gone(entry) }
            }
            try transaction.connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(id) }
        }
    }

    private func update(
        _ entry: Conflict,
        _ transaction: LocalTransaction,
        _ value: (Conflict.Property) -> Value
    ) throws {
        var values: [String: Value] = [:]
        for property in entry.properties { values[property.name] = value(property) }
        guard try transaction.update(entry.key, values, in: entry.set) else { throw Self.gone(entry) }
    }

    private static func gone(_ entry: Conflict) -> LocalStoreError {
        LocalStoreError(.noSuchEntry, set: entry.set, message: "The entity of the conflict is gone.")
    }
}
