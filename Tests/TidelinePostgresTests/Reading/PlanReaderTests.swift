// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

/// Parents 1 to 700, each with as many children as its key modulo 3, each child with one note.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct PlanReaderTests {
    private let store: PostgresStore
    private let conninfo: String

    private static let model: EntityModel = {
        func integer(_ wire: String, _ column: String) -> Property {
            Property(names: Names(wire: wire, database: column), type: .int32, isNullable: column != "id")
        }
        func many(_ wire: String, _ target: String) -> NavigationProperty {
            NavigationProperty(
                names: Names(wire: wire),
                targetSet: target,
                isCollection: true,
                isDependent: false,
                constraints: [.init(source: 0, target: 1)]
            )
        }
        func set(_ wire: String, _ table: String, _ properties: [Property], _ ways: [NavigationProperty]) -> EntitySet {
            EntitySet(
                names: Names(wire: wire, database: table),
                type: EntityType(
                    names: Names(wire: wire),
                    properties: properties,
                    key: [0],
                    navigationProperties: ways
                )
            )
        }
        let name = Property(names: Names(wire: "Name", database: "name"), type: .string)
        return EntityModel(
            namespace: "Test",
            sets: [
                set("Parents", "parents", [integer("Id", "id"), name], [many("Children", "Children")]),
                set(
                    "Children",
                    "children",
                    [integer("Id", "id"), integer("Parent", "parent")],
                    [many("Notes", "Notes")]
                ),
                set("Notes", "notes", [integer("Id", "id"), integer("Child", "child"), name], []),
            ]
        )
    }()

    init() throws {
        conninfo = try PostgresCluster.shared().makeDatabase(
            """
            CREATE TABLE parents (id int PRIMARY KEY, name text);
            CREATE INDEX ON parents (name);
            INSERT INTO parents SELECT n, 'p' || n FROM generate_series(1, 700) AS n;
            CREATE TABLE children (id int PRIMARY KEY, parent int);
            INSERT INTO children SELECT n * 10 + k, n FROM generate_series(1, 700) AS n, generate_series(1, n % 3) AS k;
            CREATE TABLE notes (id int PRIMARY KEY, child int, name text);
            INSERT INTO notes SELECT id, id, 'n' || id FROM children;
            ANALYZE
            """
        )
        store = try PostgresStore(conninfo: conninfo, model: Self.model, options: .untracked)
    }

    private func plan(childTop: Int? = nil, rows: Int = .max, bytes: Int = .max) -> ReadPlan {
        let sets = Self.model.sets
        let notes = ReadPlan(model: Self.model, set: sets[2], columns: [2], includesETag: false)
        let children = ReadPlan(
            model: Self.model,
            set: sets[1],
            top: childTop,
            columns: [0],
            expansions: [.init(navigation: 0, plan: notes)],
            includesETag: false
        )
        return ReadPlan(
            model: Self.model,
            set: sets[0],
            columns: [0],
            expansions: [.init(navigation: 0, plan: children, includesCount: true)],
            includesETag: false,
            pageLimit: .init(rows: rows, bytes: bytes)
        )
    }

    private func line(_ parent: Int, most: Int = .max) -> String {
        let children = (0..<min(parent % 3, most)).map { "{\(parent * 10 + $0 + 1)|[{n\(parent * 10 + $0 + 1)}]}" }
        return "\(parent)|[\(children.joined())]\(parent % 3)"
    }

    @Test func `expansions over several batches nest and stay with their rows`() throws {
        let recorder = RowRecorder()
        let end = try store.read { try $0.read(plan(), into: recorder) }
        #expect(recorder.lines == (1...700).map { line($0) })
        #expect(end == PageEnd(rows: 700, continuation: nil))
        let first = RowRecorder()
        _ = try store.read { try $0.read(plan(childTop: 1), into: first) }
        #expect(first.lines == (1...700).map { line($0, most: 1) })
    }

    @Test(arguments: [1, 7, 256, 300]) func `pages end where they are told, and go on there`(rows: Int) throws {
        var plan = plan(rows: rows)
        var lines: [String] = []
        repeat {
            let recorder = RowRecorder()
            let end = try store.read { try $0.read(plan, into: recorder) }
            #expect(recorder.lines.count == min(rows, 700 - lines.count))
            lines += recorder.lines
            plan.after = end.continuation
        } while plan.after != nil && lines.count < 701
        #expect(lines == (1...700).map { line($0) })
    }

    @Test func `bytes end a page too, with rows without number`() throws {
        var plan = ReadPlan(model: Self.model, set: Self.model.sets[0], columns: [0], includesETag: false)
        plan.pageLimit.bytes = 80
        let recorder = RowRecorder()
        let end = try store.read { try $0.read(plan, into: recorder) }
        #expect(recorder.lines == (1...10).map(String.init))
        #expect(end.continuation == [.integer(10)])
    }

    @Test func `one statement serves an expansion of a batch`() throws {
        let connection = try PostgresConnection(conninfo)
        let columns = try StoreColumns(model: Self.model, connection: connection)
        let context = PostgresContext(model: Self.model, columns: columns, isTracked: false, etagKey: [])
        let level = try PlanLevel(plan(rows: 100), context: context)
        #expect(
            level.expansions[0].level.compiled.text
                == #"SELECT k.n, t0."id" FROM unnest($1::bigint[]) WITH ORDINALITY AS k(k0, n) CROSS JOIN "children" AS t0"#
                + #" WHERE t0."parent" = k.k0 ORDER BY k.n, t0."id""#
        )
    }

    @Test(arguments: ["Id eq 7", "Name eq 'p7'", "Id in (7,8)"])
    func `an index serves what is asked of it, whatever the collation`(filter: String) throws {
        let set = Self.model.sets[0]
        let place = filter.hasPrefix("Id") ? 0 : 1
        let type: PrimitiveType = place == 0 ? .int32 : .string
        let path = TypedExpression(node: .path(.init(property: place)), type: type)
        func literal(_ value: Value) -> TypedExpression { TypedExpression(node: .literal(value), type: type) }
        let node: TypedExpression.Node =
            filter.contains(" in ")
            ? .isIn(path, [literal(.integer(7)), literal(.integer(8))])
            : .binary(.equal, path, literal(place == 0 ? .integer(7) : .string("p7")))
        let plan = ReadPlan(
            model: Self.model,
            set: set,
            filter: TypedExpression(node: node, type: .boolean)
        )
        let compiled = CountStatement(plan: plan, dialect: PostgresDialect())
        let connection = try PostgresConnection(conninfo)
        try connection.execute("SET enable_seqscan = off")
        let explained = try connection.query("EXPLAIN " + compiled.text, compiled.bindings)
        let text = explained.compactMap { $0.string(0) }.joined(separator: "\n")
        #expect(text.contains("Index Cond"), "\(text)")
    }

    @Test(arguments: [
        (#"CREATE INDEX pages ON parents (name COLLATE "C" NULLS FIRST, id)"#, false),
        (#"CREATE INDEX pages ON parents (name COLLATE "C" DESC NULLS LAST, id)"#, true),
    ])
    func `an index by bytes serves the pages of a text, its nulls included`(index: String, isDescending: Bool) throws {
        let connection = try PostgresConnection(conninfo)
        try connection.execute("UPDATE parents SET name = NULL WHERE id IN (5, 6); " + index + "; ANALYZE parents")
        try connection.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        let path = TypedExpression(node: .path(.init(property: 1)), type: .string)
        var plan = ReadPlan(
            model: Self.model,
            set: Self.model.sets[0],
            orderBy: [.init(path, isDescending: isDescending)],
            columns: [0, 1],
            includesETag: false,
            pageLimit: .init(rows: 20, bytes: .max)
        )
        var keys: [String] = []
        repeat {
            let compiled = SelectStatement(plan: plan, dialect: PostgresDialect())
            let explained = try connection.query("EXPLAIN " + compiled.text, compiled.bindings)
            let text = explained.compactMap { $0.string(0) }.joined(separator: "\n")
            #expect(text.contains("using pages on parents"), "\(text)")
            #expect(!text.contains("Sort"), "\(text)")
            let recorder = RowRecorder()
            plan.after = try store.read { try $0.read(plan, into: recorder) }.continuation
            keys += recorder.lines.map { String($0.prefix { $0 != "|" }) }
        } while plan.after != nil && keys.count < 701
        let names = (1...700).filter { $0 != 5 && $0 != 6 }.sorted { "p\($0)" < "p\($1)" }.map(String.init)
        #expect(keys == (isDescending ? names.reversed() + ["5", "6"] : ["5", "6"] + names))
    }
}
