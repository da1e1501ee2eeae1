// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// Writers that begin early and commit late, and a reader that goes on from its last position: every change is told,
/// and told once.
///
/// `script/soundness` runs the whole of it; `TIDELINE_ROUNDS` sets the number of rounds, which are then reported.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct SoundnessTests {
    private static let writers = 8
    private static let chosen = ProcessInfo.processInfo.environment["TIDELINE_ROUNDS"].flatMap { Int($0) }
    private static let rounds = chosen ?? 40

    private func report(_ text: String) {
        if Self.chosen != nil { print("soundness: \(Self.rounds) rounds, \(text)") }
    }

    @Test func `what each of eight writers commits is delivered exactly once`() throws {
        let world = try Published("CREATE TABLE t(id int PRIMARY KEY, n int)")
        let cluster = try PostgresCluster.shared()
        // Left open in another database from here to the end.
        let idle = try PostgresConnection(cluster.makeDatabase("CREATE TABLE x(a int)"))
        try idle.execute("BEGIN; INSERT INTO x VALUES (1)")
        let rounds = Self.rounds
        let failures = Mutex<[String]>([])
        let running = Atomic<Int>(Self.writers)
        let conninfo = world.conninfo
        let threads = (0..<Self.writers).map { writer in
            let thread = Thread {
                defer { running.subtract(1, ordering: .sequentiallyConsistent) }
                do {
                    let connection = try PostgresConnection(conninfo)
                    // Each row is written by one transaction, so a key told twice is a change told twice.
                    for round in 0..<rounds {
                        let id = round * Self.writers + writer
                        try connection.execute("BEGIN; INSERT INTO t VALUES (\(id), 1)")
                        // Every second one lets the others pass: its entries are older than theirs, its commit younger.
                        if (round + writer) % 2 == 0 { _ = try connection.query("SELECT count(*) FROM t") }
                        try connection.execute((round + writer) % 5 == 0 ? "ROLLBACK" : "COMMIT")
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            thread.start()
            return thread
        }
        #expect(threads.count == Self.writers)
        var last = try world.position()
        var told: [String: Int] = [:]
        var isLast = false
        var deltas = 0
        while true {
            deltas += 1
            // The changes since the last position, and the position of the very same moment.
            let (changes, next) = try world.step("t", since: last)
            for key in changes { told[key, default: 0] += 1 }
            last = next
            if isLast { break }
            isLast = running.load(ordering: .sequentiallyConsistent) == 0
        }
        try idle.execute("ROLLBACK")
        #expect(failures.withLock { $0 } == [])
        let stored = try world.run("SELECT id FROM t").split(separator: "\n").map(String.init)
        #expect(Set(told.keys) == Set(stored))
        #expect(told.values.allSatisfy { $0 == 1 })
        #expect(stored.count > rounds)
        report("\(Self.writers) writers: \(stored.count) rows committed, \(told.count) told, in \(deltas) deltas")
    }

    @Test func `the slow one of two is delivered exactly once, round after round`() throws {
        let world = try Published("CREATE TABLE t(id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0)")
        let slow = try PostgresConnection(world.conninfo)
        let fast = try PostgresConnection(world.conninfo)
        var last = try world.position()
        for round in 1...Self.rounds {
            try slow.execute("BEGIN; UPDATE t SET n = \(round) WHERE id = 1")
            try fast.execute("UPDATE t SET n = \(round) WHERE id = 2")
            let first = try world.step("t", since: last)
            try slow.execute("COMMIT")
            let second = try world.step("t", since: first.next)
            #expect(first.changes == ["2 ← 2,\(round - 1)"])
            #expect(second.changes == ["1 ← 1,\(round - 1)"])
            last = second.next
        }
        report("a slow writer and a fast one: each commit told once, by the first delta after it")
    }
}
