// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

struct PlanReaderTests {
    private static let schema = """
        CREATE TABLE clients(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE orders(id INTEGER PRIMARY KEY, client TEXT REFERENCES clients(id), total DECIMAL(10,2), at DATETIME);
        INSERT INTO clients VALUES ('k1', 'One'), ('k2', 'Two'), ('k3', NULL);
        INSERT INTO orders VALUES (1, 'k1', 10.5, '2024-01-01 10:00:00'), (2, 'k1', NULL, NULL), (3, 'k2', 7, '2024-01-02 00:00:00'),
            (4, NULL, 10.5, NULL);
        """

    private func filter(_ property: Int, _ operation: Expression.BinaryOperator, _ value: Value, _ type: PrimitiveType)
        -> TypedExpression
    {
        TypedExpression(
            node: .binary(
                operation,
                TypedExpression(node: .path(.init(property: property)), type: type),
                TypedExpression(node: .literal(value), type: type)
            ),
            type: .boolean
        )
    }

    @Test func `rows are pushed in key order with an ETag over all properties`() throws {
        let scratch = try Scratch(Self.schema)
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        let all = RecordingSink()
        let few = RecordingSink()
        try store.read { (reader: any StoreReader) throws in
            let end = try reader.read(ReadPlan(model: store.model, set: set), into: all)
            #expect(end == PageEnd(rows: 4, continuation: nil))
            _ = try reader.read(ReadPlan(model: store.model, set: set, columns: [2, 0]), into: few)
        }
        #expect(
            all.lines == [
                "1|k1|10.5|2024-01-01T10:00:00Z", "2|k1|null|null", "3|k2|7|2024-01-02T00:00:00Z", "4|null|10.5|null",
            ]
        )
        #expect(few.lines == ["10.5|1", "null|2", "7|3", "10.5|4"])
        #expect(all.etags == few.etags)
        #expect(Set(all.etags).count == 4)
        #expect(try store.read { try $0.entity(Key([.integer(3)]), in: set) }?.etag == all.etags[2])
    }

    @Test func `an ETag changes with any value, and comes back with it`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        func etag() throws -> ETag? { try store.read { try $0.entity(Key([.integer(1)]), in: set) }?.etag }
        let first = try etag()
        try scratch.run("UPDATE orders SET total = 11 WHERE id = 1")
        #expect(try etag() != first)
        try scratch.run("UPDATE orders SET total = 10.5 WHERE id = 1")
        #expect(try etag() == first)
    }

    @Test func `pages end by rows and go on where they ended, nulls first`() throws {
        let scratch = try Scratch(Self.schema)
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        var plan = ReadPlan(
            model: store.model,
            set: set,
            orderBy: [.init(TypedExpression(node: .path(.init(property: 2)), type: .decimal))],
            columns: [0],
            pageLimit: .init(rows: 1, bytes: .max)
        )
        var pages: [[String]] = []
        repeat {
            let sink = RecordingSink()
            plan.after = try store.read { try $0.read(plan, into: sink) }.continuation
            pages.append(sink.lines)
        } while plan.after != nil && pages.count < 10
        #expect(pages == [["2"], ["3"], ["1"], ["4"]])
    }

    @Test func `a page ends by bytes after at least one row, and top ends all`() throws {
        let scratch = try Scratch(Self.schema)
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        let sink = RecordingSink()
        let end = try store.read {
            try $0.read(
                ReadPlan(model: store.model, set: set, columns: [0], pageLimit: .init(rows: 100, bytes: 1)),
                into: sink
            )
        }
        #expect(sink.lines == ["1"])
        #expect(end == PageEnd(rows: 1, continuation: [.integer(1)]))
        let top = RecordingSink()
        let last = try store.read {
            try $0.read(ReadPlan(model: store.model, set: set, skip: 1, top: 2, columns: [0]), into: top)
        }
        #expect(top.lines == ["2", "3"])
        #expect(last == PageEnd(rows: 2, continuation: nil))
    }

    @Test func `expansions follow each row, nested and counted`() throws {
        let scratch = try Scratch(Self.schema)
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.store()
        let clients = try #require(store.model[set: "clients"])
        let orders = try #require(store.model[set: "orders"])
        let toOrders = try #require(clients.type.navigationIndex(wire: "orders"))
        let toClient = try #require(orders.type.navigationProperties.firstIndex { $0.targetSet == "clients" })
        let inner = ReadPlan(
            model: store.model,
            set: orders,
            top: 1,
            columns: [0],
            expansions: [
                .init(
                    navigation: toClient,
                    plan: ReadPlan(model: store.model, set: clients, columns: [1], includesETag: false)
                )
            ],
            includesETag: false
        )
        let sink = RecordingSink()
        let plan = ReadPlan(
            model: store.model,
            set: clients,
            columns: [1],
            expansions: [.init(navigation: toOrders, plan: inner, includesCount: true)]
        )
        try store.read { _ = try $0.read(plan, into: sink) }
        #expect(sink.lines == ["One|[|{1|[|{One}|]}|]2", "Two|[|{3|[|{Two}|]}|]1", "null|[|]0"])
    }

    @Test func `counts and questions see the filter only`() throws {
        let scratch = try Scratch(Self.schema)
        defer { withExtendedLifetime(scratch) {} }
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        let condition = filter(2, .equal, .decimal(EdmDecimal(coefficient: 105, scale: 1)), .decimal)
        try store.read { (reader: any StoreReader) throws in
            #expect(try reader.count(ReadPlan(model: store.model, set: set, filter: condition, skip: 3, top: 1)) == 2)
            #expect(try reader.satisfies(condition, key: Key([.integer(1)]), in: set, user: .anonymous))
            #expect(try !reader.satisfies(condition, key: Key([.integer(2)]), in: set, user: .anonymous))
            #expect(try !reader.satisfies(condition, key: Key([.integer(99)]), in: set, user: .anonymous))
        }
    }

    @Test func `a value that does not fit ends the read with its place`() throws {
        let scratch = try Scratch(Self.schema)
        let store = try scratch.store()
        let set = try #require(store.model[set: "orders"])
        try scratch.run("UPDATE orders SET at = 'soon' WHERE id = 3")
        let error = #expect(throws: StorageError.self) {
            try store.read { try $0.read(ReadPlan(model: store.model, set: set), into: RecordingSink()) }
        }
        #expect(error?.code == .unreadableValue)
        #expect(error?.set == "orders")
        #expect(error?.properties == ["at"])
    }
}
