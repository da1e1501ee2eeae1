// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineStorage

extension LocalStore {
    /// Makes the hidden tables of loads that are begun next, all in one transaction.
    ///
    /// After each change of the schema every connection of the file reads it anew.
    package func prepareLoads(of sets: [String], claim: PullClaim? = nil) throws {
        let work = claim?.work ?? unclaimed
        work.prepared.withLock { $0 = [] }
        let sets = layout.sets.filter { sets.contains($0.name) }
        guard sets.count > 1 else { return }
        try writing { connection in
            try claim?.hold(connection)
            for set in sets { try makeLoadTable(of: set, connection) }
            return ((), [])
        }
        work.prepared.withLock { $0 = Set(sets.map(\.index)) }
    }

    private func makeLoadTable(of set: SetLayout, _ connection: Connection) throws {
        try connection.run("DROP TABLE IF EXISTS main.\(set.loadTable)")
        try connection.run("CREATE TABLE main.\(set.loadTable) \(set.declaration(staging: false))")
    }

    /// Begins the load of a set into a hidden table; a load that was begun before is forgotten.
    ///
    /// - Parameter columns: the places of the properties that will be pushed, in order; `nil` for all that travel
    ///   (``LocalStore/travellingColumns(of:)``).
    package func beginLoad(set: String, columns: [Int]? = nil, claim: PullClaim? = nil) throws -> HiddenTableSink {
        let set = try layout.set(set)
        let columns = columns ?? travellingColumns(of: set.name)
        if (claim?.work ?? unclaimed).prepared.withLock({ $0.remove(set.index) }) == nil {
            try writing { connection in
                try claim?.hold(connection)
                try makeLoadTable(of: set, connection)
                return ((), [])
            }
        }
        let marks = (columns + [0]).map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT OR REPLACE INTO main.\(set.loadTable) (\(set.list(columns)), tideline_etag) VALUES (\(marks))"
        let count = Int32(columns.count + 1)
        return HiddenTableSink(
            RowPacker(set, columns) { [self] batch in
                try writing { connection in
                    try claim?.hold(connection)
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
    package func stage(set: String, columns: [Int]? = nil, claim: PullClaim? = nil) throws -> HiddenTableSink {
        let set = try layout.set(set)
        let columns = columns ?? travellingColumns(of: set.name)
        let work = claim?.work ?? unclaimed
        work.staging.withLock { $0[set.index] = Staging(columns: columns) }
        let marks = (columns + [0]).map { _ in "?" }.joined(separator: ", ")
        let rowSQL =
            "INSERT OR REPLACE INTO main.\(set.stageTable) (\(set.list(columns)), tideline_etag) VALUES (\(marks))"
        let keyMarks = set.key.map { _ in "?" }.joined(separator: ", ")
        let goneSQL =
            "INSERT OR REPLACE INTO main.\(set.stageTable) (\(set.list(set.key)), tideline_reason) VALUES (\(keyMarks), ?)"
        let count = Int32(columns.count + 1)
        var isFirst = true
        return HiddenTableSink(
            RowPacker(set, columns) { [self] batch in
                try writing { connection in
                    try claim?.hold(connection)
                    let table = StagingTable(set, connection)
                    try table.make()
                    if isFirst { try table.empty() }
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
                isFirst = false
                work.staging.withLock { $0[set.index]?.holdsRows = true }
            }
        )
    }

    /// Makes a checkpoint the state of the store, in one local transaction: loads renamed into place, staged rows
    /// applied, rows with pending changes rebased, links stored.
    ///
    /// Nothing of it is captured in the outbox.
    /// - Parameters:
    ///   - content: the number of the content that it goes on from, see ``StoreIdentity/content``.
    ///   - claim: that of the pull that received it; it ends here.
    package func apply(
        _ checkpoint: Checkpoint,
        content: Int64? = nil,
        claim: PullClaim? = nil
    ) throws -> ApplyReport {
        FailPoint.visit("pull.staged")
        let staged = (claim?.work ?? unclaimed).staging.withLock { $0 }
        return try writing { connection in
            try connection.checkContent(content)
            try claim?.check(connection)
            try PullClaim.release(connection)
            let made = try connection.include(checkpoint)
            var application = Application(try ServerEffects(connection, functions: settings.conflictFunctions))
            application.effects.holdsOwn = try connection.noteDecided(checkpoint)
            application.effects.isPulled = true
            // A load brought what is there, inserts of this device among it, and the changes after it do not repeat them.
            application.made = made.filter { !checkpoint.loads.contains(layout.sets[$0.set].name) }
            let tables = try HiddenTables(connection)
            let loaded = layout.sets.filter { checkpoint.loads.contains($0.name) && tables.hasLoad(of: $0) }
            let told = layout.sets.filter { checkpoint.staged.contains($0.name) }
            // What an earlier sync staged is no part of this one.
            for set in told where staged[set.index]?.holdsRows == false && tables.hasStage(of: set) {
                try StagingTable(set, connection).empty()
            }
            let changed = told.filter { staged[$0.index]?.holdsRows != false && tables.hasStage(of: $0) }
            // Before the first of them is applied: rows that refer to others may come before these.
            for set in changed { application.effects.staged[set.index] = StagingTable(set, connection) }
            for set in loaded { try application.effects.noteServerKeys(of: set, in: set.loadTable) }
            for set in changed {
                try application.effects.noteServerKeys(of: set, in: set.stageTable, where: "tideline_reason = 0")
            }
            // What refers to rows may be loaded where these are staged, and the other way round.
            for set in loaded { try application.loadReused(set) }
            let onlyChanged = changed.filter { !checkpoint.loads.contains($0.name) }
            for set in onlyChanged { try application.stageReused(set) }
            for set in loaded {
                let isFollowed = changed.contains { $0.index == set.index }
                try application.load(
                    set,
                    isWithheld: checkpoint.withheld.contains(set.name),
                    followedBy: isFollowed ? StagingTable(set, connection) : nil
                )
            }
            for set in changed where checkpoint.loads.contains(set.name) { try application.stageReused(set) }
            for set in told {
                try application.stage(
                    set,
                    staged[set.index]?.columns ?? travellingColumns(of: set.name),
                    isThere: changed.contains { $0.index == set.index }
                )
            }
            for (set, link) in checkpoint.deltaLinks {
                try connection.run("UPDATE main.tideline_subscriptions SET delta_link = ? WHERE set_name = ?") {
                    $0.text(link)
                    $0.text(set)
                }
            }
            if !checkpoint.isPartial {
                let waiting = application.effects.log.entries.map(\.number)
                try connection.changePositions { $0.move(to: checkpoint.position, waiting: waiting) }
            }
            try application.effects.save()
            FailPoint.visit("pull.before-commit")
            return (application.finished, application.effects.touched)
        }
    }
}

extension Connection {
    /// Notes the last transaction of this device that is in a checkpoint.
    ///
    /// - Returns: whether it is another one than in the checkpoint before.
    fileprivate func noteDecided(_ checkpoint: Checkpoint) throws -> Bool {
        let setting = "decided"
        guard let decided = checkpoint.decided, try "\(decided)" != meta(setting) ?? "0" else { return false }
        if !checkpoint.isPartial { try setMeta(setting, "\(decided)") }
        return true
    }

    /// Notes which of this device's transactions on their way a checkpoint contains: where it lacks a set, those of the
    /// others.
    ///
    /// - Returns: the rows that it must have brought where they are still there.
    fileprivate func include(_ checkpoint: Checkpoint) throws -> [RowIdentity] {
        guard let decided = checkpoint.decided else { return [] }
        let sets = checkpoint.isPartial ? checkpoint.staged.union(checkpoint.loads) : Set(layout.sets.map(\.name))
        let effects = try ServerEffects(self)
        for entry in effects.log.entries where entry.isFrozen && entry.number <= decided {
            guard entry.changes.allSatisfy({ sets.contains(layout.sets[$0.set].name) }) else { continue }
            try run("UPDATE main.tideline_sent SET included = 1 WHERE number = ?") { $0.integer(entry.number) }
        }
        return try effects.takeMade(through: decided, of: sets)
    }
}
