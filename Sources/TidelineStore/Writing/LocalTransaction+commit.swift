// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The end of a transaction: what it did is checked as a whole, folded, and recorded.
extension LocalTransaction {
    /// Checks and records the changes; the last step before the commit.
    ///
    /// - Returns: the number of the transaction, or `nil` when nothing is to be sent.
    /// - Throws: ``LocalStoreError`` with all that the changes break.
    func finish(_ settings: StoreSettings) throws -> Int64? {
        try connection.checkTransaction()
        try storeTemporaryKey()
        var changes: [OutboxChange]?
        if hasRewrites { changes = try decoded() }
        try check(changes)
        try failures.raise()
        guard records.contains(where: { $0 != nil }) else { return nil }
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
        return try record(changes, settings)
    }

    /// Puts the changes where they wait.
    private func record(_ changes: [OutboxChange]?, _ settings: StoreSettings) throws -> Int64? {
        // First, for nothing that builds on what is held may come before it.
        if let holder = try Quarantine.holder(of: try changes ?? quarantineProbe(), connection) {
            let all = try changes ?? decoded()
            try Quarantine.add(
                all,
                number: try PendingLog.nextNumber(connection),
                code: "DependsOnQuarantined",
                message: "The transaction builds on one that is in the quarantine.",
                status: 0,
                dependsOn: holder,
                connection
            )
            try PendingLog.checkBounds(settings, connection)
            return nil
        }
        if let outcome = try PendingLog.absorb(changes, connection) {
            // Without a number, what waited became less.
            if outcome.number != nil { try PendingLog.checkBounds(settings, connection) }
            return outcome.number
        }
        let number = try PendingLog.nextNumber(connection)
        if let changes {
            try PendingLog.store(changes, number: number, limit: settings.maximumTransactionBytes, connection)
        } else {
            try storeRecords(number, settings)
        }
        try PendingLog.checkBounds(settings, connection)
        return number
    }

    /// Nothing to compare with where the quarantine is empty: then inserts are not even decoded.
    private func quarantineProbe() throws -> [OutboxChange] {
        try Quarantine.isEmpty(connection) ? [] : decoded()
    }

    func decoded() throws -> [OutboxChange] {
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
}
