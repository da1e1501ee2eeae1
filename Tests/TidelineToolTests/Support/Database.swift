// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A SQLite database of a test, opened for one statement after another as any other program would.
struct Database: Sendable {
    let path: String

    /// A connection that waits its turn: a server that starts or writes holds the file for a moment.
    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(30)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Runs SQL in autocommit.
    func execute(_ sql: String) throws {
        let queue = try open()
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// One integer.
    func integer(_ sql: String) throws -> Int? {
        let queue = try open()
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: sql) }
    }

    /// The texts of one column.
    func texts(_ sql: String) throws -> [String] {
        let queue = try open()
        defer { try? queue.close() }
        return try queue.read { try String.fetchAll($0, sql: sql) }
    }
}
