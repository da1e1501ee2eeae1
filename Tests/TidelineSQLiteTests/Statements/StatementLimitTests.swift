// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

struct StatementLimitTests {
    private static let schema = """
        CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER);
        WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000)
        INSERT INTO t SELECT i, i % 7 FROM c;
        CREATE VIEW endless AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i AS id, i % 7 AS n FROM c;
        CREATE VIEW product AS SELECT a.id, b.n FROM t AS a, t AS b, t AS c;
        CREATE TABLE watched(id INTEGER PRIMARY KEY, n INTEGER);
        CREATE TRIGGER slow AFTER INSERT ON watched WHEN (SELECT sum(n) FROM endless) > 0 BEGIN SELECT 1; END;
        """

    private static func set(_ name: String) -> EntitySet {
        EntitySet(
            names: Names(wire: name),
            type: EntityType(
                names: Names(wire: name + "_type"),
                properties: [
                    Property(names: Names(wire: "id"), type: .int64, isNullable: false),
                    Property(names: Names(wire: "n"), type: .int64),
                ],
                key: [0]
            )
        )
    }

    private static let model = EntityModel(namespace: "Test", sets: ["t", "endless", "product", "watched"].map(set))

    /// A store whose clock goes on by 100 ms at each look, and whose statements have two seconds.
    private func store(_ scratch: Scratch) throws -> SQLiteStore {
        let looks = Counter()
        var options = SQLiteStore.Options.untracked
        options.statementTimeout = .seconds(2)
        let start = ContinuousClock().now
        options.clock = { start + .milliseconds(100 * looks.next()) }
        return try SQLiteStore(path: scratch.path, model: Self.model, options: options)
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    private func plan(_ set: String, filter: Int64? = nil) throws -> ReadPlan {
        let entitySet = try #require(Self.model[set: set])
        let condition = try filter.map { number in
            try ExpressionChecker(model: Self.model, set: entitySet)
                .condition(.binary(.equal, .path(["n"]), .literal(.integer(number))))
        }
        return ReadPlan(model: Self.model, set: entitySet, filter: condition, pageLimit: .init(rows: 10, bytes: .max))
    }

    @Test(arguments: ["endless", "product"])
    func `an endless statement is stopped, and the connection goes on`(set: String) throws {
        let scratch = try Scratch(Self.schema)
        let store = try store(scratch)
        for _ in 0..<3 {
            let count = #expect(throws: StorageError.self) { try store.read { try $0.count(plan(set, filter: -1)) } }
            #expect(count?.code == .timeout)
            let page = #expect(throws: StorageError.self) {
                try store.read { try $0.read(plan(set, filter: -1), into: RowRecorder()) }
            }
            #expect(page?.code == .timeout)
            #expect(try store.read { try $0.count(plan("t", filter: 0)) } == 2_857)
        }
    }

    @Test func `the time is that of each statement and not of the transaction`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try store(scratch)
        // Each count takes at least 60,000 steps: six looks at the clock, 0.5 s of its time, so all take more than 2 s.
        try store.read { reader throws in
            for _ in 0..<10 { #expect(try reader.count(plan("t", filter: 0)) == 2_857) }
        }
    }

    @Test func `a change that takes too long is undone, its triggers counted`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try store(scratch)
        let watched = try #require(Self.model[set: "watched"])
        let table = try #require(Self.model[set: "t"])
        let error = #expect(throws: StorageError.self) {
            try store.write { writer in
                _ = try writer.delete(Key([.integer(1)]), in: table)
                _ = try writer.insert([0: .integer(1), 1: .integer(1)], into: watched)
            }
        }
        #expect(error?.code == .timeout)
        #expect(try scratch.rows("SELECT count(*) FROM t UNION ALL SELECT count(*) FROM watched") == ["20000", "0"])
        #expect(try store.write { try $0.delete(Key([.integer(1)]), in: table) })
    }
}
