// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

@testable import TidelineService

/// The operations that tests call over the tables of ``Shop``.
enum Counter {
    private static func type(
        _ primitive: PrimitiveType,
        isCollection: Bool = false,
        isNullable: Bool = false
    ) -> OperationType {
        OperationType(.primitive(primitive), isCollection: isCollection, isNullable: isNullable)
    }

    private static func parameter(
        _ name: String,
        _ type: OperationType,
        isOptional: Bool = false,
        defaultValue: Value? = nil
    ) -> OperationParameter {
        OperationParameter(
            names: Names(wire: name),
            type: type,
            isOptional: isOptional,
            defaultValue: defaultValue
        )
    }

    private static func operation(
        _ name: String,
        _ kind: EdmOperation.Kind,
        _ parameters: [OperationParameter] = [],
        gives type: OperationType? = nil,
        on binding: OperationBinding? = nil,
        isComposable: Bool = false,
        isListed: Bool = false,
        _ sql: String
    ) -> EdmOperation {
        EdmOperation(
            names: Names(wire: name),
            kind: kind,
            binding: binding,
            parameters: parameters,
            returnType: type,
            isComposable: isComposable,
            imports: binding == nil ? [OperationImport(name, isInServiceDocument: isListed)] : [],
            body: .sql(sqlite: sql, postgres: nil)
        )
    }

    private static let order = OperationType(.entity(set: "Orders"), isNullable: true)
    private static let orders = OperationType(.entity(set: "Orders"), isCollection: true, isNullable: false)
    private static let mood = OperationType(.enumeration("Mood"), isNullable: true)
    private static let onOrder = OperationBinding(name: "order", set: "Orders")
    private static let onOrders = OperationBinding(name: "orders", set: "Orders", isCollection: true)

    static let functions = [
        operation("Sum", .function, gives: type(.int64), "SELECT sum(Total) FROM Orders"),
        operation(
            "SumOf",
            .function,
            [parameter("clientId", type(.int32))],
            gives: type(.int64, isNullable: true),
            "SELECT sum(Total) FROM Orders WHERE ClientId = :clientId"
        ),
        operation(
            "Top",
            .function,
            [parameter("count", type(.int32))],
            gives: orders,
            isComposable: true,
            "SELECT OrderId FROM Orders ORDER BY Total DESC LIMIT :count"
        ),
        operation(
            "Top",
            .function,
            [parameter("count", type(.int32)), parameter("least", type(.int64))],
            gives: orders,
            isComposable: true,
            "SELECT OrderId FROM Orders WHERE Total >= :least ORDER BY Total DESC LIMIT :count"
        ),
        operation(
            "Largest",
            .function,
            gives: order,
            isListed: true,
            "SELECT OrderId FROM Orders ORDER BY Total DESC LIMIT 1"
        ),
        operation(
            "Find",
            .function,
            [parameter("title", type(.string))],
            gives: order,
            isComposable: true,
            "SELECT OrderId FROM Orders WHERE Title = :title"
        ),
        operation(
            "Echo",
            .function,
            [parameter("text", type(.string))],
            gives: type(.string),
            "SELECT :text"
        ),
        operation(
            "Words",
            .function,
            [
                parameter("list", type(.string, isCollection: true)),
                parameter("suffix", type(.string), isOptional: true, defaultValue: .string("!")),
            ],
            gives: type(.string, isCollection: true),
            isComposable: true,
            "SELECT value || :suffix FROM json_each(:list)"
        ),
        operation(
            "MoodOf",
            .function,
            [parameter("mood", mood)],
            gives: mood,
            isComposable: true,
            "SELECT :mood"
        ),
        operation(
            "Summary",
            .function,
            [parameter("of", OperationType(.complex("Span"), isNullable: true), isOptional: true)],
            gives: OperationType(.complex("Result"), isNullable: false),
            isComposable: true,
            """
            SELECT count(*) AS Count, sum(Total) AS Sum, 1 AS Mood FROM Orders
            WHERE :of IS NULL OR Total BETWEEN json_extract(:of, '$.From') AND json_extract(:of, '$.To')
            """
        ),
        operation(
            "Summaries",
            .function,
            gives: OperationType(.complex("Result"), isCollection: true, isNullable: false),
            isComposable: true,
            "SELECT 1 AS Count, Total AS Sum, NULL AS Mood FROM Orders WHERE ClientId IS NOT NULL ORDER BY OrderId"
        ),
        operation(
            "Share",
            .function,
            [parameter("percent", type(.int32), isOptional: true, defaultValue: .integer(10))],
            gives: type(.int64),
            on: onOrder,
            "SELECT Total * :percent / 100 FROM Orders WHERE OrderId = :OrderId"
        ),
        operation(
            "Siblings",
            .function,
            gives: orders,
            on: onOrder,
            isComposable: true,
            "SELECT OrderId FROM Orders WHERE OrderId <> :OrderId"
        ),
        operation(
            "Above",
            .function,
            [parameter("least", type(.int64))],
            gives: orders,
            on: onOrders,
            isComposable: true,
            "SELECT OrderId FROM Orders WHERE Total >= :least AND OrderId IN (SELECT value FROM json_each(:keys))"
        ),
        operation(
            "Average",
            .function,
            gives: type(.double, isNullable: true),
            on: onOrders,
            "SELECT avg(Total) FROM Orders"
        ),
    ]

    static let actions: [EdmOperation] = [
        operation("Reset", .action, [], "UPDATE Orders SET Total = 0"),
        operation(
            "Place",
            .action,
            [
                parameter("title", type(.string)),
                parameter("total", type(.int64), isOptional: true, defaultValue: .integer(5)),
                parameter("clientId", type(.int32, isNullable: true)),
            ],
            gives: order,
            """
            INSERT INTO Orders (OrderId, Title, Total, ClientId)
            VALUES ((SELECT max(OrderId) + 1 FROM Orders), :title, :total, :clientId);
            SELECT max(OrderId) AS OrderId FROM Orders
            """
        ),
        operation(
            "Raise",
            .action,
            [parameter("by", type(.int64))],
            gives: order,
            on: onOrder,
            "UPDATE Orders SET Total = Total + :by WHERE OrderId = :OrderId; SELECT :OrderId AS OrderId"
        ),
        operation("Close", .action, on: onOrder, "UPDATE Orders SET Title = 'closed' WHERE OrderId = :OrderId"),
        operation(
            "RaiseAll",
            .action,
            [parameter("by", type(.int64))],
            gives: orders,
            on: onOrders,
            """
            UPDATE Orders SET Total = Total + :by WHERE OrderId IN (SELECT value FROM json_each(:keys));
            SELECT value AS OrderId FROM json_each(:keys)
            """
        ),
        operation(
            "Insert_Worker",
            .action,
            [
                parameter("FirstName", type(.string)), parameter("LastName", type(.string)),
                parameter("Phone", type(.string)), parameter("BirthDate", type(.date)),
                parameter("Position", type(.string)),
            ],
            "INSERT INTO Workers (FirstName, LastName, Phone, BirthDate, Position) VALUES (:FirstName, :LastName, :Phone, :BirthDate, :Position)"
        ),
        stored,
    ]

    /// The procedure of the specification: an input with a default, a return value and two outputs.
    private static var stored: EdmOperation {
        var stored = operation(
            "TestStoredProcedure",
            .action,
            [parameter("groupId", type(.int32), isOptional: true, defaultValue: .integer(0))],
            gives: OperationType(.complex("TestStoredProcedureResult"), isNullable: false),
            """
            SELECT 157 AS RETURN_VALUE, count(*) AS count,
                (SELECT Name FROM Products WHERE GroupId = :groupId ORDER BY ProductId LIMIT 1) AS name
            FROM Products WHERE GroupId = :groupId
            """
        )
        stored.rowsAffectedProperty = "rowsAffected"
        return stored
    }

    static let tables = """
        CREATE TABLE Workers (Id INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Phone TEXT, BirthDate TEXT, Position TEXT);
        CREATE TABLE Products (ProductId INTEGER PRIMARY KEY, GroupId INTEGER, Name TEXT);
        INSERT INTO Products SELECT value, 10, CASE value WHEN 1 THEN 'APC ProtectNet PNET1GB' ELSE 'product ' || value END
            FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 42) SELECT value FROM n);
        """

    /// Adds the operations and their types to a model.
    static func add(to model: inout EntityModel) {
        model.enumerations.append(
            EnumerationType(names: Names(wire: "Mood"), members: [.init("Calm", 1), .init("Wild", 2)])
        )
        var mood = Property(names: Names(wire: "Mood"), type: .int32)
        mood.enumeration = "Mood"
        func number(_ name: String, _ type: PrimitiveType = .int64) -> Property {
            Property(names: Names(wire: name), type: type, isNullable: false)
        }
        model.complexTypes += [
            ComplexType(names: Names(wire: "Result"), properties: [number("Count", .int32), number("Sum"), mood]),
            ComplexType(names: Names(wire: "Span"), properties: [number("From"), number("To")]),
            ComplexType(
                names: Names(wire: "TestStoredProcedureResult"),
                properties: [
                    number("rowsAffected", .int32), number("RETURN_VALUE", .int32), number("count", .int32),
                    Property(names: Names(wire: "name"), type: .string),
                ]
            ),
        ]
        model.operations = functions + actions
    }

    static func shop(
        open: Bool = true,
        policies: [Policy] = Shop.policies,
        limits: ServiceLimits = ServiceLimits(),
        requiresIfMatch: Bool = false
    ) throws -> Shop {
        try Shop(
            open: open,
            policies: policies,
            limits: limits,
            requiresIfMatch: requiresIfMatch,
            adding: tables,
            finishing: add
        )
    }
}
