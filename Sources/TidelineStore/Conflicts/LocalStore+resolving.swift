// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension LocalStore {
    /// Ends a conflict: writes what the choice leaves different as a new local transaction, and takes the entry out of
    /// the log.
    ///
    /// What was joined stays as it is: both changes count, and `merge` alone gives it another value. Where the change waits
    /// for this decision, it goes on as decided, with its transaction and those that build on that, once nothing of it waits.
    ///
    /// - Throws: ``LocalStoreError``: `noSuchEntry` when there is no such conflict, its entity is gone, or all of it was
    ///   joined; what the write throws.
    public func resolve(conflict id: Int64, _ choice: ConflictChoice) throws {
        guard try !decide(id, choice) else { return }
        try write { transaction in
            let entry = try self.conflict(id, transaction.connection)
            switch (choice, entry.kind) {
            case (.keepMine, .update): try update(entry, transaction) { $0.mine }
            case (.keepTheirs, .update): try update(entry, transaction) { $0.theirs }
            case (.keepMine, _) where entry.mineWon, (.keepTheirs, _) where !entry.mineWon: break
            case (.keepMine, .deletedHere), (.keepTheirs, .deletedThere):
                try transaction.delete(entry.key, in: entry.set)
            case (.keepMine, .deletedThere): try insert(entry, transaction) { $0.mine }
            case (.keepTheirs, .deletedHere): try insert(entry, transaction) { $0.theirs }
            case (.merge(let values), _):
                guard try transaction.update(entry.key, values, in: entry.set) else { throw Self.gone(entry) }
            }
            try transaction.connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(id) }
        }
    }

    /// Gives the values that lost back, as a new local transaction, and takes the entry out of the log.
    ///
    /// A row that was deleted and stayed is deleted again; one that went is inserted again. What was joined lost nothing,
    /// and stays as it is. What waits for a decision is decided for this device.
    ///
    /// - Throws: ``LocalStoreError``: `noSuchEntry` when there is no such conflict, its entity is gone, or all of it was
    ///   joined; what the write throws.
    public func restore(conflict id: Int64) throws {
        let entry = try reading { try conflict(id, $0) }
        guard entry.kind == .update, !entry.isOpen else {
            return try resolve(conflict: id, entry.mineWon ? .keepTheirs : .keepMine)
        }
        try write { transaction in
            try update(entry, transaction) { $0.mineWon ? $0.theirs : $0.mine }
            try transaction.connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(id) }
        }
    }

    /// Takes an entry out of the conflict log.
    ///
    /// - Throws: ``LocalStoreError``: `noSuchEntry`; `pendingChanges` when the change waits for a decision.
    public func dismiss(conflict id: Int64) throws {
        try writing { connection in
            guard try !conflict(id, connection).isOpen else {
                throw LocalStoreError(.pendingChanges, message: "The conflict \(id) is to be resolved first.")
            }
            try connection.run("DELETE FROM main.tideline_conflicts WHERE id = ?") { $0.integer(id) }
            return ((), [])
        }
    }

    /// - Returns: false where nothing waits for the decision.
    private func decide(_ id: Int64, _ choice: ConflictChoice) throws -> Bool {
        try writing { connection in
            let effects = try ServerEffects(connection, functions: settings.conflictFunctions)
            guard let conflict = effects.waiting.first(where: { $0.id == id }) else { return (false, []) }
            try effects.decide(conflict, choice)
            try effects.save()
            return (true, effects.touched)
        }
    }

    /// Inserts a row that lost as a whole.
    private func insert(
        _ entry: Conflict,
        _ transaction: LocalTransaction,
        _ value: (Conflict.Property) -> Value
    ) throws {
        let type = try layout.set(entry.set).set.type
        var values: [String: Value] = [:]
        for property in entry.properties {
            guard let place = type.propertyIndex(wire: property.name), type.takesValue(place) else { continue }
            values[property.name] = value(property)
        }
        try transaction.insert(values, into: entry.set)
    }

    /// Writes values of an entry over what is there.
    ///
    /// What was joined is left out: neither value of it lost, and what was joined or written since is newer than both.
    private func update(
        _ entry: Conflict,
        _ transaction: LocalTransaction,
        _ value: (Conflict.Property) -> Value
    ) throws {
        var values: [String: Value] = [:]
        for property in entry.properties where !property.isJoined { values[property.name] = value(property) }
        guard !values.isEmpty else {
            throw LocalStoreError(
                .noSuchEntry,
                set: entry.set,
                message: "Nothing lost in the conflict \(entry.id): both changes count."
            )
        }
        guard try transaction.update(entry.key, values, in: entry.set) else { throw Self.gone(entry) }
    }

    private static func gone(_ entry: Conflict) -> LocalStoreError {
        LocalStoreError(.noSuchEntry, set: entry.set, message: "The entity of the conflict is gone.")
    }
}
