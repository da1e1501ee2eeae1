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
    private var table: [ObjectIdentifier: [String: PreparedStatement]] = [:]

    /// The statement of that text for a connection; a new one where the kept one is running.
    func statement(_ connection: Database, _ sql: String) throws -> PreparedStatement {
        let place = ObjectIdentifier(connection)
        lock.lock()
        let known = table[place]?[sql]
        lock.unlock()
        if let known, !known.isRunning { return known }
        let made = try PreparedStatement(connection, sql)
        guard known == nil else { return made }
        lock.lock()
        defer { lock.unlock() }
        if table[place, default: [:]].count >= Self.mostStatements { table[place] = [:] }
        table[place, default: [:]][sql] = made
        return made
    }

    /// Forgets all, so that connections can be closed.
    func removeAll() {
        lock.lock()
        defer { lock.unlock() }
        table = [:]
    }
}
