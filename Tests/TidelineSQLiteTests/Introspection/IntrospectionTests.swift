// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage
import TidelineTestSupport

struct IntrospectionTests {
    private func scan(_ sql: String, viewKeys: [String: [String]] = [:]) throws -> Introspection {
        let scratch = try Scratch(sql)
        defer { withExtendedLifetime(scratch) {} }
        return try SQLiteIntrospection.scan(path: scratch.path, namespace: "Test", viewKeys: viewKeys)
    }

    /// A type as `Edm.Decimal(10,2) native?`: its form, `?` where it is nullable.
    private func text(_ property: Property) -> String {
        let facets = [property.maxLength, property.precision, property.scale].compactMap { $0.map(String.init) }
        return property.type.rawValue.dropFirst(4) + (facets.isEmpty ? "" : "(\(facets.joined(separator: ",")))")
            + (property.storage == .native ? "" : " \(property.storage.rawValue)") + (property.isNullable ? "?" : "")
    }

    @Test func `a column that cannot be published is left out where that is asked for`() throws {
        let scratch = try Scratch(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a DATE, b TEXT); INSERT INTO t VALUES (1, 'soon', 'x'), (2, 7, 'y')"
        )
        func scan(_ skipping: Set<String>) throws -> Introspection {
            try SQLiteIntrospection.scan(path: scratch.path, namespace: "Test", skipping: skipping)
        }
        #expect(try scan([]).model[set: "t"] == nil)
        let found = try scan(["t.a"])
        #expect(found.model[set: "t"]?.type.properties.map(\.names.wire) == ["id", "b"])
        #expect(found.problems == [])
    }

    @Test(
        arguments: [
            ("INTEGER", "1", "Int64?"), ("INTEGER", "5000000000", "Int64?"), ("INT", nil, "Int32?"),
            ("BIGINT", "1", "Int64?"),
            ("SMALLINT", "1", "Int16?"), ("SMALLINT", "70000", "Int32?"), ("TINYINT", "255", "Byte?"),
            ("INTEGER", "1.5", "Double?"),
            ("REAL", "1", "Double?"), ("DOUBLE", "1.5", "Double?"),
            ("DECIMAL(10,2)", "1.25", "Decimal(10,2)?"), ("DECIMAL(10,2)", "1.2525", "Decimal(12,4)?"),
            ("DECIMAL(19,4)", nil, "Decimal(19,4)?"), ("NUMERIC", "1.5", "Decimal?"),
            ("MONEY", "0.1 + 0.2", "Decimal?"),
            ("DECIMAL_TEXT(38,10)", "'12345678901234567890.5'", "Decimal(38,10) decimal-text?"),
            ("BOOLEAN", "1", "Boolean?"), ("BOOLEAN", "2", "Int32?"), ("BOOL TEXT", "'true'", "Boolean boolean-text?"),
            ("VARCHAR(10)", "'abc'", "String(10)?"), ("VARCHAR(2)", "'abc'", "String?"), ("TEXT", nil, "String?"),
            ("BLOB", "x'00'", "Binary?"), ("", "1", "Int64?"), ("", "'x'", "String?"),
            ("UUID", "'0123abcd-4567-89ef-0000-00000000000a'", "Guid?"),
            ("UUID", "'0123ABCD-4567-89EF-0000-00000000000A'", "Guid guid-upper?"),
            ("GUID", "x'0123abcd456789ef000000000000000a'", "Guid guid-blob?"),
            ("DATE", "'2024-02-29'", "Date?"), ("DATE", "86400", "Date unix-seconds?"), ("DATE", nil, "Date?"),
            ("DATETIME", "'1996-07-04 00:00:00'", "DateTimeOffset(0) sql-text?"),
            ("DATETIME", "'1996-07-04T00:00:00.125Z'", "DateTimeOffset(3)?"),
            ("DATETIME", "'1996-07-04'", "Date?"), ("TIMESTAMP", "1700000000", "DateTimeOffset(0) unix-seconds?"),
            ("TIMESTAMP", "1700000000123", "DateTimeOffset(3) unix-milliseconds?"),
            ("DATETIME", "2460000.25", "DateTimeOffset(3) julian-day?"), ("DATETIME", "'yesterday'", "String?"),
            ("TIME", "'13:05:09'", "TimeOfDay(0)?"),
        ] as [(String, String?, String)]
    )
    func `a column's type is chosen by what is declared and by what is there`(
        declared: String,
        value: String?,
        type: String
    ) throws {
        let insert = value.map { "INSERT INTO t VALUES (1, \($0));" } ?? ""
        let found = try scan("CREATE TABLE t(id INTEGER PRIMARY KEY, c \(declared)); \(insert)")
        let property = try #require(found.model[set: "t"]?.type.properties.last)
        #expect(text(property) == type)
    }

    @Test func `text columns become dates or GUIDs only where their names say so too`() throws {
        let found = try scan(
            """
            CREATE TABLE t(id TEXT PRIMARY KEY, note TEXT, created_at TEXT, birth_date TEXT, when_seen TEXT);
            INSERT INTO t VALUES ('0123abcd-4567-89ef-0000-00000000000a', '2020-01-01', '2020-01-01T10:00:00Z', '2020-01-01', '2020-01-01');
            """
        )
        #expect(
            found.model[set: "t"]?.type.properties.map(text) == [
                "Guid", "String?", "DateTimeOffset(0)?", "Date?", "String?",
            ]
        )
    }

    @Test(
        arguments: [
            ("TIME", "'12:00:00'", "'14:30:00'", "TimeOfDay(0)"), ("TIME", "'12:00:00'", "'14:30'", "String"),
            ("TIME", "'12:00:00'", "'14:30:00.5'", "String"),
            ("DATETIME", "'2020-01-01 00:00:00'", "'2021-01-01 00:00:00'", "DateTimeOffset(0) sql-text"),
            ("DATETIME", "'2020-01-01 00:00:00'", "'2020-01-01 00:00:00.50'", "String"),
            ("DATETIME", "'2020-01-01T00:00:00Z'", "'2020-01-01T10:00Z'", "String"),
            ("DECIMAL_TEXT(10,2)", "'1.5'", "'2.5'", "Decimal(10,2) decimal-text"),
            ("DECIMAL_TEXT(10,2)", "'1.5'", "'2.50'", "String"),
            ("GUID", "'0123abcd-4567-89ef-0000-00000000000a'", "'0123ABCD-4567-89EF-0000-00000000000B'", "String"),
        ]
    )
    func `a key whose texts are of several forms is a string`(
        declared: String,
        one: String,
        other: String,
        type: String
    ) throws {
        let found = try scan(
            "CREATE TABLE t(c \(declared) NOT NULL PRIMARY KEY, n INT); INSERT INTO t VALUES (\(one), 1), (\(other), 2)"
        )
        let property = try #require(found.model[set: "t"]?.type.properties.first)
        #expect(text(property) == type)
    }

    @Test func `keys, generation, defaults and unique keys are found`() throws {
        let found = try scan(
            """
            CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT, n INT DEFAULT -5, t TEXT DEFAULT 'it''s', b BOOLEAN DEFAULT TRUE,
                at DATETIME DEFAULT CURRENT_TIMESTAMP, twice INT GENERATED ALWAYS AS (n * 2), d DECIMAL(5,2) DEFAULT 1.5);
            CREATE UNIQUE INDEX auto_t ON auto(t); CREATE UNIQUE INDEX auto_part ON auto(n) WHERE n > 0;
            CREATE UNIQUE INDEX auto_expr ON auto(lower(t));
            CREATE TABLE pair(b INT, a INT, PRIMARY KEY(a, b)) WITHOUT ROWID;
            CREATE TABLE bykey(code TEXT NOT NULL UNIQUE, x);
            """
        )
        let auto = try #require(found.model[set: "auto"]?.type)
        #expect(auto.properties.map(\.generation) == [.onInsert, .none, .none, .none, .onInsert, .always, .none])
        #expect(
            auto.properties.map(\.defaultValue) == [
                nil, .integer(-5), .string("it's"), .boolean(true), nil, nil,
                .decimal(EdmDecimal(coefficient: 15, scale: 1)),
            ]
        )
        #expect(auto.uniqueKeys == [[2]])
        #expect(found.model[set: "pair"]?.type.key == [1, 0])
        #expect(found.model[set: "pair"]?.type.hasGeneratedKey == false)
        #expect(found.model[set: "bykey"]?.type.key == [0])
    }

    @Test func `names become identifiers, each once whatever the case`() throws {
        let found = try scan(
            """
            CREATE TABLE "Order Details"("Order ID" INTEGER PRIMARY KEY, "1st" TEXT, "a-b" TEXT, a_b TEXT, "größe" TEXT);
            CREATE TABLE order_details(id INTEGER PRIMARY KEY); CREATE TABLE "order-details"(id INTEGER PRIMARY KEY);
            CREATE TABLE categories(id INTEGER PRIMARY KEY); CREATE TABLE Containers(id INTEGER PRIMARY KEY);
            """
        )
        #expect(
            found.model.sets.map(\.names.wire).sorted() == [
                "Containers", "Order_Details", "categories", "order_details_2", "order_details_3",
            ]
        )
        let details = try #require(found.model[set: "Order_Details"])
        #expect(details.names.database == "Order Details")
        #expect(details.type.properties.map(\.names.wire) == ["Order_ID", "_1st", "a_b", "a_b_2", "größe"])
        #expect(details.type.properties.map(\.names.database) == ["Order ID", "1st", "a-b", "a_b", "größe"])
        #expect(found.model[set: "categories"]?.type.names.wire == "category")
        #expect(found.model[set: "Containers"]?.type.names.wire == "Container_2")
    }

    @Test(.covers("DA-22")) func `foreign keys become navigation properties both ways`() throws {
        let found = try scan(
            """
            CREATE TABLE Customers(CustomerID TEXT PRIMARY KEY);
            CREATE TABLE Employees(EmployeeID INTEGER PRIMARY KEY, ReportsTo INT REFERENCES Employees(EmployeeID) ON DELETE SET NULL);
            CREATE TABLE Orders(OrderID INTEGER PRIMARY KEY, CustomerID TEXT NOT NULL REFERENCES Customers,
                EmployeeID BIGINT REFERENCES Employees(EmployeeID) ON DELETE CASCADE, Checker INT REFERENCES Employees(EmployeeID));
            CREATE TABLE Extras(OrderID INTEGER PRIMARY KEY REFERENCES Orders(OrderID));
            """
        )
        func lines(_ set: String) -> [String] {
            found.model[set: set]?.type.navigationProperties.map {
                "\($0.names.wire) -> \($0.targetSet)\($0.isCollection ? "*" : $0.isNullable ? "?" : "") \($0.onDelete.rawValue) \($0.partner ?? "")"
            } ?? []
        }
        #expect(
            lines("Orders") == [
                "Extra -> Extras? None Order", "Customer -> Customers None Orders",
                "Employee -> Employees? Cascade OrdersByEmployee", "CheckerRef -> Employees? None OrdersByCheckerRef",
            ]
        )
        #expect(lines("Customers") == ["Orders -> Orders* None Customer"])
        #expect(lines("Employees").contains("OrdersByEmployee -> Orders* Cascade Employee"))
        let employees = try #require(found.model[set: "Employees"]?.type)
        // The key of a bigger foreign key is as wide as it.
        #expect(employees.properties.map(\.type) == [.int64, .int64])
        let orders = try #require(found.model[set: "Orders"]?.type)
        #expect(
            orders.navigationProperties.allSatisfy { navigation in
                orders.propertyIndex(wire: navigation.names.wire) == nil
            }
        )
        let back = try #require(employees.navigationProperties.first { $0.names.wire == "OrdersByEmployee" })
        #expect(back.constraints == [.init(source: 0, target: 2)])
    }

    @Test func `a view is published by the key that is given, when it is one`() throws {
        let sql =
            "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT); INSERT INTO t VALUES (1, 1), (2, 1); CREATE VIEW v AS SELECT * FROM t;"
        let good = try scan(sql, viewKeys: ["v": ["id"]])
        #expect(good.model[set: "v"]?.isReadOnly == true)
        #expect(good.model[set: "v"]?.type.key == [0])
        let bad = try scan(sql, viewKeys: ["v": ["g"]])
        #expect(bad.refusals.map(\.message) == ["The view v has 1 keys (g) more than once."])
        let none = try scan(sql, viewKeys: ["v": ["nope"], "w": ["x"]])
        #expect(
            none.refusals.map(\.message) == [
                "The view v has no column nope, which was given as its key.",
                "A key is given for the view w, but there is no such view.",
            ]
        )
    }
}
