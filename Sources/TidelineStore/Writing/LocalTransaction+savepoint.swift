// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension LocalTransaction {
    /// Runs a part of the transaction that may fail alone: what it throws undoes its own changes and no others.
    ///
    ///     try store.write { tx in
    ///         try tx.insert(order)
    ///         do { try tx.savepoint { try importLines($0) } } catch { log(error) }
    ///     }
    ///
    /// Savepoints nest. Temporary keys that the part took are not given again. Values that break rules are told at the
    /// end of the part, references, unique values and rules of entity types at the end of the transaction.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws, after its changes are undone.
    @discardableResult
    public func savepoint<Result>(_ body: (LocalTransaction) throws -> Result) throws -> Result {
        let before = Savepoint(self)
        try connection.run("SAVEPOINT tideline_part")
        do {
            let result = try body(self)
            try failures.raise(beyond: before.failures)
            try connection.run("RELEASE tideline_part")
            return result
        } catch {
            // Where SQLite rolled everything back, there is no savepoint left, and no transaction to go on with.
            guard connection.isInTransaction else { throw error }
            try connection.run("ROLLBACK TO tideline_part")
            try connection.run("RELEASE tideline_part")
            before.restore(self)
            throw error
        }
    }

    /// What a transaction holds beside the rows.
    private struct Savepoint {
        private let counts: [Int?]
        private let turn: Int
        private let unrecorded: TouchedRows
        private let hasRewrites: Bool
        private let denials: [Denial]
        private let deleted: Set<RowIdentity>
        private let localOnlyRows: Set<RowIdentity>
        let failures: Failures

        init(_ transaction: LocalTransaction) {
            counts = transaction.records.map { $0?.count }
            turn = transaction.turn
            unrecorded = transaction.unrecorded
            hasRewrites = transaction.hasRewrites
            denials = transaction.denials
            deleted = transaction.deleted
            localOnlyRows = transaction.localOnlyRows
            failures = transaction.failures
        }

        func restore(_ transaction: LocalTransaction) {
            for (place, count) in counts.enumerated() {
                if let count {
                    transaction.records[place]?.truncate(to: count)
                } else {
                    transaction.records[place] = nil
                }
            }
            transaction.turn = turn
            transaction.unrecorded = unrecorded
            transaction.hasRewrites = hasRewrites
            transaction.denials = denials
            transaction.deleted = deleted
            transaction.localOnlyRows = localOnlyRows
            transaction.failures = failures
        }
    }
}
