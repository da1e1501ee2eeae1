// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting

/// Operations of parameterised SQL on SQLite.
struct OperationTests {
    private static let schema = """
        CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT NOT NULL, grp INTEGER NOT NULL, price DECIMAL(10,2));
        CREATE TABLE moods(id INTEGER PRIMARY KEY, day DATE, tag GUID);
        INSERT INTO products VALUES (1, 'Case', 1, 69), (2, 'Disk', 2, 79.5), (3, 'Mouse', 1, 12), (4, 'Pad', 1, NULL);
        CREATE TRIGGER no13 BEFORE UPDATE ON products WHEN NEW.price = 13
            BEGIN SELECT RAISE(ABORT, 'not thirteen'); END;
        """

    private static func type(_ type: PrimitiveType, isNullable: Bool = true, isCollection: Bool = false)
        -> OperationType
    {
        OperationType(.primitive(type), isCollection: isCollection, isNullable: isNullable)
    }

    private static let products = OperationType(.entity(set: "products"), isCollection: true, isNullable: false)

    private static func operation(
        _ kind: EdmOperation.Kind,
        _ parameters: [(String, PrimitiveType)] = [],
        gives result: OperationType? = nil,
        on binding: OperationBinding? = nil,
        _ sql: String
    ) -> EdmOperation {
        EdmOperation(
            names: Names(wire: "Try"),
            kind: kind,
            binding: binding,
            parameters: parameters.map { OperationParameter(names: Names(wire: $0.0), type: type($0.1)) },
            returnType: result,
            imports: binding == nil ? [OperationImport("Try")] : [],
            body: .sql(sqlite: sql, postgres: nil)
        )
    }

    /// A store whose model has the operation, and the complex type `Out` of out parameters.
    private func store(_ scratch: Scratch, _ operation: EdmOperation) throws -> SQLiteStore {
        var model = try scratch.publish().model
        model.complexTypes = [
            ComplexType(
                names: Names(wire: "Out"),
                properties: [
                    Property(names: Names(wire: "rowsAffected"), type: .int32, isNullable: false),
                    Property(names: Names(wire: "RETURN_VALUE"), type: .int32),
                    Property(names: Names(wire: "count"), type: .int32),
                    Property(names: Names(wire: "name"), type: .string),
                ]
            )
        ]
        model.operations = [operation]
        return try SQLiteStore(path: scratch.path, model: model, options: .init())
    }

    private func refusal(_ operation: EdmOperation) throws -> String? {
        let scratch = try Scratch(Self.schema)
        let error = #expect(throws: StorageError.self) { try store(scratch, operation) }
        #expect(error?.code == .unsupported)
        return error?.message
    }

    // MARK: Actions

    @Test
    func `an action with parameters adds one row and says so`() throws {
        let scratch = try Scratch(Self.schema)
        var insert = Self.operation(
            .action,
            [("name", .string), ("grp", .int32), ("price", .decimal)],
            gives: OperationType(.complex("Out"), isNullable: false),
            "INSERT INTO products(name, grp, price) VALUES (:name, :grp, :price) RETURNING NULL AS RETURN_VALUE, id AS count, name"
        )
        insert.rowsAffectedProperty = "rowsAffected"
        let store = try store(scratch, insert)
        let hostile = "x'); DELETE FROM products; --"
        let price = try #require(EdmDecimal("4.25"))
        let call = OperationCall(insert, arguments: [.string(hostile), .integer(7), .decimal(price)])
        let result = try store.write { try $0.perform(call) }
        #expect(result.rowsAffected == 1)
        #expect(result.rows == [[.integer(1), .null, .integer(5), .string(hostile)]])
        #expect(try scratch.rows("SELECT * FROM products WHERE id > 3") == ["4|Pad|1|null", "5|\(hostile)|7|4.25"])
    }

    @Test
    func `out parameters come by name, and what only reads has affected -1 rows`() throws {
        let scratch = try Scratch(Self.schema)
        var report = Self.operation(
            .action,
            [("groupId", .int32)],
            gives: OperationType(.complex("Out"), isNullable: false),
            """
            -- The first product of the group; a colon in a comment: means nothing
            SELECT 157 AS return_value, ':no' AS other, (SELECT count(*) FROM products WHERE grp = :groupId) AS count,
                (SELECT name FROM products WHERE grp = :groupId ORDER BY id LIMIT 1) AS name
            """
        )
        report.rowsAffectedProperty = "rowsAffected"
        let store = try store(scratch, report)
        let result = try store.write { try $0.perform(OperationCall(report, arguments: [.integer(1)])) }
        #expect(result.rowsAffected == -1)
        #expect(result.rows == [[.integer(-1), .integer(157), .integer(3), .string("Case")]])
        #expect(
            result.value(of: OperationType(.complex("Out")), in: store.model)
                == .string(#"{"rowsAffected":-1,"RETURN_VALUE":157,"count":3,"name":"Case"}"#)
        )
    }

    @Test func `several statements are one transaction, their rows are added up, and the change log has them`() throws {
        let scratch = try Scratch(Self.schema)
        let action = Self.operation(
            .action,
            [("grp", .int32), ("price", .decimal)],
            """
            UPDATE products SET price = :price WHERE grp = :grp;
            DELETE FROM products WHERE price IS NULL OR id = 2;
            """
        )
        let store = try store(scratch, action)
        let start = try store.position()
        func call(_ group: Int64, _ price: Int) -> OperationCall {
            OperationCall(action, arguments: [.integer(group), .decimal(EdmDecimal(coefficient: Int128(price)))])
        }
        #expect(try store.write { try $0.perform(call(1, 10)) }.rowsAffected == 4)
        #expect(
            try store.changes("products", since: start).map { String($0.prefix(3)) } == ["(1)", "(3)", "(4)", "(2)"]
        )

        let after = try scratch.rows("SELECT id, price FROM products")
        let second = try store.position()
        // The trigger refuses the second statement's work of the first: nothing of it stays, and the write goes on.
        try store.write { writer in
            let error = #expect(throws: StorageError.self) { try writer.perform(call(1, 13)) }
            #expect(error == StorageError(raised: "not thirteen", orElse: ""))
        }
        #expect(try scratch.rows("SELECT id, price FROM products") == after)
        #expect(try store.changes("products", since: second) == [])
    }

    @Test func `an action on an entity has its key, one on a collection has the keys`() throws {
        let scratch = try Scratch(Self.schema)
        let one = Self.operation(
            .action,
            [("price", .decimal)],
            gives: OperationType(.entity(set: "products")),
            on: OperationBinding(set: "products"),
            "UPDATE products SET price = :price WHERE id = :id RETURNING id"
        )
        let price = EdmDecimal(coefficient: 5)
        let call = OperationCall(one, arguments: [.decimal(price)], keys: [Key([.integer(3)])])
        #expect(try store(scratch, one).write { try $0.perform(call) }.keys == [Key([.integer(3)])])
        #expect(try scratch.rows("SELECT id FROM products WHERE price = 5") == ["3"])

        let many = Self.operation(
            .action,
            on: OperationBinding(set: "products", isCollection: true),
            "DELETE FROM products WHERE id IN (SELECT value FROM json_each(:keys))"
        )
        #expect(OperationCall(many).needsKeys)
        let keys = OperationCall(many, keys: [Key([.integer(1)]), Key([.integer(4)])])
        let second = try Scratch(Self.schema)
        #expect(try store(second, many).write { try $0.perform(keys) }.rowsAffected == 2)
        #expect(try second.rows("SELECT id FROM products") == ["2", "3"])
    }

    // MARK: Functions

    @Test func `a function gives values of its type, and null without a row`() throws {
        let scratch = try Scratch(Self.schema)
        let sum = Self.operation(
            .function,
            [("grp", .int32)],
            gives: Self.type(.decimal),
            "SELECT sum(price) FROM products WHERE grp = :grp HAVING count(*) > 0"
        )
        let store = try store(scratch, sum)
        func run(_ group: Int64) throws -> Value {
            let call = OperationCall(sum, arguments: [.integer(group)])
            return try store.read { try $0.call(call) }.value(of: Self.type(.decimal), in: store.model)
        }
        #expect(try run(1) == .decimal(EdmDecimal(coefficient: 81)))
        #expect(try run(9) == .null)
        #expect(try store.write { try $0.call(OperationCall(sum, arguments: [.integer(2)])) }.rows.count == 1)
    }

    @Test func `collections are as long as the call allows`() throws {
        let scratch = try Scratch(Self.schema)
        let names = Self.operation(
            .function,
            gives: Self.type(.string, isCollection: true),
            "SELECT name FROM products ORDER BY id DESC"
        )
        let store = try store(scratch, names)
        var call = OperationCall(names, rowLimit: 4)
        let result = try store.read { try $0.call(call) }
        #expect(
            result.value(of: Self.type(.string, isCollection: true), in: store.model)
                == .string(#"["Pad","Mouse","Disk","Case"]"#)
        )
        call.rowLimit = 3
        #expect(throws: StorageError.self) { try store.read { try $0.call(call) } }
    }

    @Test func `a plan reads the entities of a function, and its filter, order, page and count compose`() throws {
        let scratch = try Scratch(Self.schema)
        let cheap = Self.operation(
            .function,
            [("below", .decimal)],
            gives: Self.products,
            // A column before the key, and a comment at the end.
            "SELECT name, id FROM products WHERE price < :below OR price IS NULL -- cheap"
        )
        let store = try store(scratch, cheap)
        let set = try #require(store.model[set: "products"])
        var plan = ReadPlan(model: store.model, set: set, columns: [1], includesETag: false)
        plan.source = .function(OperationCall(cheap, arguments: [.decimal(EdmDecimal(coefficient: 75))]))
        plan.orderBy = [.init(TypedExpression(node: .path(.init(property: 1)), type: .string), isDescending: true)]
        plan.pageLimit.rows = 2
        let (rows, count) = try store.read { reader in
            let sink = CollectingSink()
            _ = try reader.read(plan, into: sink)
            return (sink.text, try reader.count(plan))
        }
        #expect(rows == ["Pad", "Mouse"])
        #expect(count == 3)
        plan.source = .keys([Key([.integer(2)]), Key([.integer(99)]), Key([.null])])
        #expect(try store.read { try $0.count(plan) } == 1)
        plan.source = .keys([])
        #expect(try store.read { try $0.count(plan) } == 0)
    }

    // MARK: What is refused when the store is opened

    @Test func `SQL that cannot be prepared is refused by the operation's name`() throws {
        #expect(
            try refusal(Self.operation(.function, gives: Self.type(.int32), "SELECT n FROM nowhere"))
                == "The function Try cannot be used: SQLite refuses its SQL: no such table: nowhere."
        )
    }

    @Test func `a function that changes rows is refused`() throws {
        #expect(
            try refusal(
                Self.operation(.function, gives: Self.type(.int64), "UPDATE products SET price = 1 RETURNING id")
            ) == "The function Try cannot be used: a function only reads, and its SQL changes rows: make it an action."
        )
    }

    @Test func `SQL without the columns of the result is refused`() throws {
        #expect(
            try refusal(Self.operation(.function, gives: Self.products, "SELECT name FROM products"))
                == "The function Try cannot be used: its SQL does not give the key column id."
        )
        #expect(
            try refusal(Self.operation(.function, gives: Self.type(.int32), "SELECT 1, 2"))
                == "The function Try cannot be used: its SQL gives 2 columns, and it returns one value."
        )
        #expect(
            try refusal(Self.operation(.action, gives: OperationType(.complex("Out")), "SELECT 1 AS count"))
                == "The action Try cannot be used: its SQL does not give a column rowsAffected."
        )
    }

    @Test func `a routine of the database is refused`() throws {
        var operation = Self.operation(.function, gives: Self.type(.int32), "")
        operation.body = .routine("sum", isProcedure: false)
        #expect(
            try refusal(operation)
                == "The function Try cannot be used: SQLite has no functions and procedures of its own."
        )
    }
}

/// Gathers the texts of one column.
private final class CollectingSink: RowSink {
    var text: [String] = []

    func beginRow() {}
    func null() { text.append("null") }
    func boolean(_ value: Bool) { text.append("\(value)") }
    func integer(_ value: Int64) { text.append("\(value)") }
    func double(_ value: Double) { text.append("\(value)") }
    func text(_ utf8: UnsafeRawBufferPointer) { unsafe text.append(String(decoding: utf8, as: UTF8.self)) }
    func binary(_ bytes: UnsafeRawBufferPointer) { text.append("binary") }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) {}
}
