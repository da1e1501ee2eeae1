// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelinePostgres
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

/// Enumerations of PostgreSQL whose labels are no names, and arrays of enumerations.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct EnumerationColumnTests {
    private static let schema = """
        CREATE TYPE state AS ENUM ('in progress', 'done', '1st');
        CREATE TYPE mood AS ENUM ('sad', 'ok');
        CREATE TABLE jobs (id int PRIMARY KEY, s state NOT NULL DEFAULT 'in progress', past state[], moods mood[],
            n int GENERATED ALWAYS AS IDENTITY);
        INSERT INTO jobs VALUES (1, 'done', '{"in progress",1st}', '{ok,sad}');
        """

    private func publish() throws -> (found: Introspection, store: PostgresStore) {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let found = try PostgresPublisher.publish(conninfo: conninfo, namespace: "Test", viewKeys: [:]) { _ in }
        return (found, try PostgresStore(conninfo: conninfo, model: found.model))
    }

    @Test func `labels that are no names become the values of a string, and none of the columns is lost`() throws {
        let found = try publish().found
        let type = try #require(found.model[set: "jobs"]?.type)
        #expect(type.properties.map(\.names.wire) == ["id", "s", "past", "moods", "n"])
        #expect((type.properties[1].type, type.properties[1].enumeration) == (.string, nil))
        #expect(type.properties[1].allowedValues == ["in progress", "done", "1st"].map(Value.string))
        #expect(type.properties[1].defaultValue == .string("in progress"))
        #expect(type.properties[2].structure == .collection(of: .primitive(.string), itemsNullable: true))
        #expect(type.properties[3].structure == .collection(of: .enumeration("mood"), itemsNullable: true))
        // PostgreSQL takes no value for it.
        #expect(type.properties[4].generation == .always)
        #expect(
            found.problems.map(\.message) == [
                "jobs: the column s is a string with the labels of state, which cannot all be names of members."
            ]
        )
    }

    @Test func `they are read, filtered and written`() throws {
        let (found, store) = try publish()
        let set = try #require(found.model[set: "jobs"])
        let key = Key([.integer(1)])
        #expect(
            try store.read { try $0.entity(key, in: set)?.values }
                == [
                    .integer(1), .string("done"), .string(#"["in progress","1st"]"#), .string(#"["ok","sad"]"#),
                    .integer(1),
                ]
        )
        try store.write { writer throws in
            _ = try writer.update(
                key,
                [1: .string("1st"), 2: .string(#"["done"]"#), 3: .string(#"["sad"]"#)],
                in: set
            )
            _ = try writer.insert([0: .integer(2)], into: set)
        }
        #expect(
            try store.read { try $0.entity(key, in: set)?.values.prefix(4) }
                == [.integer(1), .string("1st"), .string(#"["done"]"#), .string(#"["sad"]"#)]
        )
        #expect(try store.read { try $0.entity(Key([.integer(2)]), in: set)?.values[1] } == .string("in progress"))
        let checker = ExpressionChecker(model: found.model, set: set)
        let first = try checker.condition(.binary(.equal, .path(["s"]), .literal(.string("1st"))))
        #expect(try store.read { try $0.satisfies(first, key: key, in: set, user: .anonymous) })
        let error = #expect(throws: StorageError.self) {
            try store.write { try $0.update(key, [1: .string("no label")], in: set) }
        }
        #expect(error?.code == .invalidValue)
    }
}
