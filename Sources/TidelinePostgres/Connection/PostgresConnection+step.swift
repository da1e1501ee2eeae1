// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension PostgresConnection {
    /// Runs a kept statement of a transaction so that its refusal undoes it alone, as it does on other databases.
    ///
    ///     SAVEPOINT  statement  RELEASE      one way over the socket
    ///     ROLLBACK TO  RELEASE               one more when the statement is refused
    ///
    /// A savepoint that waits, so that nothing came after it, serves as the statement's own.
    ///
    /// - Throws: ``PostgresFailure``; the transaction is usable then, as long as the session is.
    func step(_ sql: String, _ parameters: [SQLValue]) throws -> PostgresResult {
        let block = try ParameterBlock(parameters)
        try beginWaiting()
        var point = "tideline_step"
        var isOwn = true
        if isKept(sql), case .savepoint(let name)? = waiting.last { (point, isOwn) = (name, false) }
        var messages = try takeWaiting(before: sql)
        if isOwn { messages.append(.text("SAVEPOINT \(point)")) }
        let place = messages.count
        messages.append(.prepared(try prepared(sql), block, format: 1))
        if isOwn { messages.append(.text("RELEASE \(point)")) }
        let (results, failure) = try send(messages)
        guard let failure else { return results[place] }
        // Without the savepoint the transaction had failed before.
        if results.count >= place { try? execute("ROLLBACK TO \(point)" + (isOwn ? "; RELEASE \(point)" : "")) }
        throw failure
    }
}
