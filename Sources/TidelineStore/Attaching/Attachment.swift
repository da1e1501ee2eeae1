// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes the rows of a store changes that wait: inserts in the order of their references, in transactions of a size
/// that servers take.
struct Attachment {
    private let connection: Connection
    private let mostChanges: Int
    private let mostBytes: Int
    private let order: AttachOrder
    private var changes: [OutboxChange] = []
    private var bytes = 0
    /// How many rows were found.
    private(set) var rows = 0

    init(_ connection: Connection, settings: StoreSettings) throws {
        self.connection = connection
        mostChanges = min(settings.maximumChanges ?? 500, 500)
        mostBytes = min(settings.maximumTransactionBytes ?? 1 << 20, 1 << 20)
        order = try AttachOrder(connection.layout)
    }

    private var layout: StoreLayout { connection.layout }

    /// Forgets what waited, for the rows say it all, and records every row.
    ///
    /// - Returns: the sets whose rows got other keys.
    mutating func run() throws -> TouchedRows {
        try PendingLog.retire(try PendingLog.nextNumber(connection) - 1, connection)
        for table in [
            "outbox", "sent", "base", "made", "subscriptions", "conflicts", "quarantine_records", "quarantine",
        ] {
            try connection.run("DELETE FROM main.tideline_\(table)")
        }
        let touched = try makeTemporaryKeys()
        for set in order.sets { try insert(layout.sets[set]) }
        for set in order.sets { for reference in order.deferred[set] ?? [] { try update(layout.sets[set], reference) } }
        try flush()
        return touched
    }

    /// Gives rows whose keys the service is to make keys that say so: those that a program put there have others.
    private func makeTemporaryKeys() throws -> TouchedRows {
        let effects = try ServerEffects(connection)
        for set in layout.sets where set.isGenerated {
            for (turn, place) in set.key.enumerated() where set.rules[place].isGeneratedKey {
                let found = try connection.query(
                    "SELECT \(set.list(set.key)) FROM main.\(set.table) WHERE \(set.column(place)) >= 0 ORDER BY 1",
                    { _ in },
                    { statement in
                        try set.key.enumerated().map { try set.columns[$1].value(statement.value(Int32($0))) }
                    }
                )
                for key in found {
                    var new = key
                    new[turn] = .integer(try connection.nextTemporaryKey())
                    try effects.remap(RowIdentity(set: set.index, key: key), to: new)
                }
            }
        }
        return effects.touched
    }

    private mutating func insert(_ set: SetLayout) throws {
        let later = Set((order.deferred[set.index] ?? []).flatMap(\.childPlaces))
        // Temporary keys count down: the oldest row has the greatest.
        let keys = set.key.map { "\(set.column($0))\(set.rules[$0].isGeneratedKey ? " DESC" : "")" }
        let statement = try connection.statement(
            "SELECT \(set.list(set.columns.indices)), tideline_etag FROM main.\(set.table) ORDER BY \(keys.joined(separator: ", "))"
        )
        defer { statement.reset() }
        while try statement.step() {
            var row = try Connection.row(statement, set).values
            let key = set.key.map { row[$0] }
            for place in later { row[place] = .null }
            rows += 1
            try append(change(set, .insert, key: key, row: row), size: Self.size(row))
        }
    }

    private mutating func update(_ set: SetLayout, _ reference: SetLayout.Reference) throws {
        let places = reference.childPlaces
        let isSet = places.map { "\(set.column($0)) IS NOT NULL" }.joined(separator: " AND ")
        let statement = try connection.statement(
            "SELECT \(set.list(set.columns.indices)), tideline_etag FROM main.\(set.table) WHERE \(isSet)"
        )
        defer { statement.reset() }
        while try statement.step() {
            let row = try Connection.row(statement, set).values
            var update = change(set, .update, key: set.key.map { row[$0] }, row: [])
            update.assignments = places.sorted().map {
                Change.Assignment(property: $0, before: .null, after: row[$0])
            }
            try append(update, size: 64)
        }
    }

    private func change(_ set: SetLayout, _ operation: Change.Operation, key: [Value], row: [Value]) -> OutboxChange {
        OutboxChange(
            set: set.index,
            operation: operation,
            turn: changes.count,
            key: key,
            etag: nil,
            row: row,
            assignments: []
        )
    }

    private mutating func append(_ change: OutboxChange, size: Int) throws {
        var change = change
        if changes.count >= mostChanges || !changes.isEmpty && bytes + size > mostBytes {
            try flush()
            change.turn = 0
        }
        changes.append(change)
        bytes += size
    }

    private mutating func flush() throws {
        guard !changes.isEmpty else { return }
        try PendingLog.store(changes, number: try PendingLog.nextNumber(connection), connection)
        changes.removeAll(keepingCapacity: true)
        bytes = 0
    }

    private static func size(_ row: [Value]) -> Int {
        row.reduce(32) { sum, value in
            switch value {
            case .string(let text): sum + text.utf8.count
            case .binary(let bytes): sum + bytes.count
            default: sum + 16
            }
        }
    }
}
