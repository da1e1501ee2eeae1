// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// Transactions: one that reads costs one way over the socket in place of three, for its beginning travels with its first
/// question, and nobody waits for the answer to its end.
///
///     BEGIN  first question      one message, one answer
///     COMMIT                     its answer is taken by the next transaction
extension PostgresConnection {
    /// Opens a transaction without telling the server yet.
    ///
    /// Takes what the server said meanwhile, so that a session that it ended is found out before anything is asked.
    ///
    /// - Throws: ``PostgresFailure`` when the session is gone.
    func open(_ mode: Mode) throws {
        takeEnd()
        // What is there to read of an idle session is its end: first the server's reason, then nothing.
        guard unsafe PQconsumeInput(handle) == 1, unsafe PQconsumeInput(handle) == 1, isAlive else { throw lost() }
        opening = mode
    }

    /// Tells the server of the transaction and of all of it that waits.
    func begin() throws {
        try beginWaiting()
        try sendWaiting()
    }

    /// Tells the server of the transaction, where that waits.
    func beginWaiting() throws {
        takeEnd()
        guard let mode = opening else { return }
        opening = nil
        try discardPlans()
        _ = try unsafe checked(PQexec(handle, mode.rawValue))
    }

    /// Forgets the plans of the session where one was stale: not in a transaction that has failed.
    ///
    /// Source: PostgreSQL, "DISCARD".
    private func discardPlans() throws {
        guard mustDiscardPlans else { return }
        mustDiscardPlans = false
        _ = try unsafe checked(PQexec(handle, "DISCARD PLANS"))
    }

    /// Ends a transaction that changed nothing, and does not wait for the answer.
    ///
    /// - Throws: ``PostgresFailure`` when the transaction had failed, or the session is gone.
    func endReading() throws {
        guard opening == nil, waiting.isEmpty, unsafe PQtransactionStatus(handle) == PQTRANS_INTRANS else {
            return try commit()
        }
        guard unsafe PQsendQuery(handle, "COMMIT") == 1 else { throw lost() }
        isEnding = true
    }

    /// Takes the answer to the COMMIT that nobody waited for.
    ///
    /// It changed nothing, so that it matters to nobody but the next user, who sees whether the session stands.
    func takeEnd() {
        guard isEnding else { return }
        isEnding = false
        while let result = unsafe PQgetResult(handle) { unsafe PQclear(result) }
    }

    /// Runs `body` in one transaction, undone when it throws.
    package func transaction<Result>(_ mode: Mode, _ body: () throws -> Result) throws -> Result {
        try discardPlans()
        try execute(mode.rawValue)
        let result: Result
        do {
            result = try body()
        } catch {
            rollback()
            throw error
        }
        try commit()
        return result
    }

    /// Ends the transaction, with the changes that wait; on disk when it returns.
    ///
    /// - Throws: ``PostgresFailure`` when the server undid it instead.
    package func commit() throws {
        // Its end forgets the savepoints.
        waiting.removeAll { !$0.isChange }
        if opening != nil, waiting.isEmpty { return opening = nil }
        try beginWaiting()
        let result: PostgresResult
        if waiting.isEmpty {
            // One message, not the five of a query with parameters.
            result = try unsafe checked(PQexec(handle, "COMMIT"))
        } else {
            let (results, failure) = try send(takeWaiting() + [.text("COMMIT")])
            if let failure {
                rollback()
                throw failure
            }
            result = results[results.count - 1]
        }
        guard result.commandTag != "COMMIT" else { return }
        throw PostgresFailure(sqlState: "25P02", message: "The transaction had failed and was undone.")
    }

    /// Undoes the transaction as far as the server can still be reached; else the server does it alone.
    package func rollback() {
        waiting = []
        if opening != nil { return opening = nil }
        guard isAlive, isInTransaction else { return }
        try? execute("ROLLBACK")
    }
}
