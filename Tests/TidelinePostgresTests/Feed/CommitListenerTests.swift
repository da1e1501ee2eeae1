// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// What a store is told of the commits of others.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct CommitListenerTests {
    private static let tables = "CREATE TABLE t(id int PRIMARY KEY, s text); INSERT INTO t VALUES (1, 'a'), (2, 'b');"

    /// The cluster of the tests allows transactions to be prepared.
    private static let tells = """
        DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET tideline.tells = ''on''', current_database()); END $$
        """

    /// Counts the calls, and waits for the next.
    private final class Calls: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func add() {
            number.withLock { $0 += 1 }
            semaphore.signal()
        }

        /// Whether a call came, within a time that only a failure takes.
        func comes() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
    }

    private func world() throws -> (Published, PostgresStore) {
        let world = try Published(Self.tables)
        try world.run(Self.tells)
        return (world, try PostgresStore(conninfo: world.conninfo, model: world.model))
    }

    @Test func `a commit of another program calls who watches, one that is rolled back or ours does not`() throws {
        let (world, store) = try world()
        let calls = Calls()
        let watch = try #require(store.watch { calls.add() })
        // The first is that it listens now.
        #expect(calls.comes())
        let set = try #require(world.model[set: "t"])
        try world.run("BEGIN; UPDATE t SET s = 'never'; ROLLBACK")
        _ = try store.write { try $0.update(Key([.integer(1)]), [1: .string("ours")], in: set) }
        #expect(calls.count == 1)
        try world.run("UPDATE t SET s = 'x' WHERE id = 1")
        #expect(calls.comes())
        try world.run("BEGIN; INSERT INTO t VALUES (3, 'c'); DELETE FROM t WHERE id = 2; COMMIT")
        #expect(calls.comes())
        // Each transaction called once, and the others not at all: what they had told had come before.
        #expect(calls.count == 3)
        withExtendedLifetime(watch) {}
        store.close()
    }

    @Test func `a session that is ended is made again, and its watcher told to look`() throws {
        let (world, store) = try world()
        let calls = Calls()
        let watch = try #require(store.watch { calls.add() })
        #expect(calls.comes())
        try world.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
        )
        #expect(calls.comes())
        try world.run("UPDATE t SET s = 'x' WHERE id = 1")
        #expect(calls.comes())
        withExtendedLifetime(watch) {}
        store.close()
    }

    @Test func `a database that was published before is given its triggers when it is opened`() throws {
        let (world, first) = try world()
        first.close()
        try world.run("DROP TRIGGER tideline_notice ON t")
        let start = try world.position()
        let store = try PostgresStore(conninfo: world.conninfo, model: world.model)
        #expect(try world.run("SELECT count(*) FROM pg_trigger WHERE tgname = 'tideline_notice'").hasPrefix("1"))
        // No change of it begins a new epoch.
        #expect(try store.read { try $0.changedSets(since: start) } == [])
        store.close()
    }

    @Test func `a transaction is prepared where the server allows it`() throws {
        let world = try Published(Self.tables)
        try world.run("BEGIN; UPDATE t SET s = 'x' WHERE id = 1; PREPARE TRANSACTION 'told'")
        try world.run("COMMIT PREPARED 'told'")
        #expect(try world.run("SELECT s FROM t WHERE id = 1").hasPrefix("x"))
    }

    @Test func `a store without tracking is told nothing`() throws {
        let (world, tracked) = try world()
        tracked.close()
        let store = try PostgresStore(conninfo: world.conninfo, model: world.model, options: .untracked)
        let watch = store.watch {}
        #expect(watch == nil)
        store.close()
    }
}
