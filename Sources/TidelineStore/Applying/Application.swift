// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Makes loaded and staged rows the rows of the store, inside one local transaction.
struct Application {
    let effects: ServerEffects
    /// Rows whose insert by this device the checkpoint contains.
    var made: [RowIdentity] = []
    private var report = ApplyReport()

    init(_ effects: ServerEffects) { self.effects = effects }

    private var connection: Connection { effects.connection }

    var finished: ApplyReport {
        var report = report
        report.conflicts = effects.conflicts
        report.quarantined = effects.quarantined
        report.merged = effects.merged
        return report
    }

    /// The most rows of a load that are copied.
    ///
    /// Where a table is renamed, SQLite reads the whole schema again (ran: 3 to 5 ms with 40 tables).
    private static let mostCopied = 1000

    /// The note that the next load of a set is taken whatever the versions of its rows say.
    static func takenWhole(_ set: String) -> String { "whole_\(set)" }

    /// The note that a row which the next load of a set does not bring may be hidden, and not gone.
    static func mayHide(_ set: String) -> String { "hides_\(set)" }

    /// Puts the loaded table, which is there, in place of the set's.
    ///
    /// - Parameters:
    ///   - isWithheld: whether the table is empty because the user may not read the set any more.
    ///   - changes: what was staged after the load, and is applied next.
    mutating func load(_ set: SetLayout, isWithheld: Bool = false, followedBy changes: StagingTable? = nil) throws {
        try effects.forgetMade(in: set) { _ in true }
        let dirty = effects.dirty.filter { $0.set == set.index }
        // A set that a migration gave another form takes what is loaded, whatever the versions of its rows say.
        let isMigrated = try connection.meta("reload_\(set.name)") != nil
        if isMigrated { try connection.setMeta("reload_\(set.name)", nil) }
        let isWhole = try connection.meta(Self.takenWhole(set.name)) != nil
        if isWhole { try connection.setMeta(Self.takenWhole(set.name), nil) }
        let hides = try isWithheld || connection.meta(Self.mayHide(set.name)) != nil
        if hides { try connection.setMeta(Self.mayHide(set.name), nil) }
        guard try compare(set, hasPending: !dirty.isEmpty) || !dirty.isEmpty || isMigrated || isWhole else {
            connection.forgetStatements()
            try connection.run("DROP TABLE main.\(set.loadTable)")
            return
        }
        var mine: [RowIdentity: StoredRow] = [:]
        for identity in dirty { mine[identity] = try connection.row(set, identity.key) }
        for column in set.columns where column.property.isLocalOnly {
            let name = set.column(column.place)
            let same = set.key.map { "o.\(set.column($0)) = \(set.loadTable).\(set.column($0))" }.joined(
                separator: " AND "
            )
            try connection.run(
                "UPDATE main.\(set.loadTable) SET \(name) = (SELECT o.\(name) FROM main.\(set.table) AS o WHERE \(same))"
            )
        }
        try replace(set, isMigrated: isMigrated)
        effects.touch(whole: set.index)
        // Before the first of them meets its own, which may bring another one back.
        var theirs: [RowIdentity: StoredRow] = [:]
        for identity in dirty { theirs[identity] = try connection.row(set, identity.key) }
        for identity in dirty.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            // The row as this device has it stands again, so that meeting the server's starts from there.
            if let row = mine[identity] {
                try connection.put(row, set)
            } else {
                try connection.remove(set, identity.key)
            }
            // What is staged tells of the row as it is now. A page that was kept on its way may be older than what this
            // device knows: without a row that it inserted, say.
            if !isMigrated, try changes?.holds(identity.key) == true { continue }
            try effects.meet(identity, theirs[identity].map(ServerRow.row) ?? (hides ? .outOfSight : .gone))
            // Counted as removed, it stays with what waits of it.
            if mine[identity]?.etag != nil, theirs[identity] == nil, try connection.row(set, identity.key) != nil {
                report.removed -= 1
            }
        }
    }

    /// Makes the loaded rows those of the set: few are copied, else the loaded table takes the place of the set's.
    ///
    /// - Parameter isMigrated: whether the set's table may have another form than the loaded one.
    private func replace(_ set: SetLayout, isMigrated: Bool) throws {
        let isLarge = try connection.exists(
            "SELECT 1 FROM main.\(set.loadTable) LIMIT 1 OFFSET \(Application.mostCopied)"
        ) { _ in }
        guard isLarge || isMigrated else {
            let names = set.list(set.columns.indices)
            try connection.run("DELETE FROM main.\(set.table)")
            try connection.run(
                """
                INSERT INTO main.\(set.table) (\(names), tideline_etag)
                SELECT \(names), tideline_etag FROM main.\(set.loadTable)
                """
            )
            connection.forgetStatements()
            try connection.run("DROP TABLE main.\(set.loadTable)")
            return
        }
        for sql in set.dropIndexSQL { try connection.run(sql) }
        connection.forgetStatements()
        try connection.run("DROP TABLE main.\(set.table)")
        try connection.run("ALTER TABLE main.\(set.loadTable) RENAME TO \(set.table)")
        for sql in set.indexSQL { try connection.run(sql) }
    }

    /// Compares the loaded rows with those of the store by key, ETag and references, and counts what differs.
    ///
    /// Where a row was gone on the service and is inserted again, what refers to it follows here with the version that it
    /// has; a restored service has that version with the old reference.
    ///
    /// - Parameter hasPending: whether rows of this device wait; those the service has never seen are not gone.
    /// - Returns: whether anything differs.
    private mutating func compare(_ set: SetLayout, hasPending: Bool) throws -> Bool {
        func joined(_ one: String, _ other: String) -> String {
            set.key.map { "\(one).\(set.column($0)) = \(other).\(set.column($0))" }.joined(separator: " AND ")
        }
        let compared = Set(set.outgoing.flatMap(\.childPlaces)).subtracting(set.key).sorted().map(set.column)
        let different = (compared + ["tideline_etag"]).map { "o.\($0) IS NOT l.\($0)" }.joined(separator: " OR ")
        let stored = try connection.integer(
            """
            SELECT COUNT(*) FROM main.\(set.loadTable) AS l LEFT JOIN main.\(set.table) AS o ON \(joined("o", "l"))
            WHERE o.tideline_etag IS NULL OR \(different)
            """
        )
        let removed = try connection.integer(
            """
            SELECT COUNT(*) FROM main.\(set.table) AS o WHERE \(hasPending ? "o.tideline_etag IS NOT NULL" : "1")
            AND NOT EXISTS (SELECT 1 FROM main.\(set.loadTable) AS l WHERE \(joined("o", "l")))
            """
        )
        report.stored += Int(stored)
        report.removed += Int(removed)
        return stored > 0 || removed > 0
    }

    /// Applies the staged changes of a set.
    ///
    /// - Parameter isThere: whether the table of staged changes is there.
    mutating func stage(_ set: SetLayout, _ columns: [Int], isThere: Bool) throws {
        let table = StagingTable(set, connection)
        let isEmpty = try !isThere || table.isEmpty()
        if !isEmpty { try effects.forgetMade(in: set) { try table.holds($0.key) } }
        // One that this device has deleted since is noted too: it must not come back when the deletion is given up.
        let dirty = made.isEmpty ? [] : effects.dirty
        for identity in made where identity.set == set.index {
            guard try isEmpty || !table.holds(identity.key),
                try dirty.contains(identity) || connection.row(set, identity.key) != nil
            else { continue }
            report.removed += 1
            try effects.meet(identity, .gone)
        }
        if isEmpty { return }
        for identity in effects.dirty where identity.set == set.index { try meet(identity, set) }
        let all = Int(try connection.integer("SELECT COUNT(*) FROM main.\(set.stageTable) WHERE tideline_reason = 0"))
        let keys = try stagedKeys(set)
        let names = set.list(columns)
        let others = columns.filter { !set.key.contains($0) }.map { "\(set.column($0)) = excluded.\(set.column($0))" }
        let settings = (others + ["tideline_etag = excluded.tideline_etag"]).joined(separator: ", ")
        // Under another name, since a set may be called `excluded` itself.
        let stored = try connection.run(
            """
            INSERT INTO main.\(set.table) AS kept (\(names), tideline_etag)
            SELECT \(names), tideline_etag FROM main.\(set.stageTable) WHERE tideline_reason = 0
            ON CONFLICT (\(set.list(set.key))) DO UPDATE SET \(settings)
            WHERE tideline_etag IS NULL OR tideline_etag IS NOT excluded.tideline_etag
            """
        )
        let key = set.list(set.key)
        let removed = try connection.run(
            """
            DELETE FROM main.\(set.table) WHERE (\(key)) IN
            (SELECT \(key) FROM main.\(set.stageTable) WHERE tideline_reason > 0)
            """
        )
        report.stored += stored
        report.skipped += all - stored
        report.removed += removed
        if stored + removed > 0 {
            if let keys { effects.touch(set.index, keys) } else { effects.touch(whole: set.index) }
        }
        try table.empty()
    }

    /// The keys of the staged rows and removals, or `nil` where they are many.
    private func stagedKeys(_ set: SetLayout) throws -> [Key]? {
        let most = TouchedRows.mostKeys
        let keys = try connection.query(
            "SELECT \(set.list(set.key)) FROM main.\(set.stageTable) LIMIT \(most + 1)"
        ) { statement in
            Key(try set.key.enumerated().map { try set.columns[$1].value(statement.value(Int32($0))) })
        }
        return keys.count > most ? nil : keys
    }

    /// Lets rows that this device changed leave their keys, where others of the loaded rows have these.
    ///
    /// Before any load takes its place: what refers to the new ones would meet changes of rows that refer to the old.
    mutating func loadReused(_ set: SetLayout) throws {
        guard set.isGenerated else { return }
        for identity in effects.dirty where identity.set == set.index {
            guard let loaded = try connection.loadedRow(set, identity.key), effects.isAnother(loaded, identity) else {
                continue
            }
            try effects.meet(identity, .row(loaded))
        }
    }

    /// Applies the staged rows that have the keys of others which this device changed.
    ///
    /// These leave their keys before anything that refers to the new ones is applied.
    mutating func stageReused(_ set: SetLayout) throws {
        guard set.isGenerated else { return }
        let table = StagingTable(set, connection)
        for identity in effects.dirty where identity.set == set.index {
            guard let staged = try table.change(of: identity.key), staged.reason == 0,
                effects.isAnother(staged.row, identity)
            else { continue }
            // Whether the old one is still there is decided: the row that has its key now must not be taken for it.
            try effects.forgetMade(in: set) { $0 == identity }
            made.removeAll { $0 == identity }
            try meet(identity, set)
        }
    }

    /// A staged row, or a removal, of a row with changes of its own.
    private mutating func meet(_ identity: RowIdentity, _ set: SetLayout) throws {
        let table = StagingTable(set, connection)
        guard let staged = try table.change(of: identity.key) else { return }
        try table.remove(identity.key)
        if staged.reason == 0 {
            if staged.row.etag != nil, try effects.base(identity) == nil,
                try connection.row(set, identity.key)?.etag == staged.row.etag
            {
                report.skipped += 1
                return
            }
            report.stored += 1
            try effects.meet(identity, .row(staged.row))
        } else {
            report.removed += 1
            let isOutOfSight = staged.reason == HiddenTableSink.Removal.changed.rawValue
            try effects.meet(identity, isOutOfSight ? .outOfSight : .gone)
        }
    }
}
