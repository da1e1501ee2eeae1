// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres
import TidelineStorage

/// What a transaction tells the server only with its next statement, which needs the way over the socket anyhow.
///
///     SAVEPOINT  INSERT               one message, one answer
///     RELEASE  SAVEPOINT  INSERT
///     change  change  COMMIT
extension PostgresConnection {
    /// A part of a transaction that was not sent yet.
    enum Waiting {
        case savepoint(String)
        case release(String)
        /// A change whose answer nobody waits for.
        case change(String, ParameterBlock)
    }

    /// One statement of a message.
    enum Message {
        case text(String)
        /// A kept statement by its name; its columns come in binary form where `format` is 1.
        case prepared(String, ParameterBlock, format: Int32 = 0)
    }

    // MARK: Savepoints

    /// Sets a savepoint.
    func savepoint(_ name: String) { waiting.append(.savepoint(name)) }

    /// Forgets a savepoint: what came after it stays.
    func release(_ name: String) {
        guard let place = unsent(name), !waiting[place...].contains(where: \.isChange) else {
            return waiting.append(.release(name))
        }
        waiting.removeSubrange(place...)
    }

    /// Undoes what came after a savepoint, and forgets it.
    ///
    /// - Throws: ``PostgresFailure`` where the session is gone or the transaction was undone as a whole.
    func undo(to name: String) throws {
        if let place = unsent(name) { return waiting.removeSubrange(place...) }
        // All that waits came after it, too.
        waiting = []
        try execute("ROLLBACK TO \(name); RELEASE \(name)")
    }

    private func unsent(_ name: String) -> Int? {
        waiting.lastIndex { part in
            if case .savepoint(name) = part { true } else { false }
        }
    }

    // MARK: Changes

    /// Runs a kept statement of a transaction, at its end at the latest.
    ///
    /// - Throws: `StorageError` for a parameter that PostgreSQL cannot hold. What the server refuses is thrown by the
    ///   statement that it travels with, or by the commit.
    func change(_ sql: String, _ parameters: [SQLValue]) throws {
        waiting.append(.change(sql, try ParameterBlock(parameters)))
    }

    // MARK: Sending

    /// Whether what waits must be at the server before a statement that only reads: a savepoint that would have to be gone
    /// back to, or a change.
    var mustSendFirst: Bool { waiting.contains { !$0.isRelease } }

    /// What waits as statements of the next message; it waits no more then.
    ///
    /// - Parameter sql: the statement that comes after it, where that is a kept one.
    func takeWaiting(before sql: String? = nil) throws -> [Message] {
        if sql == nil, waiting.isEmpty { return [] }
        // The names of all of them must stand when the message is sent.
        try makeRoom(for: waiting.count + 1)
        if let sql, !isKept(sql) {
            // Where it cannot be prepared the transaction fails, and a savepoint to go back to must be there.
            try sendWaiting()
            _ = try prepared(sql)
        }
        let messages = try waiting.map { part -> Message in
            switch part {
            case .savepoint(let name): .text("SAVEPOINT \(name)")
            case .release(let name): .text("RELEASE \(name)")
            case .change(let sql, let block): .prepared(try prepared(sql), block)
            }
        }
        waiting = []
        return messages
    }

    /// Sends what waits by itself, before a statement that cannot travel with it.
    func sendWaiting() throws {
        guard mustSendFirst else { return }
        if let failure = try send(takeWaiting()).failure { throw failure }
    }

    /// Runs kept statements that only read as one message; the columns come in binary form.
    func queries(_ statements: [SelectStatement]) throws -> ArraySlice<PostgresResult> {
        try beginWaiting()
        try makeRoom(for: waiting.count + statements.count)
        if !statements.allSatisfy({ isKept($0.text) }) { try sendWaiting() }
        let first = mustSendFirst ? try takeWaiting() : []
        let messages = try statements.map { statement -> Message in
            .prepared(try prepared(statement.text), try ParameterBlock(statement.bindings), format: 1)
        }
        let (results, failure) = try send(first + messages)
        if let failure { throw failure }
        return results[first.count...]
    }

    /// Sends statements as one message and takes all answers.
    ///
    /// - Returns: the results up to the first statement that fails, and its failure.
    /// - Throws: ``PostgresFailure`` when the session is gone.
    func send(_ messages: [Message]) throws -> (results: [PostgresResult], failure: PostgresFailure?) {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
        let isSent = unsafe messages.allSatisfy(isSent) && PQpipelineSync(handle) == 1
        var results: [PostgresResult] = []
        let failure = isSent ? takePipeline(&results) : lost()
        guard isSent, isAlive, unsafe PQexitPipelineMode(handle) == 1 else { throw failure ?? lost() }
        if let failure, failure.isStalePlan { try forgetPlans() }
        if failure == nil, results.count != messages.count { throw lost() }
        return (results, failure)
    }

    private func isSent(_ message: Message) -> Bool {
        switch message {
        case .text(let sql): unsafe PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 0) == 1
        case .prepared(let name, let block, let format):
            unsafe block.withPointers { count, values, lengths, formats in
                unsafe PQsendQueryPrepared(handle, name, count, values, lengths, formats, format) == 1
            }
        }
    }

    /// Takes the results up to the end of the message, and the first failure among them.
    private func takePipeline(_ results: inout [PostgresResult]) -> PostgresFailure? {
        var failure: PostgresFailure?
        while isAlive {
            // Null ends the results of one statement; the next one's follow.
            guard let pointer = unsafe PQgetResult(handle) else { continue }
            let result = unsafe PostgresResult(pointer)
            switch unsafe PQresultStatus(pointer) {
            case PGRES_PIPELINE_SYNC: return failure
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: results.append(result)
            case PGRES_PIPELINE_ABORTED: continue
            default: failure = unsafe failure ?? PostgresFailure(result: pointer, connection: handle)
            }
        }
        return failure
    }
}

extension PostgresConnection.Waiting {
    var isRelease: Bool { if case .release = self { true } else { false } }
    var isChange: Bool { if case .change = self { true } else { false } }
}
