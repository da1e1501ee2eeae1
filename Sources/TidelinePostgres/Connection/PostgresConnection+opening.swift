// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// A transaction that reads costs one way over the socket in place of three: its beginning travels with its first
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

    /// Tells the server of the transaction, where that waits.
    func begin() throws {
        takeEnd()
        guard let mode = opening else { return }
        opening = nil
        _ = try unsafe checked(PQexec(handle, mode.rawValue))
    }

    /// Begins the transaction with its first question, a kept statement.
    ///
    /// - Parameters:
    ///   - name: that of the prepared statement.
    ///   - format: 1 for columns in binary form, else 0.
    /// - Throws: ``PostgresFailure`` of either.
    func begin(_ mode: Mode, asking name: String, _ block: ParameterBlock, _ format: Int32) throws -> PostgresResult {
        opening = nil
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        let sent = unsafe block.withPointers { count, values, lengths, formats in
            unsafe PQsendQueryParams(handle, mode.rawValue, 0, nil, nil, nil, nil, 0) == 1
                && PQsendQueryPrepared(handle, name, count, values, lengths, formats, format) == 1
                && PQpipelineSync(handle) == 1
        }
        var results: [PostgresResult] = []
        let failure = sent ? takePipeline(&results) : lost()
        guard isAlive, unsafe PQexitPipelineMode(handle) == 1 else { throw failure ?? lost() }
        if let failure { throw failure }
        guard results.count == 2 else { throw lost() }
        return results[1]
    }

    /// Ends a transaction that changed nothing, and does not wait for the answer.
    ///
    /// - Throws: ``PostgresFailure`` when the transaction had failed, or the session is gone.
    func endReading() throws {
        guard opening == nil, unsafe PQtransactionStatus(handle) == PQTRANS_INTRANS else { return try commit() }
        guard unsafe PQsendQuery(handle, "COMMIT") == 1 else { throw lost() }
        isEnding = true
    }

    /// Takes the answer to the COMMIT that nobody waited for.
    ///
    /// It changed nothing, so that it matters to nobody but the next user, who sees whether the session stands.
    private func takeEnd() {
        guard isEnding else { return }
        isEnding = false
        while let result = unsafe PQgetResult(handle) { unsafe PQclear(result) }
    }
}
