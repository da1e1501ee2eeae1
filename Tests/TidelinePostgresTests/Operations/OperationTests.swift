// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage
import TidelineTestSupport

@testable import TidelinePostgres

/// Functions and procedures of a PostgreSQL database as operations, and operations of SQL there.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice))
struct OperationTests {
    private static let schema = """
        CREATE TYPE mood AS ENUM ('calm', 'wild');
        CREATE TABLE products(id int PRIMARY KEY, name text NOT NULL, grp int NOT NULL, price numeric(10,2));
        INSERT INTO products VALUES (1, 'Case', 1, 69), (2, 'Disk', 2, 79.5), (3, 'Mouse', 1, 12), (4, 'Pad', 1, NULL);
        CREATE FUNCTION total(g int) RETURNS numeric LANGUAGE sql STABLE
            AS 'SELECT sum(price) FROM products WHERE grp = g';
        CREATE FUNCTION total(g int, lowest numeric) RETURNS numeric LANGUAGE sql STABLE
            AS 'SELECT sum(price) FROM products WHERE grp = g AND price >= lowest';
        CREATE FUNCTION cheap(below numeric DEFAULT 50) RETURNS SETOF products LANGUAGE sql STABLE
            AS 'SELECT * FROM products WHERE price < below';
        CREATE FUNCTION report("groupId" int, OUT name text, OUT count bigint) LANGUAGE sql STABLE
            AS 'SELECT min(p.name), count(*) FROM products AS p WHERE grp = "groupId"';
        CREATE FUNCTION per_group() RETURNS TABLE(g int, n bigint) LANGUAGE sql STABLE
            AS 'SELECT grp, count(*) FROM products GROUP BY grp ORDER BY grp';
        CREATE FUNCTION louder(list text[], m mood DEFAULT 'wild') RETURNS text[] LANGUAGE sql IMMUTABLE
            AS 'SELECT list || m::text';
        CREATE FUNCTION moods() RETURNS SETOF mood LANGUAGE sql STABLE AS 'SELECT unnest(enum_range(NULL::mood))';
        CREATE FUNCTION at_noon(date) RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT $1 + time ''12:00''';
        CREATE FUNCTION add_product(n text) RETURNS products LANGUAGE sql
            AS 'INSERT INTO products SELECT max(id) + 1, n, 9 FROM products RETURNING *';
        CREATE PROCEDURE test_procedure("groupId" int, OUT name text, OUT count int, OUT "RETURN_VALUE" int)
            LANGUAGE plpgsql AS $$
        BEGIN
            SELECT p.name INTO name FROM products AS p WHERE grp = "groupId" ORDER BY id LIMIT 1;
            SELECT count(*) INTO count FROM products WHERE grp = "groupId";
            "RETURN_VALUE" := 157;
        END $$;
        CREATE PROCEDURE commits() LANGUAGE plpgsql AS 'BEGIN COMMIT; END';
        CREATE PROCEDURE refuses() LANGUAGE plpgsql AS 'BEGIN UPDATE products SET price = 0; RAISE EXCEPTION ''not today''; END';
        COMMENT ON FUNCTION per_group() IS 'How many there are';
        CREATE FUNCTION sums(VARIADIC n int[]) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
        CREATE FUNCTION search(q tsquery) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
        CREATE FUNCTION settings() RETURNS pg_settings LANGUAGE sql STABLE AS 'SELECT * FROM pg_settings LIMIT 1';
        CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE AGGREGATE first_of(int) (SFUNC = int4larger, STYPE = int);
        """

    private func open(_ published: Published, _ extra: EdmOperation...) throws -> PostgresStore {
        var model = published.model
        model.operations += extra
        return try PostgresStore(conninfo: published.conninfo, model: model, options: .init(maximumConnections: 3))
    }

    private func operation(_ store: PostgresStore, _ name: String, _ place: Int = 0) throws -> EdmOperation {
        let found = store.model.operations(named: name)
        return try #require(found.indices.contains(place) ? found[place] : nil)
    }

    private func call(_ store: PostgresStore, _ name: String, _ arguments: [Value?] = [], _ place: Int = 0) throws
        -> Value
    {
        let call = OperationCall(try operation(store, name, place), arguments: arguments)
        let type = try #require(call.operation.returnType)
        return try store.read { try $0.call(call) }.value(of: type, in: store.model)
    }

    private static func decimal(_ text: String) -> Value { EdmDecimal(text).map(Value.decimal) ?? .null }

    // MARK: What publish guesses

    @Test func `routines become functions and actions by what they may do`() throws {
        let model = try Published(Self.schema).model
        let kinds = model.operations.map { "\($0.names.wire) \($0.kind.rawValue)" }
        #expect(
            kinds == [
                "add_product action", "at_noon function", "cheap function", "commits action", "louder function",
                "moods function", "per_group function", "refuses action", "report function", "test_procedure action",
                "total function", "total function",
            ]
        )
        #expect(model.operationProblems() == [])
        func parameters(_ name: String) -> [[String]] {
            model.operations(named: name).map { operation in
                operation.parameters.map { parameter in
                    let type = model.typeName(of: parameter.type.element)
                    let list = parameter.type.isCollection ? "[\(type)]" : type
                    return "\(parameter.names.wire) \(list)\(parameter.isOptional ? "?" : "")"
                }
            }
        }
        #expect(parameters("total") == [["g Edm.Int32"], ["g Edm.Int32", "lowest Edm.Decimal"]])
        #expect(parameters("cheap") == [["below Edm.Decimal?"]])
        #expect(parameters("louder") == [["list [Edm.String]", "m mood?"]])
        #expect(parameters("at_noon") == [["p1 Edm.Date"]])
        #expect(model.operations(named: "per_group").first?.description == "How many there are")
        #expect(
            model.operations(named: "total").map(\.body) == [
                .routine("total(integer)", isProcedure: false), .routine("total(integer, numeric)", isProcedure: false),
            ]
        )
    }

    @Test func `rows of a table are entities, and several columns a complex type`() throws {
        let model = try Published(Self.schema).model
        func type(_ name: String) -> OperationType? { model.operations(named: name).first?.returnType }
        #expect(type("cheap") == OperationType(.entity(set: "products"), isCollection: true, isNullable: false))
        #expect(type("add_product") == OperationType(.entity(set: "products")))
        #expect(type("report") == OperationType(.complex("reportResult"), isNullable: false))
        #expect(type("per_group")?.isCollection == true)
        #expect(
            model[complexType: "per_groupResult"]?.properties.map { "\($0.names.wire) \($0.type.rawValue)" } == [
                "g Edm.Int32", "n Edm.Int64",
            ]
        )
        #expect(
            model[complexType: "test_procedureResult"]?.properties.map(\.names.wire) == [
                "name", "count", "RETURN_VALUE",
            ]
        )
        #expect(type("refuses") == nil)
    }

    @Test func `what OData cannot say is left out with a note, and triggers are no matter`() throws {
        let conninfo = try PostgresCluster.shared().makeDatabase(Self.schema)
        let notes = try PostgresIntrospection.scan(conninfo: conninfo, namespace: "Test").problems.map(\.message)
        #expect(
            notes == [
                "The function search(tsquery) has the argument q of the type tsquery; it is left out.",
                "The function settings() gives rows of pg_settings, which is not published; it is left out.",
                "The function sums(integer[]) takes any number of arguments; it is left out.",
            ]
        )
    }

    // MARK: Calls

    @Test func `functions are called with what they have for arguments`() throws {
        let store = try open(Published(Self.schema))
        defer { store.close() }
        #expect(try call(store, "total", [.integer(1)]) == Self.decimal("81.00"))
        #expect(try call(store, "total", [.integer(1), Self.decimal("20")], 1) == Self.decimal("69.00"))
        #expect(try call(store, "total", [.null]) == .null)
        #expect(try call(store, "report", [.integer(1)]) == .string(#"{"name":"Case","count":3}"#))
        #expect(try call(store, "per_group") == .string(#"[{"g":1,"n":3},{"g":2,"n":1}]"#))
        let list = Value.string(#"["it's","a\"b"]"#)
        #expect(try call(store, "louder", [list, nil]) == .string(#"["it's","a\"b","wild"]"#))
        #expect(try call(store, "louder", [list, .integer(0)]) == .string(#"["it's","a\"b","calm"]"#))
        #expect(try call(store, "moods") == .string(#"["calm","wild"]"#))
        let day = try #require(CalendarDate("2026-02-28"))
        let noon = try #require(DateTimeOffset("2026-02-28T12:00:00Z"))
        #expect(try call(store, "at_noon", [.date(day)]) == .dateTimeOffset(noon))
    }

    @Test func `a plan reads the entities of a function, in a transaction that writes too`() throws {
        let store = try open(Published(Self.schema))
        defer { store.close() }
        let set = try #require(store.model[set: "products"])
        let cheap = try operation(store, "cheap")
        func count(_ reader: any StoreReader, _ arguments: [Value?]) throws -> Int {
            var plan = ReadPlan(model: store.model, set: set)
            plan.source = .function(OperationCall(cheap, arguments: arguments))
            return try reader.count(plan)
        }
        #expect(try store.read { try count($0, [nil]) } == 1)
        #expect(try store.read { try count($0, [Self.decimal("70")]) } == 2)
        let inside = try store.write { writer in
            _ = try writer.update(Key([.integer(1)]), [3: Self.decimal("1")], in: set)
            let counted = try count(writer, [nil])
            // The restriction to reading ended with the function.
            _ = try writer.update(Key([.integer(2)]), [3: Self.decimal("2")], in: set)
            return counted
        }
        #expect(inside == 2)
        #expect(try store.read { try count($0, [nil]) } == 3)
        var plan = ReadPlan(model: store.model, set: set)
        plan.source = .keys([Key([.integer(2)]), Key([.integer(99)])])
        #expect(try store.read { try $0.count(plan) } == 1)
    }

    @Test func `a volatile function is an action, and what it adds is in the change log`() throws {
        let published = try Published(Self.schema)
        let store = try open(published)
        defer { store.close() }
        let start = try published.position()
        let add = OperationCall(
            try operation(store, "add_product"),
            arguments: [.string("x'); DROP TABLE products; --")]
        )
        #expect(try store.write { try $0.perform(add) }.keys == [Key([.integer(5)])])
        #expect(try published.changes("products", since: start) == ["5"])
        #expect(try published.run("SELECT name FROM products WHERE id = 5").contains("DROP TABLE"))
    }

    @Test func `a procedure gives what comes out of it`() throws {
        let store = try open(Published(Self.schema))
        defer { store.close() }
        let procedure = OperationCall(try operation(store, "test_procedure"), arguments: [.integer(1)])
        let result = try store.write { try $0.perform(procedure) }
        #expect(result == OperationResult(rows: [[.string("Case"), .integer(3), .integer(157)]], rowsAffected: -1))
    }

    @Test func `a procedure that commits is refused, and one that refuses leaves nothing`() throws {
        let published = try Published(Self.schema)
        let store = try open(published)
        defer { store.close() }
        let (commits, refuses) = (try operation(store, "commits"), try operation(store, "refuses"))
        let errors = try store.write { writer in
            [commits, refuses].map { operation in
                #expect(throws: StorageError.self) { _ = try writer.perform(OperationCall(operation)) }
            }
        }
        #expect(
            errors == [
                StorageError(
                    .unsupported,
                    message: "The action commits cannot be used: it ends the transaction that it is called in, "
                        + "and that is the transaction of the request."
                ),
                StorageError(raised: "not today", orElse: ""),
            ]
        )
        #expect(try published.run("SELECT count(*) FROM products WHERE price = 0").contains("0"))
    }

    // MARK: SQL

    private static func sql(
        _ kind: EdmOperation.Kind,
        _ parameters: [OperationParameter] = [],
        gives type: OperationType? = nil,
        _ sql: String
    ) -> EdmOperation {
        EdmOperation(
            names: Names(wire: "Try"),
            kind: kind,
            parameters: parameters,
            returnType: type,
            imports: [OperationImport("Try")],
            body: .sql(sqlite: nil, postgres: sql)
        )
    }

    private static let price = OperationParameter(
        names: Names(wire: "price"),
        type: OperationType(.primitive(.decimal))
    )

    @Test func `SQL of several statements adds up its rows`() throws {
        let published = try Published(Self.schema)
        let action = Self.sql(
            .action,
            [Self.price],
            "UPDATE products SET price = :price::numeric WHERE grp = 1; DELETE FROM products WHERE id = 2;"
        )
        let store = try open(published, action)
        defer { store.close() }
        let call = OperationCall(action, arguments: [Self.decimal("7.5")])
        #expect(try store.write { try $0.perform(call) } == OperationResult(rowsAffected: 4))
        #expect(try published.run("SELECT count(*) FROM products WHERE price = 7.5").contains("3"))
    }

    @Test func `a function whose SQL changes the database is refused, at once or when it is called`() throws {
        let published = try Published(Self.schema)
        let number = OperationType(.primitive(.int32))
        let plain = #expect(throws: StorageError.self) {
            _ = try open(published, Self.sql(.function, gives: number, "DELETE FROM products RETURNING id"))
        }
        #expect(plain?.message.hasPrefix("The function Try cannot be used: PostgreSQL refuses its SQL: ") == true)
        let hidden = Self.sql(.function, gives: number, "SELECT id FROM add_product('x')")
        let store = try open(published, hidden)
        defer { store.close() }
        let called = #expect(throws: StorageError.self) { _ = try store.read { try $0.call(OperationCall(hidden)) } }
        let wanted =
            "The function Try cannot be used: a function only reads, and this one changes the database: make it an action."
        #expect(called?.message == wanted)
        // Also where the transaction may write, which goes on after it.
        try store.write { writer in
            let error = #expect(throws: StorageError.self) { _ = try writer.call(OperationCall(hidden)) }
            #expect(error?.message == wanted)
            let set = try #require(store.model[set: "products"])
            #expect(try writer.delete(Key([.integer(4)]), in: set))
        }
        #expect(try published.run("SELECT count(*) FROM products").contains("3"))
    }

    @Test func `SQL and routines that cannot be prepared are refused by the operation's name`() throws {
        let published = try Published(Self.schema)
        func refusal(_ operation: EdmOperation) -> String? {
            #expect(throws: StorageError.self) { _ = try open(published, operation) }?.message
        }
        #expect(
            refusal(Self.sql(.action, [], "SELECT * FROM nothing"))
                == "The action Try cannot be used: PostgreSQL refuses its SQL: relation \"nothing\" does not exist."
        )
        var routine = Self.sql(.function, gives: OperationType(.primitive(.decimal)), "")
        routine.body = .routine("total", isProcedure: false)
        #expect(
            refusal(routine)
                == "The function Try cannot be used: the database has no function total, or several, which the types of their arguments tell apart."
        )
        routine.body = .routine("total(integer)", isProcedure: false)
        #expect(
            refusal(routine)
                == "The function Try cannot be used: the argument g of total has no default and no parameter."
        )
    }
}
