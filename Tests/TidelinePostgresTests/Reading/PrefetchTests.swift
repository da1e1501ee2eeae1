// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

/// Whole entities: those that are asked for together, and how their keys are compared.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PrefetchTests {
    private let published: Published
    private let store: PostgresStore
    private let shelves: EntitySet

    init() throws {
        published = try Published(
            """
            CREATE TABLE shelves (code char(5) PRIMARY KEY, place text NOT NULL);
            INSERT INTO shelves VALUES ('a', 'left'), ('b', 'right')
            """
        )
        store = try PostgresStore(conninfo: published.conninfo, model: published.model)
        shelves = try #require(published.model[set: "shelves"])
    }

    private func plan(_ code: String) -> ReadPlan {
        let path = TypedExpression(node: .path(.init(property: 0)), type: .string)
        let literal = TypedExpression(node: .literal(.string(code)), type: .string)
        let isCode = TypedExpression(node: .binary(.equal, path, literal), type: .boolean)
        return ReadPlan(model: store.model, set: shelves, filter: isCode, top: 1)
    }

    private func read(_ code: String, _ reader: any StoreReader) throws -> [String] {
        let recorder = RowRecorder()
        _ = try reader.read(plan(code), into: recorder)
        return recorder.lines
    }

    @Test func `rows that were asked for together are there before they are read, each once`() throws {
        let rows = ["a", "b", "c"].map { (key: Key([.string($0)]), set: shelves) }
        try store.write { writer throws in
            let writer = try #require(writer as? PostgresWriter)
            try writer.prefetch(rows)
            #expect(writer.prefetched.count == 3)
            #expect(try read("b", writer) == ["b|right"])
            #expect(try read("c", writer) == [])
            #expect(writer.prefetched.count == 1)
            #expect(try read("b", writer) == ["b|right"])
            // One row alone is not asked for twice.
            try writer.prefetch([rows[0]])
            #expect(writer.prefetched.isEmpty)
        }
    }

    @Test func `a key of fixed length is equal by its text, with no blank more`() throws {
        try store.read { reader throws in
            #expect(try read("a", reader) == ["a|left"])
            #expect(try read("a ", reader) == [])
            let found = try reader.entity(Key([.string("a")]), in: shelves)
            #expect(found?.values == [.string("a"), .string("left")])
            #expect(try reader.entity(Key([.string("a ")]), in: shelves) == nil)
        }
    }
}
