// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// What a model that is opened makes of rows that were told otherwise before.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct ReadingsTests {
    private static let table = """
        CREATE TYPE pair AS (a int, b int);
        CREATE TABLE t(id int PRIMARY KEY, level int, p pair, price numeric(5,2));
        INSERT INTO t VALUES (1, 0, row(1, NULL), 3), (2, NULL, NULL, NULL);
        """

    /// The model with members for a column.
    private func model(_ world: Published, _ column: String, _ members: [EnumerationType.Member]) throws -> EntityModel
    {
        var set = try #require(world.model[set: "t"])
        let place = try #require(set.type.propertyIndex(wire: column))
        set.type.properties[place].type = .int32
        set.type.properties[place].enumeration = "Level"
        var model = world.model.replacing(sets: [set])
        model.enumerations.append(EnumerationType(names: Names(wire: "Level"), members: members))
        return model
    }

    /// Whether opening the second model after the first begins a new epoch.
    private func begins(_ world: Published, _ first: EntityModel, _ second: EntityModel) throws -> Bool {
        try PostgresStore(conninfo: world.conninfo, model: first).close()
        let before = try world.position().epoch
        try PostgresStore(conninfo: world.conninfo, model: second).close()
        return try world.position().epoch != before
    }

    @Test func `a new epoch begins where a row has what is told otherwise, and only there`() throws {
        let world = try Published(Self.table)
        for (column, held, absent) in [("level", Int64(0), Int64(1)), ("price", 3, 1)] {
            func named(_ name: String, _ value: Int64) -> [EnumerationType.Member] {
                [.init("first", value), .init(name, 9)]
            }
            let before = try model(world, column, named("last", held))
            #expect(try begins(world, before, model(world, column, [.init("other", held), .init("last", 9)])))
            #expect(try !begins(world, before, model(world, column, [.init("first", held), .init("other", 9)])))
            #expect(try !begins(world, before, model(world, column, named("last", held) + [.init("more", absent)])))
            #expect(try !begins(world, before, before))
        }
    }

    @Test func `a composite value with a null in it is a value`() throws {
        let world = try Published(Self.table)
        var set = try #require(world.model[set: "t"])
        let places = set.type.properties.indices.filter { set.type.properties[$0].names.database == "p" }
        let place = try #require(places.first)
        set.type.properties[place].structure = nil
        #expect(try begins(world, world.model, world.model.replacing(sets: [set])))
    }

    @Test func `servers that open a domain at the same time all open it`() async throws {
        let world = try Published(Self.table)
        let (conninfo, model) = (world.conninfo, world.model)
        for _ in 1...5 {
            try world.run("DELETE FROM tideline.state WHERE name = 'readings:public'")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 { group.addTask { try PostgresStore(conninfo: conninfo, model: model).close() } }
                try await group.waitForAll()
            }
            #expect(try world.run("SELECT count(*) FROM tideline.state WHERE name = 'readings:public'").hasPrefix("1"))
        }
    }
}
