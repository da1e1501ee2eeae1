// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The functions and actions of `pctrade`.
enum PCTradeOperations {
    /// Adds the operations, and the complex types of their results.
    static func add(to model: inout EntityModel) {
        let rows = Property(names: Names(wire: "rowsAffected"), type: .int32, isNullable: false)
        model.complexTypes += [
            ComplexType(names: Names(wire: "Insert_BPWorkersResult"), properties: [rows]),
            ComplexType(
                names: Names(wire: "TestStoredProcedureResult"),
                properties: [
                    rows, Property(names: Names(wire: "RETURN_VALUE"), type: .int32),
                    Property(names: Names(wire: "count"), type: .int32),
                    Property(names: Names(wire: "name"), type: .string, maxLength: 255),
                ]
            ),
        ]
        model.operations += [insertWorker, testProcedure, productsOfGroup]
    }

    private static func parameter(
        _ name: String,
        _ type: PrimitiveType,
        maxLength: Int? = nil,
        isNullable: Bool = false,
        defaultValue: Value? = nil
    ) -> OperationParameter {
        OperationParameter(
            names: Names(wire: name),
            type: OperationType(.primitive(type), isNullable: isNullable, maxLength: maxLength),
            isOptional: defaultValue != nil,
            defaultValue: defaultValue
        )
    }

    private static func action(
        _ name: String,
        _ parameters: [OperationParameter],
        _ sql: String,
        _ description: String
    ) -> EdmOperation {
        var action = EdmOperation(
            names: Names(wire: name),
            kind: .action,
            parameters: parameters,
            returnType: OperationType(.complex("\(name)Result"), isNullable: false),
            imports: [OperationImport(name)],
            body: .sql(sqlite: sql, postgres: nil),
            description: description
        )
        action.rowsAffectedProperty = "rowsAffected"
        return action
    }

    private static let insertWorker = action(
        "Insert_BPWorkers",
        [
            parameter("FirstName", .string, maxLength: 50), parameter("LastName", .string, maxLength: 50),
            parameter("Phone", .string, maxLength: 30, isNullable: true),
            parameter("BirthDate", .date, isNullable: true),
            parameter("Position", .string, maxLength: 50),
        ],
        """
        INSERT INTO Workers (FirstName, LastName, Phone, BirthDate, Position)
        VALUES (:FirstName, :LastName, :Phone, :BirthDate, :Position)

        """,
        "Adds a worker"
    )

    private static let testProcedure = action(
        "TestStoredProcedure",
        [parameter("groupId", .int32, defaultValue: .integer(0))],
        """
        SELECT 157 AS RETURN_VALUE,
            (SELECT count(*) FROM Products WHERE GroupId = :groupId) AS count,
            (SELECT Name FROM Products WHERE GroupId = :groupId ORDER BY ProductId LIMIT 1) AS name

        """,
        "The number of products of a group, and the first of them"
    )

    private static let productsOfGroup = EdmOperation(
        names: Names(wire: "ProductsOfGroup"),
        kind: .function,
        parameters: [parameter("groupId", .int32)],
        returnType: OperationType(.entity(set: "Products"), isCollection: true, isNullable: false),
        isComposable: true,
        imports: [OperationImport("ProductsOfGroup")],
        body: .sql(sqlite: "SELECT ProductId FROM Products WHERE GroupId = :groupId", postgres: nil),
        description: "The products of a group"
    )
}
