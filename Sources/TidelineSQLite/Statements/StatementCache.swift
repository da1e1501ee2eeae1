// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// The statements of plans that a store's connections keep, bounded: their texts come from requests.
///
/// `@unchecked Sendable`: `lock` guards the table; a statement in it is used only on the thread that has its
/// connection, and ``removeAll()`` is called only when no connection is in use.
final class StatementCache: @unchecked Sendable {
    private static let mostStatements = 64
    private let lock = NSLock()
    private var table: [ObjectIdentifier: Kept] = [:]

    /// The statements of one connection.
    ///
    /// A pool may close a connection that it has no use for, and the identity of one that is gone goes to another.
    private struct Kept {
        weak var connection: Database?
        var statements: [String: PreparedStatement] = [:]
    }

    /// The statement of that text for a connection; a new one where the kept one is running.
    func statement(_ connection: Database, _ sql: String) throws -> PreparedStatement {
        let place = ObjectIdentifier(connection)
        let known = lock.withLock {
            if table[place]?.connection == nil {
                table = table.filter { $0.value.connection != nil }
                table[place] = Kept(connection: connection)
            }
            return table[place]?.statements[sql]
        }
        if let known, !known.isRunning { return known }
        let made = try PreparedStatement(connection, sql)
        guard known == nil else { return made }
        lock.withLock {
            if let count = table[place]?.statements.count, count >= Self.mostStatements {
                table[place]?.statements = [:]
            }
            table[place]?.statements[sql] = made
        }
        return made
    }

    /// For how many connections statements are kept.
    var connectionCount: Int { lock.withLock { table.count } }

    /// Forgets all, so that connections can be closed.
    func removeAll() {
        lock.withLock { table = [:] }
    }
}
