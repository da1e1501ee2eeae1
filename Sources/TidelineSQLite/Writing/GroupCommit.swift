// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization
import TidelineStorage

/// Commits the writes that wait at the same time together: they reach the disk with one wait for it.
///
///     write ─► stands in line ─► the first there leads: it has the connection, and runs all who stand there
///
///     BEGIN ─► one after the other ─► COMMIT ─► each has its result
///     BEGIN ─► each in a savepoint, which alone is undone when it fails ─► COMMIT ─► each has its result
///
/// They run without savepoints as long as none fails: what a savepoint could undo, SQLite copies out before it changes it,
/// which for many rows is as much as writing them. Where one fails they run again, each in a savepoint, and so does the
/// next group, until one has come without a failure.
///
/// Who came meanwhile is led by the first of them: the others sleep until they are done, and none of them waits for the
/// connection itself. A write that waits for nobody is a transaction of its own. So is each where one of them does what
/// concerns the others: it ends the transaction, or leaves a constraint open that is looked at with the commit; or where
/// the commit fails. They run again then, one by one, and each meets its own failure.
final class GroupCommit: Sendable {
    /// One write, with what became of it.
    ///
    /// `@unchecked Sendable`: used by the thread that leads, and by that of the write when it is woken.
    final class Member: @unchecked Sendable {
        /// Let go of when it is done: whoever led may outlast the call that the work belongs to.
        private var work: ((SQLiteWriter) throws -> Void)?
        private(set) var failure: (any Error)?
        var isDone: Bool { work == nil }
        /// Wakes the thread of the write: it is done, or the first in line.
        fileprivate let turn = DispatchSemaphore(value: 0)

        /// - Parameter work: keeps its result itself; what it kept counts when it is done without a failure. It may run
        ///   again.
        init(_ work: @escaping (SQLiteWriter) throws -> Void) { self.work = work }

        fileprivate func run(_ writer: SQLiteWriter) throws {
            failure = nil
            try work?(writer)
            try writer.requireTransaction()
        }

        fileprivate func fail(_ error: any Error) { failure = error }

        fileprivate func end() { work = nil }
    }

    /// Those who wait, and whether somebody leads them.
    private struct Line {
        var members: [Member] = []
        var isLed = false
        /// The thread that has the connection.
        var leader: ObjectIdentifier?
        /// Whether a member of the last group failed.
        var hasFailed = false
    }

    /// The group cannot be committed as one transaction.
    private struct Apart: Error {}

    /// How many go together at the most: the first of them waits for the last.
    private static let most = 64
    /// After so long no more join those who have run.
    ///
    /// What they share is one wait for the disk, which is little beside more work than that; and who is answered meanwhile
    /// sends the next, which is read while others run.
    private static let longest = Duration.milliseconds(2)

    private let context: SQLiteContext
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let line = Mutex(Line())

    init(_ context: SQLiteContext, clock: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.context = context
        self.clock = clock
    }

    /// Has a write stand in line; it is run by the next one that leads, at the latest by itself in ``finish(_:_:)``.
    func add(_ member: Member) { line.withLock { $0.members.append(member) } }

    /// Returns when a write that stands in line is done, and runs it where nobody else leads.
    ///
    /// - Parameter connected: runs what it is given on the connection that writes.
    func finish(_ member: Member, _ connected: ((Database) -> Void) -> Void) {
        let thread = ObjectIdentifier(Thread.current)
        let leads = line.withLock { line in
            precondition(line.leader != thread, "A write of a store inside of another one would wait for itself.")
            if member.isDone || line.isLed { return false }
            line.isLed = true
            return true
        }
        if !leads { member.turn.wait() }
        if member.isDone { return }
        connected { connection in
            line.withLock { $0.leader = thread }
            while !member.isDone { run(next(), on: connection) }
        }
        handOver()
    }

    private func next() -> [Member] {
        line.withLock { line in
            let group = Array(line.members.prefix(Self.most))
            line.members.removeFirst(group.count)
            return group
        }
    }

    /// Has the first who waits lead.
    private func handOver() {
        let first = line.withLock { line in
            line.leader = nil
            line.isLed = !line.members.isEmpty
            return line.members.first
        }
        first?.turn.signal()
    }

    private func run(_ group: [Member], on connection: Database) {
        var done = group[...]
        if group.count > 1, let count = commitTogether(group, on: connection) {
            done = group[..<count]
        } else {
            for member in group { commitAlone(member, on: connection) }
        }
        line.withLock { line in
            line.members.insert(contentsOf: group[done.endIndex...], at: 0)
            if group.count > 1 { line.hasFailed = done.contains { $0.failure != nil } }
            for member in done { member.end() }
        }
        for member in done { member.turn.signal() }
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

    /// - Returns: how many of the group, from its first on, have their outcome; `nil` where nothing is changed.
    private func commitTogether(_ group: [Member], on connection: Database) -> Int? {
        if line.withLock({ $0.hasFailed }) { return commitTogether(group, on: connection, runUndoably) }
        var hasFailed = false
        let count = commitTogether(group, on: connection) { member, writer in
            do { try member.run(writer) } catch {
                hasFailed = true
                throw error
            }
        }
        // What the commit is refused for, or one leaves open, concerns all: savepoints do not tell it.
        return hasFailed ? commitTogether(group, on: connection, runUndoably) : count
    }

    private func commitTogether(
        _ group: [Member],
        on connection: Database,
        _ run: (Member, SQLiteWriter) throws -> Void
    ) -> Int? {
        var hasBegun = false
        var count = 0
        do {
            try SQLiteStore.mapped {
                try SQLiteConnections.transaction(connection) {
                    hasBegun = true
                    let start = clock()
                    for member in group {
                        try run(member, SQLiteWriter(connection: connection, context: context))
                        guard connection.openConstraints == 0 else { throw Apart() }
                        count += 1
                        if start.duration(to: clock()) > Self.longest { break }
                    }
                }
            }
            return count
        } catch {
            // Who waited for another program together need not wait for it again one after the other.
            if hasBegun { return nil }
            for member in group { member.fail(error) }
            return group.count
        }
    }

    /// Runs one of a group, and undoes it alone when it fails.
    ///
    /// - Throws: where that cannot be.
    private func runUndoably(_ member: Member, _ writer: SQLiteWriter) throws {
        func run(_ sql: String) throws { try PreparedStatement.cached(writer.connection, sql).run() }
        try run("SAVEPOINT tideline_member")
        do {
            try SQLiteStore.mapped { try member.run(writer) }
        } catch {
            guard writer.connection.isInsideTransaction else { throw Apart() }
            try run("ROLLBACK TO tideline_member")
            member.fail(error)
        }
        try run("RELEASE tideline_member")
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
