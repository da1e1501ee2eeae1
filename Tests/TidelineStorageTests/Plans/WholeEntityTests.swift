// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

/// Which plans are those of one whole entity.
struct WholeEntityTests {
    private static func property(_ name: String, _ type: PrimitiveType, _ storage: StorageForm = .native) -> Property {
        var property = Property(names: Names(wire: name, database: name), type: type)
        property.storage = storage
        return property
    }

    private static func set(_ properties: [Property], key: [Int]) -> EntitySet {
        EntitySet(
            names: Names(wire: "Things", database: "things"),
            type: EntityType(names: Names(wire: "Thing", database: "things"), properties: properties, key: key)
        )
    }

    private static let pairs = set(
        [property("A", .int32), property("B", .string), property("C", .int32)],
        key: [1, 0]
    )

    private static func equal(_ place: Int, _ value: Value, _ type: PrimitiveType) -> TypedExpression {
        TypedExpression(
            node: .binary(
                .equal,
                TypedExpression(node: .path(.init(property: place)), type: type),
                TypedExpression(node: .literal(value), type: type)
            ),
            type: .boolean
        )
    }

    private static func both(_ name: Expression.BinaryOperator, _ left: TypedExpression, _ right: TypedExpression)
        -> TypedExpression
    {
        TypedExpression(node: .binary(name, left, right), type: .boolean)
    }

    private static let number = equal(0, .integer(7), .int32)
    private static let text = equal(1, .string("x"), .string)

    private static func plan(of set: EntitySet = pairs, _ filter: TypedExpression?) -> ReadPlan {
        let model = EntityModel(namespace: "Shop", sets: [set])
        return ReadPlan(model: model, set: set, filter: filter, top: 1)
    }

    @Test func `the parts of a key may stand in any order; the key has its own`() {
        let key = Key([.string("x"), .integer(7)])
        #expect(Self.plan(Self.both(.and, Self.number, Self.text)).wholeEntity == key)
        #expect(Self.plan(Self.both(.and, Self.text, Self.number)).wholeEntity == key)
    }

    @Test(arguments: [
        nil, number, text, both(.or, number, text), both(.and, number, number),
        both(.and, both(.and, number, text), number),
        both(.and, both(.and, number, text), equal(2, .integer(1), .int32)),
        both(.and, number, both(.greaterThan, text, text)), both(.and, number, equal(1, .null, .string)),
    ])
    func `a condition that asks for anything else is none of one key`(filter: TypedExpression?) {
        #expect(Self.plan(filter).wholeEntity == nil)
    }

    @Test func `a plan that asks for anything else is none of a whole entity`() {
        let whole = Self.plan(Self.both(.and, Self.number, Self.text))
        let changes: [(inout ReadPlan) -> Void] = [
            { $0.top = nil }, { $0.top = 0 }, { $0.skip = 1 }, { $0.after = [.integer(1)] }, { $0.columns = [0, 1] },
            { $0.columns = [1, 0, 2] }, { $0.includesETag = false }, { $0.computed = [Self.number] },
            { $0.orderBy = [.init(Self.number)] }, { $0.restriction = SQLFragment("1") },
            { $0.conditions = [SQLText("1", [])] },
        ]
        for (place, change) in changes.enumerated() {
            var plan = whole
            change(&plan)
            #expect(plan.wholeEntity == nil, "change \(place)")
        }
        #expect(whole.wholeEntity != nil)
    }

    @Test func `only keys that a column holds in one form are those of a whole entity`() throws {
        let guid = Value.guid(try #require(GUID("0f8fad5b-d9cb-469f-a165-70867728950e")))
        let forms: [(Property, Value, Bool)] = [
            (Self.property("K", .guid), guid, true), (Self.property("K", .guid, .guidBlob), guid, true),
            (Self.property("K", .int64), .integer(1), true), (Self.property("K", .string), .string("a"), true),
            (Self.property("K", .int32, .memberName), .integer(1), false),
            (Self.property("K", .decimal), .decimal(EdmDecimal(coefficient: 1, scale: 0)), false),
            (Self.property("K", .double), .double(1), false), (Self.property("K", .boolean), .boolean(true), false),
        ]
        for (property, value, isWhole) in forms {
            let set = Self.set([property], key: [0])
            let key = Self.plan(of: set, Self.equal(0, value, property.type)).wholeEntity
            #expect(key == (isWhole ? Key([value]) : nil), "\(property.type) \(property.storage)")
        }
    }
}
