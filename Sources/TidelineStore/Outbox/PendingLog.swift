// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The outbox in memory: all transactions that wait, decoded, to be changed and stored again as a whole.
struct PendingLog {
    struct Entry {
        var number: Int64
        /// In the order of their turns.
        var changes: [OutboxChange]
        /// Whether it was sent and not answered.
        var isFrozen: Bool
        /// Whether a pulled state of the server includes it already.
        var isIncluded: Bool
        var isDirty = false
    }

    /// In the order of their numbers.
    var entries: [Entry]
    var order = SendingOrder()
    /// The order as the file has it.
    private var storedOrder = SendingOrder()

    /// The most records of one transaction, one a set.
    ///
    /// The key of a record is its transaction's number times this, plus its place in the transaction. In a key of two
    /// columns SQLite would read whole records to find a place: those of a load of a million rows at every insert.
    private static let recordsPerTransaction: Int64 = 65_536

    /// Stores one record, an array of the changes of one set.
    static func insert(
        _ record: PackedBuffer,
        of set: SetLayout,
        number: Int64,
        _ connection: Connection
    ) throws {
        let statement = try connection.statement(insertSQL)
        statement.bind(number * recordsPerTransaction + Int64(set.index), 1)
        statement.bind(number, 2)
        statement.bind(set.name, 3)
        statement.bind(borrowed: record, 4)
        try statement.run()
    }

    private static let insertSQL =
        "INSERT OR REPLACE INTO main.tideline_outbox (place, number, set_name, record) VALUES (?, ?, ?, ?)"

    /// The number of the last transaction that waits, or 0.
    static func lastNumber(_ connection: Connection) throws -> Int64 {
        try connection.integer("SELECT MAX(place) FROM main.tideline_outbox") / recordsPerTransaction
    }

    /// Takes the records of a transaction out.
    private static func removeRecords(_ number: Int64, _ connection: Connection) throws {
        try connection.run("DELETE FROM main.tideline_outbox WHERE place >= ? AND place < ?") {
            $0.integer(number * recordsPerTransaction)
            $0.integer((number + 1) * recordsPerTransaction)
        }
    }

    /// Reads what waits.
    ///
    /// - Parameters:
    ///   - first: the number of the first transaction that is read.
    ///   - last: that of the last one, or `nil` for all.
    static func load(
        _ connection: Connection,
        from first: Int64 = 0,
        through last: Int64? = nil
    ) throws -> PendingLog {
        let sent = try connection.query("SELECT number, included FROM main.tideline_sent") {
            ($0.integer(0), $0.integer(1) == 1)
        }
        let frozen = Dictionary(sent, uniquingKeysWith: { first, _ in first })
        let rows = try connection.query(
            "SELECT number, set_name, record FROM main.tideline_outbox WHERE place >= ? AND place < ? ORDER BY place",
            {
                $0.integer(first * recordsPerTransaction)
                $0.integer(last.map { ($0 + 1) * recordsPerTransaction } ?? .max)
            }
        ) { ($0.integer(0), $0.string(1) ?? "", $0.bytes(2)) }
        var entries: [Entry] = []
        for (number, name, bytes) in rows {
            let changes = try OutboxRecord.decode(bytes, connection.layout.set(name))
            if entries.last?.number == number {
                entries[entries.count - 1].changes += changes
            } else {
                entries.append(
                    Entry(
                        number: number,
                        changes: changes,
                        isFrozen: frozen[number] != nil,
                        isIncluded: frozen[number] ?? false
                    )
                )
            }
        }
        for place in entries.indices { entries[place].changes.sort { $0.turn < $1.turn } }
        let order = try SendingOrder.load(connection)
        return PendingLog(entries: entries, order: order, storedOrder: order)
    }

    /// A number that was never used.
    static func nextNumber(_ connection: Connection) throws -> Int64 {
        try connection.integer(
            """
            SELECT 1 + MAX(
              IFNULL((SELECT MAX(place) FROM main.tideline_outbox), 0) / \(recordsPerTransaction),
              IFNULL((SELECT CAST(value AS INTEGER) FROM main.tideline_meta WHERE name = 'last_number'), 0))
            """
        )
    }

    /// Remembers that a number is used, before its record goes.
    static func retire(_ number: Int64, _ connection: Connection) throws {
        if try connection.number("last_number") < number { try connection.setNumber("last_number", number) }
    }

    /// Stores the changes of one transaction in place of what is there under its number.
    static func store(
        _ changes: [OutboxChange],
        number: Int64,
        limit: Int? = nil,
        _ connection: Connection
    ) throws {
        try removeRecords(number, connection)
        var bytes = 0
        for (set, part) in Dictionary(grouping: changes, by: \.set) {
            let layout = connection.layout.sets[set]
            let record = OutboxRecord.encode(part, layout)
            bytes += record.count
            try insert(record, of: layout, number: number, connection)
        }
        try checkSize(bytes, limit)
    }

    static func checkSize(_ bytes: Int, _ limit: Int?) throws {
        guard let limit, bytes > limit else { return }
        throw LocalStoreError(
            .tooLarge,
            message: "The transaction has \(bytes) bytes of changes; the server takes \(limit) at once."
        )
    }

    /// Takes a transaction out of the outbox.
    static func remove(_ number: Int64, _ connection: Connection) throws {
        try retire(number, connection)
        try removeRecords(number, connection)
        try connection.run("DELETE FROM main.tideline_sent WHERE number = ?") { $0.integer(number) }
    }

    /// That a transaction counts as sent, and has no record any more.
    private static let isStray = """
        NOT EXISTS (SELECT 1 FROM main.tideline_outbox WHERE place >= tideline_sent.number * \(recordsPerTransaction)
          AND place < (tideline_sent.number + 1) * \(recordsPerTransaction))
        """

    /// Whether a transaction counts as sent that does not wait.
    static func hasStrays(_ connection: Connection) throws -> Bool {
        try connection.exists("SELECT 1 FROM main.tideline_sent WHERE \(isStray)") { _ in }
    }

    /// Takes out what counts as sent and does not wait.
    static func removeStrays(_ connection: Connection) throws {
        try connection.run("DELETE FROM main.tideline_sent WHERE \(isStray)")
    }

    /// Stores the entries that were changed; those without changes left are taken out.
    mutating func save(_ connection: Connection) throws {
        try removeEmpty(connection)
        for place in entries.indices where entries[place].isDirty {
            try PendingLog.store(entries[place].changes, number: entries[place].number, connection)
            entries[place].isDirty = false
        }
        if order != storedOrder { try order.save(connection) }
        storedOrder = order
    }

    /// Takes out the entries without changes left.
    mutating func removeEmpty(_ connection: Connection) throws {
        for entry in entries where entry.changes.isEmpty {
            try PendingLog.remove(entry.number, connection)
            order.remove(entry.number)
        }
        entries.removeAll { $0.changes.isEmpty }
    }

    /// The place of a transaction, or `nil` where it does not wait any more.
    func place(_ number: Int64) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].number == number ? low : nil
    }

    /// The rows that have changes that wait.
    var identities: Set<RowIdentity> { Set(entries.flatMap { $0.changes.map(\.identity) }) }

    /// The number of the last transaction that was handed out to be sent: nothing is folded into it or dropped from it.
    static func handedOut(_ connection: Connection) throws -> Int64 { try connection.number("handed_out") }

    /// Joins a small transaction into one that waits, or lets never-sent rows that are gone again vanish.
    ///
    /// - Returns: where the changes went, or `nil` when the transaction gets a record of its own.
    static func absorb(_ changes: [OutboxChange]?, _ connection: Connection) throws -> (number: Int64?, Void)? {
        guard var changes, changes.contains(where: { $0.operation != .insert }) else { return nil }
        let barrier = try handedOut(connection)
        if changes.count == 1, Folding.isFree(changes[0], connection.layout.sets[changes[0].set]) {
            let last = try lastNumber(connection)
            let size =
                try connection.query(
                    "SELECT SUM(LENGTH(record)) FROM main.tideline_outbox WHERE place >= ?",
                    { $0.integer(last * recordsPerTransaction) }
                ) { $0.integer(0) }.first ?? 0
            guard last > barrier, size > 0, size < 65_536 else { return nil }
            var log = try load(connection, from: last)
            guard log.entries.count == 1, !log.entries[0].isFrozen,
                let place = log.entries[0].changes.lastIndex(where: { $0.identity == changes[0].identity }),
                log.entries[0].changes[place].operation != .delete
            else { return nil }
            Folding.join(changes[0], into: &log.entries[0].changes[place])
            if log.entries[0].changes[place].operation == .update, log.entries[0].changes[place].assignments.isEmpty {
                log.entries[0].changes.remove(at: place)
            }
            log.entries[0].isDirty = true
            try log.save(connection)
            return (last, ())
        }
        guard changes.contains(where: { $0.operation == .delete && $0.etag == nil }) else { return nil }
        var log = try load(connection)
        let count = changes.count
        for change in changes where change.operation == .delete && change.etag == nil {
            log.forget(change, among: &changes, barrier, connection.layout)
        }
        guard changes.count < count else { return nil }
        try log.save(connection)
        guard !changes.isEmpty else { return (nil, ()) }
        let number = try nextNumber(connection)
        try store(changes, number: number, connection)
        return (number, ())
    }

    /// Drops a row that was inserted here, never sent, and is now deleted, unless another change refers to it.
    private mutating func forget(
        _ delete: OutboxChange,
        among changes: inout [OutboxChange],
        _ barrier: Int64,
        _ layout: StoreLayout
    ) {
        let identity = delete.identity
        let holders = entries.indices.filter { entries[$0].changes.contains { $0.identity == identity } }
        guard let first = holders.first,
            entries[first].changes.first(where: { $0.identity == identity })?.operation == .insert,
            holders.allSatisfy({ !entries[$0].isFrozen && entries[$0].number > barrier })
        else { return }
        let others = entries.flatMap(\.changes) + changes
        guard !others.contains(where: { $0.identity != identity && $0.principals(layout).contains(identity) }),
            changes.filter({ $0.identity == identity }).last?.operation == .delete
        else { return }
        for place in holders {
            entries[place].changes.removeAll { $0.identity == identity }
            entries[place].isDirty = true
        }
        changes.removeAll { $0.identity == identity }
    }
}
