// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@testable import TidelinePostgres

/// Functions of PostgreSQL inside filters and orders.
@Suite(.enabled(if: PostgresCluster.isAvailable, PostgresCluster.advice), .ownThread)
struct FunctionExpressionTests {
    private static let schema = """
        CREATE TABLE products(id int PRIMARY KEY, name text NOT NULL, grp int NOT NULL, price numeric(10,2), made date);
        INSERT INTO products VALUES (1, 'Case', 1, 69, '2024-01-01'), (2, 'Disk', 2, 79.5, '2024-02-01'),
            (3, 'Mouse', 1, 12, NULL), (4, 'Pad', 1, NULL, '2024-02-01');
        CREATE FUNCTION total(g int) RETURNS numeric LANGUAGE sql STABLE
            AS 'SELECT sum(price) FROM products WHERE grp = g';
        CREATE FUNCTION total(g int, lowest numeric) RETURNS numeric LANGUAGE sql STABLE
            AS 'SELECT sum(price) FROM products WHERE grp = g AND price >= lowest';
        CREATE FUNCTION cheap(below numeric) RETURNS SETOF products LANGUAGE sql STABLE
            AS 'SELECT * FROM products WHERE price < below';
        CREATE FUNCTION words(t text) RETURNS text[] LANGUAGE sql IMMUTABLE AS 'SELECT ARRAY[t, upper(t)]';
        CREATE FUNCTION days(a date) RETURNS int LANGUAGE sql STABLE AS 'SELECT count(*)::int FROM products WHERE made = a';
        """

    private func operation(
        _ name: String,
        gives type: OperationType,
        isCollection: Bool = false,
        _ sql: String
    ) -> EdmOperation {
        EdmOperation(
            names: Names(wire: name),
            kind: .function,
            binding: OperationBinding(set: "products", isCollection: isCollection),
            returnType: type,
            isComposable: true,
            body: .sql(sqlite: nil, postgres: sql)
        )
    }

    private func store() throws -> PostgresStore {
        let published = try Published(Self.schema)
        var model = published.model
        for place in model.operations.indices { model.operations[place].isComposable = true }
        model.operations += [
            operation(
                "Twice",
                gives: OperationType(.primitive(.decimal)),
                "SELECT price * 2 FROM products AS t0 WHERE t0.id = :id -- its own t0"
            ),
            operation(
                "Others",
                gives: OperationType(.entity(set: "products"), isCollection: true, isNullable: false),
                "SELECT id FROM products WHERE id <> :id"
            ),
            operation(
                "Highest",
                gives: OperationType(.primitive(.decimal)),
                isCollection: true,
                "SELECT max(price) FROM products WHERE id IN (SELECT e.value::int FROM json_array_elements_text(:keys::json) AS e)"
            ),
        ]
        return try PostgresStore(conninfo: published.conninfo, model: model, options: .init(maximumConnections: 2))
    }

    private func rows(_ store: PostgresStore, _ filter: String, orderBy: String? = nil) throws -> [Int] {
        let set = try #require(store.model[set: "products"])
        var checker = ExpressionChecker(model: store.model, set: set)
        checker.mayCall = { _ throws(ExpressionError) in }
        var plan = ReadPlan(
            model: store.model,
            set: set,
            filter: try checker.condition(ExpressionParser.parse(filter)),
            columns: [0],
            includesETag: false
        )
        if let orderBy {
            plan.orderBy = [ReadPlan.SortKey(try checker.check(ExpressionParser.parse(orderBy)), isDescending: true)]
        }
        let recorder = RowRecorder()
        _ = try store.read { try $0.read(plan, into: recorder) }
        // In a transaction that writes it is the same, and writes nothing.
        let again = RowRecorder()
        _ = try store.write { try $0.read(plan, into: again) }
        #expect(again.lines == recorder.lines)
        return recorder.lines.compactMap { Int($0) }
    }

    @Test(arguments: [
        ("total(g=grp) gt 80", [1, 3, 4]),
        ("total(g=1,lowest=price) eq 69", [1]),
        ("total(g=grp) eq price", [2]),
        ("total(g=9) eq null and id eq 1", [1]),
        ("cheap(below=50)/any(c:c/id eq $it/id)", [3]),
        ("cheap(below=price)/$count eq 1", [1]),
        ("words(t=name)/1 eq 'CASE'", [1]),
        ("words(t='x')/$count eq id", [2]),
        ("toupper(name) in words(t='pad')", [4]),
        ("days(a=made) eq 2", [2, 4]),
        ("days(a=2024-01-01) eq id", [1]),
        ("Twice() gt 100", [1, 2]),
        ("Twice() eq null", [4]),
        ("$root/products(2)/Twice() eq 159 and id eq 1", [1]),
        ("Others()/any(o:o/price gt 75)", [1, 3, 4]),
        ("Others()/aggregate(id with sum) eq 9", [1]),
        ("$root/products/$filter(id lt id add 1 and id ne 2)/Highest() eq price", [1]),
    ])
    func `a function is a part of the statement`(_ filter: String, _ expected: [Int]) throws {
        let store = try store()
        defer { store.close() }
        #expect(try rows(store, filter) == expected)
    }

    @Test func `a function orders`() throws {
        let store = try store()
        defer { store.close() }
        #expect(try rows(store, "id gt 0", orderBy: "Twice()") == [2, 1, 3, 4])
    }
}
