// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Capture {
    /// Remembers how columns are told, and begins a new epoch where rows are told otherwise since.
    ///
    /// In a write transaction.
    func setReadings(_ readings: CapturedReadings) throws {
        let before = try state("readings").flatMap { CapturedReadings($0) }
        guard before != readings else { return }
        if let before, try readings.changes(since: before).contains(where: isHeld) { try beginEpoch() }
        try setState("readings", readings.text)
    }

    /// Begins a new epoch: devices load anew, as not all that they have to know is in the log.
    func beginEpoch() throws { try setState("epoch", random()) }

    /// Whether a row has one of the values.
    private func isHeld(_ change: CapturedReadings.Change) throws -> Bool {
        guard let shape = try TableShape(change.table, in: connection),
            shape.columns.contains(where: { $0.name == change.column })
        else { return false }
        let column = SQLToken.name(change.column)
        // A number with digits after the point may be a whole one.
        let text =
            "CAST(CASE WHEN typeof(\(column)) = 'real' AND \(column) = CAST(\(column) AS INTEGER) "
            + "THEN CAST(\(column) AS INTEGER) ELSE \(column) END AS TEXT)"
        let condition =
            change.values == nil ? "\(column) IS NOT NULL" : "\(text) IN (SELECT value FROM json_each(?))"
        let statement = try PreparedStatement(
            connection,
            "SELECT EXISTS (SELECT 1 FROM \(SQLToken.name(change.table)) WHERE \(condition))"
        )
        if let values = change.values { statement.bind(JSONValue.array(values.map(JSONValue.string)).text, 1) }
        defer { statement.reset() }
        do {
            return try statement.step() && statement.integer(0) == 1
        } catch let error as StorageError where error.code == .timeout {
            // It took longer than a statement may: to load anew is no harm.
            return true
        }
    }
}
