// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// What rows are told as: where that changes, they are told otherwise and no trigger sees it.
extension Capture {
    /// Remembers how the columns of a schema are told, and begins a new epoch where rows are told otherwise since.
    ///
    /// In a write transaction, with capture whole.
    func setReadings(_ readings: CapturedReadings, schema: String) throws {
        let name = "readings:\(schema)"
        let before = try state(name).flatMap { CapturedReadings($0) }
        guard before != readings else { return }
        if let before {
            // A label that nobody has is looked for in all rows: that is no statement of a client.
            _ = try connection.query("SELECT set_config('statement_timeout', '0', true)")
            if try readings.changes(since: before).contains(where: { try isHeld($0, schema: schema) }) {
                try connection.execute("SELECT tideline.begin_epoch('told otherwise')")
            }
        }
        try setState(name, readings.text)
        try noteLabels()
    }

    /// Whether a row has one of the values.
    private func isHeld(_ change: CapturedReadings.Change, schema: String) throws -> Bool {
        guard let table = try tables().first(where: { $0.schema == schema && $0.name == change.table }),
            try columns(of: table)?.contains(change.column) == true
        else { return false }
        let column = SQLToken.name(change.column)
        // A composite value with a null in it is no null.
        var condition = "\(column) IS DISTINCT FROM NULL"
        var parameters: [SQLValue] = []
        if let values = change.values {
            // A number with digits after the point may be a whole one.
            condition = """
                regexp_replace(\(column)::text, '^(-?[0-9]+)\\.0+$', '\\1') IN (SELECT jsonb_array_elements_text($1::jsonb))
                """
            parameters = [.text(Self.json(values))]
        }
        let result = try connection.query(
            "SELECT EXISTS (SELECT FROM \(SQLToken.name(schema)).\(SQLToken.name(change.table)) WHERE \(condition))",
            parameters
        )
        return result[0].boolean(0) ?? false
    }

    /// Remembers the labels of enumerations that rows can have now.
    func noteLabels() throws {
        let items = try tables().flatMap { table in
            table.items.map { SQLToken.name(table.schema) + "." + SQLToken.name($0.name) }
        }
        let labels = try connection.query(CaptureSchema.labels, [.text(Self.json(items))])
        try setState("labels", labels[0].string(0) ?? "{}")
    }

    /// Whether no label was renamed since they were noted.
    func labelsStay() throws -> Bool { try connection.query(CaptureSchema.labelsStay)[0].boolean(0) ?? true }
}
