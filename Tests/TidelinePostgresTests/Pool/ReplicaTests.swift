// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// A second database with other rows stands for the replica, so that it is seen which of the two was read.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct ReplicaTests {
    private static let table = "CREATE TABLE items (id int PRIMARY KEY, name text);"
    private let model: EntityModel
    private let conninfo: String
    private let replica: String
    private let set: EntitySet

    init() throws {
        let world = try Published(Self.table + "INSERT INTO items VALUES (1, 'itself')")
        conninfo = world.conninfo
        model = world.model
        replica = try PostgresCluster.shared().makeDatabase(Self.table + "INSERT INTO items VALUES (1, 'a'), (2, 'b')")
        set = try #require(world.model[set: "items"])
    }

    private func store(replica: String?, isTracked: Bool = true) throws -> PostgresStore {
        var options = PostgresStoreOptions(isTracked: isTracked)
        options.replica = replica
        return try PostgresStore(conninfo: conninfo, model: model, options: options)
    }

    private func count(_ reader: any StoreReader) throws -> Int { try reader.count(ReadPlan(model: model, set: set)) }

    @Test func `what may lag goes to the replica, what may not and what writes to the database`() throws {
        let store = try store(replica: replica)
        #expect(try store.readCopy(count) == 2)
        #expect(try store.read(count) == 1)
        #expect(try store.write { try count($0) } == 1)
        #expect(try store.readCopy { try $0.entity(Key([.integer(2)]), in: set) } != nil)
    }

    @Test func `a replica knows nothing of changes`() throws {
        let store = try store(replica: replica)
        let position = try store.read { try $0.position() }
        let query = ChangeQuery(set: set, since: position)
        for ask in [{ _ = try $0.position() }, { try $0.changes(query) { _ in } }] as [(any StoreReader) throws -> Void]
        {
            let error = #expect(throws: StorageError.self) { try store.readCopy(ask) }
            #expect(error?.code == .unsupported)
        }
        // Nothing was restored there or here.
        #expect(
            try store.read { try $0.position() } == position || store.read { try $0.changes(query) { _ in } } == nil
        )
    }

    @Test func `where the replica cannot be reached the database answers`() throws {
        let store = try store(replica: "host=127.0.0.1 port=1 dbname=none connect_timeout=2")
        #expect(try store.readCopy(count) == 1)
        #expect(try store.readCopy(count) == 1)
        #expect(try self.store(replica: nil).readCopy(count) == 1)
    }

    @Test func `a connection to the replica that breaks in a read costs nothing`() throws {
        let store = try store(replica: replica)
        var runs = 0
        let found = try store.readCopy { reader in
            runs += 1
            if runs == 1 {
                try PostgresConnection(replica).execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                )
            }
            return try count(reader)
        }
        #expect((runs, found) == (2, 1))
    }

    @Test func `reads of an untracked store all go to the replica, writes to the database`() throws {
        let store = try store(replica: replica, isTracked: false)
        #expect(try store.read(count) == 2)
        #expect(try store.write { try count($0) } == 1)
    }
}
