// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

/// What a path to a calculated property stands for; which rows it selects, the table of cases shows on each store.
struct CalculatedPropertyTests {
    private static func calculated(
        _ name: String,
        _ type: PrimitiveType,
        _ expression: Expression
    ) -> CalculatedProperty {
        CalculatedProperty(names: Names(wire: name), type: type, expression: expression)
    }

    /// Orders of a client, each with lines; the calculated properties are those given.
    private static func checker(_ orders: [CalculatedProperty], lines: [CalculatedProperty] = []) -> ExpressionChecker {
        var order = EntityType(
            names: Names(wire: "Order"),
            properties: [
                Property(names: Names(wire: "Id"), type: .int32),
                Property(names: Names(wire: "Total"), type: .int32, isNullable: true),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Lines"),
                    targetSet: "Lines",
                    isCollection: true,
                    isDependent: false,
                    constraints: [.init(source: 0, target: 1)]
                )
            ]
        )
        order.calculatedProperties = orders
        var line = EntityType(
            names: Names(wire: "Line"),
            properties: [
                Property(names: Names(wire: "Id"), type: .int32), Property(names: Names(wire: "OrderId"), type: .int32),
            ],
            key: [0],
            navigationProperties: [
                NavigationProperty(
                    names: Names(wire: "Order"),
                    targetSet: "Orders",
                    isCollection: false,
                    isDependent: true,
                    constraints: [.init(source: 1, target: 0)]
                )
            ]
        )
        line.calculatedProperties = lines
        let sets = [
            EntitySet(names: Names(wire: "Orders"), type: order), EntitySet(names: Names(wire: "Lines"), type: line),
        ]
        return ExpressionChecker(model: EntityModel(namespace: "Test", sets: sets), set: sets[lines.isEmpty ? 0 : 1])
    }

    @Test func `a path to a calculated property is its expression`() throws {
        let twice = Expression.binary(.mul, .path(["Total"]), .literal(.integer(2)))
        let checker = Self.checker([Self.calculated("Twice", .int64, twice)])
        #expect(try checker.check(.path(["Twice"])) == checker.check(twice))
    }

    @Test func `behind a navigation property it is a path from there`() throws {
        let checker = Self.checker([], lines: [Self.calculated("OrderTotal", .int32, .path(["Order", "Total"]))])
        let value = try checker.check(.path(["OrderTotal"]))
        #expect(value == TypedExpression(node: .path(.init(navigations: [0], property: 1)), type: .int32))
    }

    @Test func `where no entity is reached the value is null`() throws {
        let checker = Self.checker(
            [Self.calculated("LineCount", .int64, .count(of: ["Lines"], filter: nil, search: nil))],
            lines: [Self.calculated("Siblings", .int64, .path(["Order", "LineCount"]))]
        )
        let key = TypedExpression(node: .path(.init(navigations: [0], property: 0)), type: .int32)
        let isThere = TypedExpression(
            node: .binary(.notEqual, key, TypedExpression(node: .literal(.null), type: nil)),
            type: .boolean
        )
        let count = TypedExpression(node: .count(.entities(.init(navigations: [0, 0])), nil), type: .int64)
        #expect(
            try checker.check(.path(["Siblings"]))
                == TypedExpression(node: .conditional([.init(condition: isThere, value: count)]), type: .int64)
        )
    }

    @Test func `what is made of itself is told with its way`() {
        let checker = Self.checker([
            Self.calculated("A", .int32, .path(["B"])), Self.calculated("B", .int32, .path(["C"])),
            Self.calculated("C", .int32, .path(["B"])),
        ])
        #expect(
            throws: ExpressionError(
                .invalidPath,
                message:
                    "The calculated property 'B' of Orders is made of itself: Orders/B, then Orders/C, then Orders/B.",
                target: "B"
            )
        ) { try checker.check(.path(["A"])) }
    }

    @Test func `the same property twice is no circle`() throws {
        let sum = Expression.binary(.add, .path(["Twice"]), .path(["Twice"]))
        let checker = Self.checker([
            Self.calculated("Twice", .int64, .binary(.mul, .path(["Total"]), .literal(.integer(2)))),
            Self.calculated("Four", .int64, sum),
        ])
        #expect(try checker.check(.path(["Four"])) == checker.check(sum))
    }

    @Test func `the declared type is the type`() throws {
        let checker = Self.checker([
            Self.calculated("Exact", .decimal, .path(["Total"])), Self.calculated("Real", .double, .path(["Total"])),
            Self.calculated("Text", .string, .path(["Total"])), Self.calculated("None", .guid, .literal(.null)),
        ])
        let total = try checker.check(.path(["Total"]))
        #expect(
            try checker.check(.path(["Exact"])) == TypedExpression(node: .promote(total), type: .decimal)
        )
        #expect(try checker.check(.path(["Real"])) == TypedExpression(node: .promote(total), type: .double))
        #expect(try checker.check(.path(["None"])) == TypedExpression(node: .literal(.null), type: .guid))
        #expect(
            throws: ExpressionError(
                .wrongType,
                message: "The calculated property 'Text' of Orders is Edm.String, but its expression is Edm.Int32.",
                target: "Text"
            )
        ) { try checker.check(.path(["Text"])) }
    }

    @Test func `what each doubles stays within the limits of an expression`() {
        // P0 is Total, and each of the others is the one before added to itself: 2 to the power of 40 parts.
        var properties = [Self.calculated("P0", .int64, .path(["Total"]))]
        for number in 1...40 {
            let before = Expression.path(["P\(number - 1)"])
            properties.append(Self.calculated("P\(number)", .int64, .binary(.add, before, before)))
        }
        let error = #expect(throws: ExpressionError.self) { try Self.checker(properties).check(.path(["P40"])) }
        #expect(error?.code == .tooDeep)
    }

    @Test func `a chain of many stays within the levels of an expression`() throws {
        var properties = [Self.calculated("P0", .int32, .path(["Total"]))]
        for number in 1...400 { properties.append(Self.calculated("P\(number)", .int32, .path(["P\(number - 1)"]))) }
        let checker = Self.checker(properties)
        #expect(try checker.check(.path(["P100"])) == checker.check(.path(["Total"])))
        let error = #expect(throws: ExpressionError.self) { try checker.check(.path(["P400"])) }
        #expect(error?.code == .tooDeep)
    }

    @Test func `computed names of the request do not reach into the expression`() throws {
        var checker = Self.checker([Self.calculated("Own", .int32, .path(["Total"]))])
        checker.computed = ["Total": TypedExpression(node: .literal(.integer(7)), type: .int64)]
        let own = TypedExpression(node: .path(.init(property: 1)), type: .int32)
        #expect(try checker.check(.path(["Own"])) == own)
        #expect(try checker.check(.path(["Total"])).node == .literal(.integer(7)))
    }
}
