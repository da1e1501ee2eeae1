// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import Synchronization
import TidelineStorage

/// Commits the writes that wait at the same time together: they reach the disk with one wait for it.
///
///     write ─► stands in line ─► whoever has the connection first runs all who stand there:
///
///     BEGIN ─► each in a savepoint, which alone is undone when it fails ─► COMMIT ─► each has its result
///
/// A write that waits for nobody is a transaction of its own. So is each where one of them does what concerns the others:
/// it ends the transaction, or leaves a constraint open that is looked at with the commit; or where the commit fails. They
/// run again then, one by one, and each meets its own failure.
final class GroupCommit: Sendable {
    /// One write, with what became of it.
    ///
    /// `@unchecked Sendable`: used by the thread that has the writing connection, and by that of the write after it has
    /// had the connection itself.
    final class Member: @unchecked Sendable {
        private let work: (SQLiteWriter) throws -> Void
        private(set) var failure: (any Error)?
        fileprivate(set) var isDone = false

        /// - Parameter work: keeps its result itself; what it kept counts when it is done without a failure. It may run
        ///   again.
        init(_ work: @escaping (SQLiteWriter) throws -> Void) { self.work = work }

        fileprivate func run(_ writer: SQLiteWriter) throws {
            failure = nil
            try work(writer)
            try writer.requireTransaction()
        }

        fileprivate func fail(_ error: any Error) { failure = error }
    }

    /// The group cannot be committed as one transaction.
    private struct Apart: Error {}

    /// How many go together at the most: the first of them waits for the last.
    private static let most = 64

    private let context: SQLiteContext
    private let line = Mutex<[Member]>([])

    init(_ context: SQLiteContext) { self.context = context }

    /// Has a write stand in line; it is run by the next one that has the connection, at the latest by its own turn.
    func add(_ member: Member) { line.withLock { $0.append(member) } }

    /// Runs those who stand in line until this one is done.
    func finish(_ member: Member, on connection: Database) {
        while !member.isDone { run(next(), on: connection) }
    }

    private func next() -> [Member] {
        line.withLock { line in
            let group = Array(line.prefix(Self.most))
            line.removeFirst(group.count)
            return group
        }
    }

    private func run(_ group: [Member], on connection: Database) {
        if group.count < 2 || !commitTogether(group, on: connection) {
            for member in group { commitAlone(member, on: connection) }
        }
        for member in group { member.isDone = true }
    }

    private func commitAlone(_ member: Member, on connection: Database) {
        do {
            try SQLiteStore.mapped {
                try SQLiteConnections.transaction(connection) {
                    try member.run(SQLiteWriter(connection: connection, context: context))
                }
            }
        } catch {
            member.fail(error)
        }
    }

    /// - Returns: whether each member has its outcome; else nothing is changed.
    private func commitTogether(_ group: [Member], on connection: Database) -> Bool {
        var hasBegun = false
        do {
            try SQLiteStore.mapped {
                try SQLiteConnections.transaction(connection) {
                    hasBegun = true
                    for member in group { try runUndoably(member, on: connection) }
                }
            }
            return true
        } catch {
            // Who waited for another program together need not wait for it again one after the other.
            if !hasBegun { for member in group { member.fail(error) } }
            return !hasBegun
        }
    }

    /// Runs one of a group, and undoes it alone when it fails.
    ///
    /// - Throws: where that cannot be, or what it leaves open concerns the others.
    private func runUndoably(_ member: Member, on connection: Database) throws {
        func run(_ sql: String) throws { try PreparedStatement.cached(connection, sql).run() }
        try run("SAVEPOINT tideline_member")
        do {
            try SQLiteStore.mapped { try member.run(SQLiteWriter(connection: connection, context: context)) }
        } catch {
            guard connection.isInsideTransaction else { throw Apart() }
            try run("ROLLBACK TO tideline_member")
            member.fail(error)
        }
        try run("RELEASE tideline_member")
        guard connection.openConstraints == 0 else { throw Apart() }
    }
}

extension Database {
    /// How many rows break a constraint that is looked at when the transaction commits.
    var openConstraints: Int {
        var open: Int32 = 0
        var highest: Int32 = 0
        unsafe sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &open, &highest, 0)
        return Int(open)
    }
}
