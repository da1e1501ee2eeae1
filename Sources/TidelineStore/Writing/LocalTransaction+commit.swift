// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The end of a transaction: what it did is checked as a whole, folded, and recorded.
extension LocalTransaction {
    /// Checks and records the changes; the last step before the commit.
    ///
    /// - Returns: the number of the transaction, or `nil` when nothing is to be sent.
    func finish(_ settings: StoreSettings) throws -> Int64? {
        try storeTemporaryKey()
        guard records.contains(where: { $0 != nil }) else { return nil }
        var changes: [OutboxChange]?
        if hasRewrites { changes = try decoded() }
        try checkReferences(changes)
        try checkUniqueValues(changes)
        if let all = changes {
            var folded = Folding(layout, all)
            folded.fold()
            changes = folded.changes
            if folded.changes.isEmpty { return nil }
        }
        let count = changes?.count ?? turn
        if let limit = settings.maximumChanges, count > limit {
            throw LocalStoreError(
                .tooLarge,
                message: "The transaction has \(count) changes; the server takes \(limit) at once."
            )
        }
        if let outcome = try PendingLog.absorb(changes, connection) { return outcome.number }
        if let holder = try Quarantine.holder(of: try changes ?? quarantineProbe(), connection) {
            let all = try changes ?? decoded()
            try Quarantine.add(
                all,
                number: try PendingLog.nextNumber(connection),
                code: "DependsOnQuarantined",
                message: "The transaction builds on one that the server refused.",
                status: 0,
                dependsOn: holder,
                connection
            )
            return nil
        }
        let number = try PendingLog.nextNumber(connection)
        if let changes {
            try PendingLog.store(changes, number: number, limit: settings.maximumTransactionBytes, connection)
        } else {
            try storeRecords(number, settings)
        }
        return number
    }

    /// Nothing to compare with where the quarantine is empty: then inserts are not even decoded.
    private func quarantineProbe() throws -> [OutboxChange] {
        try Quarantine.isEmpty(connection) ? [] : decoded()
    }

    private func decoded() throws -> [OutboxChange] {
        var all: [OutboxChange] = []
        for (index, record) in records.enumerated() {
            guard let record else { continue }
            try unsafe record.withBytes { all += try unsafe OutboxRecord.decode($0, layout.sets[index]) }
        }
        return all.sorted { $0.turn < $1.turn }
    }

    private func storeRecords(_ number: Int64, _ settings: StoreSettings) throws {
        var bytes = 0
        for (index, record) in records.enumerated() {
            guard let record, record.count > 5 else { continue }
            bytes += record.count
            try PendingLog.insert(record, of: layout.sets[index], number: number, connection)
        }
        try PendingLog.checkSize(bytes, settings.maximumTransactionBytes)
    }

    // MARK: Foreign keys

    private func checkReferences(_ changes: [OutboxChange]?) throws {
        for (reference, values) in denials {
            let child = layout.sets[reference.child]
            let parent = layout.sets[reference.parent]
            let isBack = try connection.exists(
                "SELECT 1 FROM main.\(parent.table) WHERE \(parent.matches(reference.parentPlaces))"
            ) { connection.append(values, reference.parentPlaces, parent, to: $0) }
            guard !isBack else { continue }
            let isHeld = try connection.exists(
                "SELECT 1 FROM main.\(child.table) WHERE \(child.matches(reference.childPlaces))"
            ) { connection.append(values, reference.childPlaces, child, to: $0) }
            guard !isHeld else {
                throw LocalStoreError(
                    .stillReferenced,
                    set: child.name,
                    properties: child.names(reference.childPlaces),
                    message: "Entities of '\(child.name)' still refer to a deleted one of '\(parent.name)'."
                )
            }
        }
        if let changes {
            for change in changes where change.operation != .delete {
                for reference in layout.sets[change.set].outgoing {
                    let values = reference.childPlaces.map { change.after($0) }
                    guard values.contains(where: { $0 != nil }) else { continue }
                    // What counts is how the row ends: a later change may have set another reference.
                    guard let row = try connection.row(layout.sets[change.set], change.key) else { continue }
                    try check(reference, reference.childPlaces.map { row.values[$0] })
                }
            }
            return
        }
        for (index, record) in records.enumerated() {
            guard let record, !layout.sets[index].outgoing.isEmpty else { continue }
            try checkInserts(record, layout.sets[index])
        }
    }

    /// The foreign keys of packed inserts; neighbours often refer to the same row, so each value is looked up once.
    private func checkInserts(_ record: PackedBuffer, _ set: SetLayout) throws {
        var known = [Set<[Value]>](repeating: [], count: set.outgoing.count)
        let needed = Set(set.outgoing.flatMap(\.childPlaces))
        var last = [[Value]](repeating: [], count: set.outgoing.count)
        var reader = record.reader(from: 5)
        while !reader.isAtEnd {
            _ = reader.byte()
            _ = reader.word()
            var values = [Int: Value](minimumCapacity: needed.count)
            for column in set.columns {
                let stored = reader.next()
                if needed.contains(column.place) { values[column.place] = try column.value(stored) }
            }
            for (turn, reference) in set.outgoing.enumerated() {
                let key = reference.childPlaces.map { values[$0] ?? .null }
                guard key != last[turn] else { continue }
                last[turn] = key
                guard known[turn].insert(key).inserted else { continue }
                try check(reference, key)
            }
        }
    }

    private func check(_ reference: SetLayout.Reference, _ values: [Value]) throws {
        guard !values.contains(.null) else { return }
        let parent = layout.sets[reference.parent]
        let isThere = try connection.exists(
            "SELECT 1 FROM main.\(parent.table) WHERE \(parent.matches(reference.parentPlaces))"
        ) { connection.append(values, reference.parentPlaces, parent, to: $0) }
        guard !isThere else { return }
        let isTemporary =
            parent.isGenerated && values.contains { if case .integer(let key) = $0 { key < 0 } else { false } }
        let wasDeleted =
            reference.parentPlaces == parent.key && deleted.contains(RowIdentity(set: parent.index, key: values))
        guard try isTemporary || wasDeleted || connection.holdsAll(of: parent) else { return }
        let child = layout.sets[reference.child]
        throw LocalStoreError(
            .missingReference,
            set: child.name,
            properties: child.names(reference.childPlaces),
            message: "The entity of '\(parent.name)' that is referred to does not exist."
        )
    }

    // MARK: Unique values

    private func checkUniqueValues(_ changes: [OutboxChange]?) throws {
        for (index, record) in records.enumerated() {
            let set = layout.sets[index]
            guard let record, !set.set.type.uniqueKeys.isEmpty else { continue }
            var rows: [[Value]] = []
            if let changes {
                for change in changes where change.set == index && change.operation != .delete {
                    if let row = try connection.row(set, change.key) { rows.append(row.values) }
                }
            } else {
                try unsafe record.withBytes { rows = try unsafe OutboxRecord.decode($0, set).map(\.row) }
            }
            for row in rows {
                for places in set.set.type.uniqueKeys { try checkUnique(places, places.map { row[$0] }, set) }
            }
        }
    }

    private func checkUnique(_ places: [Int], _ values: [Value], _ set: SetLayout) throws {
        guard !values.contains(.null) else { return }
        let sql = "SELECT 1 FROM main.\(set.table) WHERE \(set.matches(places)) LIMIT 2"
        let found = try connection.query(sql, { connection.append(values, places, set, to: $0) }) { _ in true }
        guard found.count < 2 else {
            throw LocalStoreError(
                .duplicateValue,
                set: set.name,
                properties: set.names(places),
                message:
                    "Another entity of '\(set.name)' has this value of \(set.names(places).joined(separator: ", "))."
            )
        }
    }
}

extension Connection {
    /// Whether every row of a set that the user may read lies on the device, so that absence can be judged.
    func holdsAll(of set: SetLayout) throws -> Bool {
        let found = try query(
            "SELECT filter, delta_link FROM main.tideline_subscriptions WHERE set_name = ?",
            { $0.text(set.name) }
        ) { $0.isNull(0) && !$0.isNull(1) }
        if let whole = found.first { return whole }
        return try meta("service_url") == nil
    }
}
