// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineStorage

extension LocalStore {
    /// Begins the load of a set into a hidden table; a load that was begun before is forgotten.
    ///
    /// - Parameter columns: the places of the properties that will be pushed, in order; `nil` for all that travel
    ///   (``LocalStore/travellingColumns(of:)``).
    package func beginLoad(set: String, columns: [Int]? = nil) throws -> HiddenTableSink {
        let set = try layout.set(set)
        let columns = columns ?? travellingColumns(of: set.name)
        try writing { connection in
            try connection.run("DROP TABLE IF EXISTS main.\(set.loadTable)")
            try connection.run("CREATE TABLE main.\(set.loadTable) \(set.declaration(staging: false))")
            return ((), [])
        }
        let marks = (columns + [0]).map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT OR REPLACE INTO main.\(set.loadTable) (\(set.list(columns)), tideline_etag) VALUES (\(marks))"
        let count = Int32(columns.count + 1)
        return HiddenTableSink(
            RowPacker(set, columns) { [self] batch in
                try writing { connection in
                    let statement = try connection.statement(sql)
                    var reader = batch.reader()
                    while !reader.isAtEnd {
                        _ = reader.byte()
                        for index in 1...count { unsafe reader.bind(statement.handle, index) }
                        _ = try statement.step()
                    }
                    return ((), [])
                }
            }
        )
    }

    /// Begins staging changes of a set; what was staged before for it is forgotten.
    package func stage(set: String, columns: [Int]? = nil) throws -> HiddenTableSink {
        let set = try layout.set(set)
        let columns = columns ?? travellingColumns(of: set.name)
        if try onWriter({ try !StagingTable(set, $0).isEmpty() }) {
            try writing { connection in
                try StagingTable(set, connection).empty()
                return ((), [])
            }
        }
        stagedColumns.withLock { $0[set.index] = columns }
        let marks = (columns + [0]).map { _ in "?" }.joined(separator: ", ")
        let rowSQL =
            "INSERT OR REPLACE INTO main.\(set.stageTable) (\(set.list(columns)), tideline_etag) VALUES (\(marks))"
        let keyMarks = set.key.map { _ in "?" }.joined(separator: ", ")
        let goneSQL =
            "INSERT OR REPLACE INTO main.\(set.stageTable) (\(set.list(set.key)), tideline_reason) VALUES (\(keyMarks), ?)"
        let count = Int32(columns.count + 1)
        return HiddenTableSink(
            RowPacker(set, columns) { [self] batch in
                try writing { connection in
                    try StagingTable(set, connection).make()
                    let rows = try connection.statement(rowSQL)
                    let gone = try connection.statement(goneSQL)
                    var reader = batch.reader()
                    while !reader.isAtEnd {
                        let reason = reader.byte()
                        if reason == 0 {
                            for index in 1...count { unsafe reader.bind(rows.handle, index) }
                            _ = try rows.step()
                        } else {
                            let keys = Int32(set.key.count)
                            for index in 1...keys { unsafe reader.bind(gone.handle, index) }
                            gone.bind(Int64(reason), keys + 1)
                            _ = try gone.step()
                        }
                    }
                    return ((), [])
                }
            }
        )
    }

    /// Makes a checkpoint the state of the store, in one local transaction: loads renamed into place, staged rows
    /// applied, rows with pending changes rebased, links stored.
    ///
    /// Nothing of it is captured in the outbox.
    /// - Parameter content: the number of the content that it goes on from, see ``contentNumber()``.
    package func apply(_ checkpoint: Checkpoint, content: Int64? = nil) throws -> ApplyReport {
        FailPoint.visit("pull.staged")
        let staged = stagedColumns.withLock { $0 }
        return try writing { connection in
            try connection.checkContent(content)
            var made: [RowIdentity] = []
            if let decided = checkpoint.decided {
                made = try ServerEffects(connection).takeMade(through: decided)
                try connection.run("UPDATE main.tideline_sent SET included = 1 WHERE number <= ?") {
                    $0.integer(decided)
                }
            }
            var application = Application(try ServerEffects(connection, functions: settings.conflictFunctions))
            // A load brought what is there, inserts of this device among it, and the changes after it do not repeat them.
            application.made = made.filter { !checkpoint.loads.contains(layout.sets[$0.set].name) }
            for set in layout.sets where checkpoint.loads.contains(set.name) {
                try application.load(set, isWithheld: checkpoint.withheld.contains(set.name))
            }
            for set in layout.sets where checkpoint.staged.contains(set.name) {
                try application.stage(set, staged[set.index] ?? travellingColumns(of: set.name))
            }
            for (set, link) in checkpoint.deltaLinks {
                try connection.run("UPDATE main.tideline_subscriptions SET delta_link = ? WHERE set_name = ?") {
                    $0.text(link)
                    $0.text(set)
                }
            }
            try application.effects.save()
            FailPoint.visit("pull.before-commit")
            return (application.finished, application.effects.touched)
        }
    }
}
