// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Captures what SQL of the app's own does to entity tables, with TEMP triggers that exist only meanwhile.
struct RawCapture {
    let connection: Connection

    private func log(_ set: SetLayout) -> String { "temp.\(SetLayout.quoted("tideline_raw_\(set.index)"))" }

    /// The tables of the store itself, whichever the file has: no entity set's begins so.
    private let controls: [String]

    init(_ connection: Connection) throws {
        self.connection = connection
        controls = try connection.query(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name LIKE 'tideline!_%' ESCAPE '!'"
        ) { SetLayout.quoted($0.string(0) ?? "") }
    }

    func begin() throws {
        // REPLACE tells its deletions to triggers only where triggers may nest.
        try connection.run("PRAGMA recursive_triggers = ON")
        try connection.run("CREATE TEMP TABLE tideline_raw_turn (turn INTEGER)")
        try connection.run("INSERT INTO temp.tideline_raw_turn VALUES (0)")
        for set in connection.layout.sets {
            let columns = set.columns.indices.flatMap { ["o\($0)", "n\($0)"] }.joined(separator: ", ")
            let name = SetLayout.quoted("tideline_raw_\(set.index)")
            try connection.run("CREATE TEMP TABLE \(name) (turn INTEGER, operation INTEGER, etag, \(columns))")
            for (operation, event, old, new) in [
                (0, "INSERT", false, true), (1, "UPDATE", true, true), (2, "DELETE", true, false),
            ] {
                let values = set.columns.flatMap { column in
                    [
                        old ? "OLD.\(set.column(column.place))" : "NULL",
                        new ? "NEW.\(set.column(column.place))" : "NULL",
                    ]
                }.joined(separator: ", ")
                let refusal = set.set.isReadOnly ? "SELECT RAISE(ABORT, 'this entity set can only be read');" : ""
                try connection.run(
                    """
                    CREATE TEMP TRIGGER "tideline_raw_\(set.index)_\(operation)" AFTER \(event) ON main.\(set.table) BEGIN
                    \(refusal)
                    UPDATE tideline_raw_turn SET turn = turn + 1;
                    INSERT INTO \(name) VALUES ((SELECT turn FROM tideline_raw_turn), \(operation),
                    \(old ? "OLD.tideline_etag" : "NULL"), \(values)); END
                    """
                )
            }
        }
        for (index, table) in controls.enumerated() {
            for event in ["INSERT", "UPDATE", "DELETE"] {
                try connection.run(
                    """
                    CREATE TEMP TRIGGER "tideline_guard_\(index)_\(event)" BEFORE \(event) ON main.\(table) BEGIN
                    SELECT RAISE(ABORT, 'the tables of the store itself cannot be written'); END
                    """
                )
            }
        }
    }

    /// What was captured, in order; the triggers and tables are gone then.
    func end() throws -> [OutboxChange] {
        var changes: [OutboxChange] = []
        for set in connection.layout.sets {
            changes += try connection.query("SELECT * FROM \(log(set)) ORDER BY turn") { statement in
                try RawCapture.change(statement, set)
            }
        }
        connection.forgetStatements()
        for set in connection.layout.sets {
            for operation in 0...2 {
                try connection.run("DROP TRIGGER temp.\"tideline_raw_\(set.index)_\(operation)\"")
            }
            try connection.run("DROP TABLE \(log(set))")
        }
        for index in controls.indices {
            for event in ["INSERT", "UPDATE", "DELETE"] {
                try connection.run("DROP TRIGGER temp.\"tideline_guard_\(index)_\(event)\"")
            }
        }
        try connection.run("DROP TABLE temp.tideline_raw_turn")
        try connection.run("PRAGMA recursive_triggers = OFF")
        return changes.sorted { $0.turn < $1.turn }
    }

    private static func change(_ statement: Statement, _ set: SetLayout) throws -> OutboxChange {
        let old = try set.columns.map { try $0.value(statement.value(Int32(3 + 2 * $0.place))) }
        let new = try set.columns.map { try $0.value(statement.value(Int32(4 + 2 * $0.place))) }
        let turn = Int(statement.integer(0))
        let etag = statement.string(2)
        switch statement.integer(1) {
        case 0:
            return OutboxChange(
                set: set.index,
                operation: .insert,
                turn: turn,
                key: set.key.map { new[$0] },
                etag: nil,
                row: new,
                assignments: []
            )
        case 2:
            return OutboxChange(
                set: set.index,
                operation: .delete,
                turn: turn,
                key: set.key.map { old[$0] },
                etag: etag,
                row: old,
                assignments: []
            )
        default:
            let assignments = set.columns.indices.filter { old[$0] != new[$0] }.map {
                Change.Assignment(property: $0, before: old[$0], after: new[$0])
            }
            return OutboxChange(
                set: set.index,
                operation: .update,
                turn: turn,
                key: set.key.map { old[$0] },
                etag: etag,
                row: [],
                assignments: assignments
            )
        }
    }
}

extension LocalStore {
    /// Runs SQL of the app's own in one transaction; its changes to entities are captured in the outbox.
    ///
    ///     try store.raw { sql in
    ///         try sql.execute("UPDATE Products SET Price = Price * 11 / 10 WHERE GroupId = ?", [.integer(3)])
    ///     }
    ///
    /// What it leaves is checked like a ``write(_:)-(_)``: the values, foreign keys, unique values and rules. Rows keep
    /// their keys.
    @discardableResult
    public func raw<Result>(_ body: (RawSQL) throws -> Result) throws -> Result {
        try writing { connection in
            let capture = try RawCapture(connection)
            let schema = try connection.integer("PRAGMA main.schema_version")
            try capture.begin()
            let result = try body(RawSQL(connection))
            let changes = try capture.end()
            guard try connection.integer("PRAGMA main.schema_version") == schema else {
                throw LocalStoreError(.invalidSQL, message: "The tables of a store cannot be changed here.")
            }
            let transaction = LocalTransaction(connection)
            defer { transaction.end() }
            for change in changes { try transaction.capture(change) }
            _ = try transaction.finish(settings)
            return (result, try transaction.touched(broadcaster))
        }
    }
}

extension LocalTransaction {
    /// Takes a captured change over, after the checks that a write makes before it.
    func capture(_ change: OutboxChange) throws {
        let set = layout.sets[change.set]
        let scratch = PackedBuffer()
        var change = change
        switch change.operation {
        case .insert:
            let broken = set.columns.flatMap { $0.append(checked: change.row[$0.place], to: scratch) }
            _ = try note(broken, Key(change.key), set)
            for column in set.columns where column.property.isReadOnly {
                // What SQL leaves out has its default.
                let value = change.row[column.place]
                guard value.isNull || value == column.property.defaultValue else {
                    throw column.refused("can only be read", .readOnly)
                }
            }
            for place in set.key where change.row[place].isNull {
                throw set.columns[place].refused("is missing", .invalidKey)
            }
        case .update:
            for assignment in change.assignments {
                let column = set.columns[assignment.property]
                guard !set.key.contains(assignment.property) else {
                    throw column.refused("is part of the key and cannot change", .invalidKey)
                }
                if let reason = column.reasonAgainstChange { throw column.refused(reason, .readOnly) }
                failures.forget(set.name, Key(change.key), [column.property.names.wire])
                let broken = column.append(checked: assignment.after, to: scratch)
                _ = try note(broken + column.violationsOfChange(to: assignment.after), Key(change.key), set)
            }
            change.assignments.removeAll { !set.columns[$0.property].property.isRecorded }
            guard !change.assignments.isEmpty else {
                if set.hasConditions { localOnlyRows.insert(change.identity) }
                return unrecorded.add(set.index, change.key)
            }
        case .delete:
            deleted.insert(change.identity)
            failures.forget(set.name, Key(change.key))
            for reference in set.incoming {
                // SQL of the app's own runs no delete rules: what still refers to the row is refused at the end.
                let values = reference.parentPlaces.map { change.row[$0] }
                if !values.contains(.null) {
                    denials.append(Denial(reference: reference, parent: change.key, values: values))
                }
            }
        }
        change.turn = turn
        append(change)
    }
}
