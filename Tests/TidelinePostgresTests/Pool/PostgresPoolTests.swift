// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PostgresPoolTests {
    private static let set = EntitySet(
        names: Names(wire: "Items", database: "items"),
        type: EntityType(
            names: Names(wire: "Item"),
            properties: [
                Property(names: Names(wire: "Id", database: "id"), type: .int32, isNullable: false),
                Property(names: Names(wire: "Name", database: "name"), type: .string),
            ],
            key: [0]
        )
    )
    private static let model = EntityModel(namespace: "Test", sets: [set])
    private static let schema = "CREATE TABLE items (id int PRIMARY KEY, name text); INSERT INTO items VALUES (1, 'a')"

    private func store(
        _ conninfo: String,
        _ change: (inout PostgresStoreOptions) -> Void = { _ in }
    ) throws -> PostgresStore {
        var options = PostgresStoreOptions.untracked
        change(&options)
        return try PostgresStore(conninfo: conninfo, model: Self.model, options: options)
    }

    private func count(_ store: PostgresStore) throws -> Int {
        try store.read { try $0.count(ReadPlan(model: Self.model, set: Self.set)) }
    }

    @Test func `a connection that was lost while idle is replaced`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let store = try store(conninfo)
        #expect(try count(store) == 1)
        for _ in 0..<2 {
            try PostgresConnection(conninfo).execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
            #expect(try count(store) == 1)
        }
    }

    @Test func `a read whose connection is lost is run again once on another`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let store = try store(conninfo)
        var runs = 0
        let lose = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        let found = try store.read { reader in
            runs += 1
            if runs == 1 { try PostgresConnection(conninfo).execute(lose) }
            return try reader.count(ReadPlan(model: Self.model, set: Self.set))
        }
        #expect((runs, found) == (2, 1))
        let error = try #require(throws: StorageError.self) {
            try store.read { reader in
                try PostgresConnection(conninfo).execute(lose)
                _ = try reader.count(ReadPlan(model: Self.model, set: Self.set))
            }
        }
        #expect(error.code == .unavailable)
    }

    @Test func `a write whose connection is lost is not run twice`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let store = try store(conninfo)
        var runs = 0
        let error = try #require(throws: StorageError.self) {
            try store.write { writer in
                runs += 1
                try PostgresConnection(conninfo).execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                )
                _ = try writer.delete(Key([.integer(1)]), in: Self.set)
            }
        }
        #expect((runs, error.code) == (1, .unavailable))
        #expect(try count(store) == 1)
    }

    @Test func `who finds no connection free waits, and then fails as busy`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let store = try store(conninfo) {
            $0.maximumConnections = 1
            $0.connectionTimeout = .milliseconds(50)
        }
        try store.read { _ in
            let error = try #require(throws: StorageError.self) { try count(store) }
            #expect(error.code == .busy)
        }
        #expect(try count(store) == 1)
        store.close()
        #expect(throws: StorageError.self) { try count(store) }
    }

    /// As when a backup is put back with `pg_restore --clean`.
    @Test func `a statement is compiled anew when a type that it names was made anew`() throws {
        let shop = try Published(
            "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE t(id int PRIMARY KEY, m mood)"
        )
        let set = try #require(shop.model[set: "t"])
        let store = try PostgresStore(
            conninfo: shop.conninfo,
            model: shop.model,
            options: .init(maximumConnections: 1)
        )
        func insert(_ id: Int64) throws {
            _ = try store.write { try $0.insert([0: .integer(id), 1: .integer(1)], into: set) }
        }
        try insert(1)
        try shop.run(
            """
            BEGIN; ALTER TABLE t ALTER m TYPE text; DROP TYPE mood; CREATE TYPE mood AS ENUM ('sad', 'ok');
            ALTER TABLE t ALTER m TYPE mood USING m::mood; COMMIT
            """
        )
        try insert(2)
        let rows = try store.read { reader in
            try [Int64(1), 2].map { try reader.entity(Key([.integer($0)]), in: set)?.values[1] }
        }
        #expect(rows == [.integer(1), .integer(1)])
        store.close()
    }

    /// Reads an entity with `depth` connections at once.
    private func read(_ key: Int64, with depth: Int, of store: PostgresStore) throws -> String {
        try store.read { reader in
            depth == 1 ? try reader.read(Self.set, key) : try read(key, with: depth - 1, of: store)
        }
    }

    @Test(.covers("DA-18")) func `200 reads at once share the connections, and each comes back`() throws {
        struct Stop: Error {}
        // Entity 1 names the session that reads, entity 2 has the number of the store's sessions.
        let conninfo = try PostgresCluster.shared().makeDatabase(
            """
            CREATE VIEW items AS SELECT 1 AS id, pg_backend_pid()::text AS name
            UNION ALL SELECT 2, count(*)::text FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'tideline'
            """
        )
        let store = try store(conninfo) { $0.maximumConnections = 4 }
        let seen = Mutex<[(session: String, sessions: String)]>([])
        let results = Crowd.run(200) { turn, awaitAll in
            do {
                try store.read { reader in
                    // Who has a connection keeps it until all want one.
                    awaitAll()
                    let found = (try reader.read(Self.set, 1), try reader.read(Self.set, 2))
                    seen.withLock { $0.append(found) }
                    if turn % 10 == 0 { throw Stop() }
                }
                return "read"
            } catch is Stop {
                return "stopped"
            }
        }
        #expect(results == ["read": 180, "stopped": 20])
        let found = seen.withLock(\.self)
        #expect(found.count == 200)
        #expect(Set(found.map(\.session)).count <= 4)
        #expect(Set(found.map(\.sessions)).isSubset(of: ["1", "2", "3", "4"]))
        let whole = try read(2, with: 4, of: store)
        #expect(whole == "4")
    }

    @Test func `a statement that takes too long is stopped, and one that waits too long for a lock fails as busy`()
        throws
    {
        let conninfo = try PostgresCluster.shared().makeDatabase(
            Self.schema + "; CREATE VIEW slow AS SELECT id, name FROM items WHERE pg_sleep(20) IS NOT NULL"
        )
        let store = try store(conninfo) {
            $0.statementTimeout = .milliseconds(200)
            $0.lockTimeout = .milliseconds(50)
        }
        var slow = Self.set
        slow.names = Names(wire: "Slow", database: "slow")
        let plan = ReadPlan(model: Self.model, set: slow)
        #expect(try #require(throws: StorageError.self) { try store.read { try $0.count(plan) } }.code == .timeout)
        let other = try PostgresConnection(conninfo)
        try other.execute("BEGIN; UPDATE items SET name = 'held'")
        let error = try #require(throws: StorageError.self) {
            try store.write { try $0.update(Key([.integer(1)]), [1: .string("b")], in: Self.set) }
        }
        #expect(error.code == .busy)
        try other.execute("ROLLBACK")
    }

    @Test(arguments: [
        "WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id % 1000 + 1 FROM c) SELECT id, 'x'::text AS name FROM c",
        "SELECT a AS id, b::text AS name FROM generate_series(1, 100000) a, generate_series(1, 100000) b",
    ])
    func `an endless statement is stopped, and the store goes on`(query: String) throws {
        let store = try store(
            PostgresCluster.shared().makeDatabase(Self.schema + "; CREATE VIEW endless AS " + query)
        ) { $0.statementTimeout = .milliseconds(200) }
        var set = Self.set
        set.names = Names(wire: "Endless", database: "endless")
        let plan = ReadPlan(model: Self.model, set: set)
        for _ in 0..<2 {
            #expect(try #require(throws: StorageError.self) { try store.read { try $0.count(plan) } }.code == .timeout)
            #expect(try count(store) == 1)
        }
    }

    @Test func `a write that met another is run again, also where its closure swallowed the error`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let store = try store(conninfo)
        var runs = 0
        try store.write { writer in
            runs += 1
            // The snapshot begins here; reading the entity by its key would lock it.
            _ = try writer.count(ReadPlan(model: Self.model, set: Self.set))
            if runs == 1 { try PostgresConnection(conninfo).execute("UPDATE items SET name = name || 'x'") }
            _ = try? writer.savepoint { try writer.update(Key([.integer(1)]), [1: .string("y")], in: Self.set) }
        }
        #expect(runs == 2)
        #expect(try store.read { try $0.read(Self.set, 1) } == "y")
    }

    @Test func `a refused change undoes itself alone, without a savepoint`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let store = try store(conninfo)
        try store.write { writer in
            #expect(try writer.insert([0: .integer(2)], into: Self.set) == Key([.integer(2)]))
            for _ in 0..<2 {
                let error = try #require(throws: StorageError.self) {
                    try writer.insert([0: .integer(1), 1: .string("taken")], into: Self.set)
                }
                #expect((error.code, error.properties) == (.duplicateKey, ["Id"]))
            }
            #expect(try writer.delete(Key([.integer(1)]), in: Self.set))
            #expect(try writer.count(ReadPlan(model: Self.model, set: Self.set)) == 1)
        }
        #expect(try count(store) == 1)
    }

    @Test func `a store without publishing has no log`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let error = try #require(throws: StorageError.self) {
            try PostgresStore(conninfo: conninfo, model: Self.model)
        }
        #expect(error.code == .unsupported)
        let store = try store(conninfo)
        #expect(throws: StorageError.self) { try store.read { _ = try $0.position() } }
    }
}

extension StoreReader {
    /// The second property of an entity.
    fileprivate func read(_ set: EntitySet, _ key: Int64) throws -> String {
        guard case .string(let text)? = try entity(Key([.integer(key)]), in: set)?.values[1] else { return "" }
        return text
    }
}
