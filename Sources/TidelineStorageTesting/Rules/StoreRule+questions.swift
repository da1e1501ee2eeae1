// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineStorage

extension StoreRule {
    /// Filters, counts, conditions, guards.
    static let questions: [StoreRule] = [
        StoreRule("a filter selects, paths over references included") { world throws in
            #expect(try world.orders(.compare("Total", .equal, .number("10.50"))) == ["1", "4"])
            #expect(try world.orders(.compare("Number", .notEqual, .string("a"))) == ["2", "3", "4", "5", "6"])
            #expect(try world.orders(.compare("SellerId", .equal, .null)) == ["3", "5"])
            #expect(
                try world.orders(.unary(.not, .compare("SellerId", .greaterThan, .integer(2)))) == [
                    "1", "3", "4", "5", "6",
                ]
            )
            #expect(try world.orders(.compare("Client/Name", .equal, .string("Ann"))) == ["1", "2", "6"])
            #expect(try world.orders(.compare("Client/Rating", .notEqual, .number("4.5"))) == ["3", "4", "5"])
            #expect(try world.orders(.compare("Seller/Boss/Name", .equal, .string("Chief"))) == ["1", "2", "4", "6"])
            #expect(
                try world.orders(.isIn(.names("ClientId"), [.literal(.string("k2")), .literal(.string("k3"))])) == [
                    "3", "5",
                ]
            )
        },
        StoreRule("a filter asks for any, all and the number of related entities, over link rows too") { world throws in
            let item = { (name: Expression.BinaryOperator, path: String, value: Value) -> Expression in
                .binary(name, .path(["i"] + path.split(separator: "/").map(String.init)), .literal(value))
            }
            let asks = { (quantifier: Expression.Quantifier, path: String, condition: Expression?) -> Expression in
                .lambda(quantifier, over: path.split(separator: "/").map(String.init), variable: "i", condition)
            }
            #expect(try world.orders(asks(.any, "Lines", nil)) == ["1", "2", "6"])
            #expect(try world.orders(asks(.any, "Lines", item(.greaterThan, "Quantity", .integer(4)))) == ["1"])
            #expect(
                try world.orders(asks(.all, "Lines", item(.greaterThan, "Quantity", .integer(1)))) == [
                    "1", "3", "4", "5", "6",
                ]
            )
            #expect(try world.orders(asks(.any, "Lines", item(.equal, "Product/Name", .string("Nut")))) == ["2", "6"])
            #expect(try world.orders(asks(.any, "Products", item(.equal, "Name", .string("Nut")))) == ["2", "6"])
            #expect(
                try world.orders(asks(.all, "Products", item(.equal, "Name", .string("Bolt")))) == ["1", "3", "4", "5"]
            )
            #expect(
                try world.orders(asks(.any, "Client/Orders", item(.equal, "Number", .string("f")))) == ["1", "2", "6"]
            )
            let number = Expression.count(of: ["Lines"], filter: nil, search: nil)
            #expect(try world.orders(.binary(.equal, number, .literal(.integer(2)))) == ["1", "6"])
        },
        StoreRule("what and joins stays together, so that no condition goes round the one beside it") { world throws in
            let client = Expression.compare("ClientId", .equal, .string("k2"))
            let isSmall = Expression.compare("Total", .lessThan, .number("20"))
            let isNamed = Expression.compare("Number", .notEqual, .null)
            let others: [Expression] = [
                .unary(.not, .binary(.and, isSmall, isNamed)), .binary(.or, isSmall, .unary(.not, isNamed)),
                .isIn(.names("Number"), [.literal(.string("a")), .literal(.null)]),
                .unary(.not, .binary(.and, isNamed, .binary(.or, isSmall, isNamed))),
            ]
            for other in others {
                #expect(try world.orders(.binary(.and, client, other)) == ["3"])
                #expect(try world.orders(.binary(.and, other, client)) == ["3"])
                let opposite = Expression.unary(.not, .binary(.and, client, other))
                #expect(try world.orders(opposite) == ["1", "2", "4", "5", "6"])
                #expect(try world.orders(.binary(.and, .unary(.not, client), opposite)) == ["1", "2", "4", "5", "6"])
            }
        },
        StoreRule("a count looks at the filter alone") { world throws in
            var plan = try world.plan(
                "Orders",
                filter: .compare("Client/Name", .equal, .string("Ann")),
                orderBy: ["Total"],
                skip: 2,
                top: 1,
                pageRows: 1
            )
            plan.after = [.number("1000"), .integer(3)]
            #expect(try world.store.read { try $0.count(plan) } == 3)
            #expect(try world.store.read { try $0.count(try world.plan("Samples")) } == 3)
        },
        StoreRule("a condition holds or not for one key") { world throws in
            let condition = try world.condition(.compare("Client/Name", .equal, .string("Ann")), on: "Orders")
            let set = try world.set("Orders")
            let answers = try world.store.read { reader throws in
                try [1, 3, 4, 99].map { (key: Int64) in
                    try reader.satisfies(condition, key: Key([.integer(key)]), in: set, user: .anonymous)
                }
            }
            #expect(answers == [true, false, false, false])
        },
        StoreRule("a guard hides what lies behind it, in filters, orders and conditions") { world throws in
            let bob = try world.condition(.compare("Name", .notEqual, .string("Ann")), on: "Clients")
            var path = TypedExpression.Path(
                navigations: [try #require(try world.set("Orders").type.navigationIndex(wire: "Client"))],
                property: 1
            )
            path.guards = [bob]
            let name = TypedExpression(node: .path(path), type: .string)
            let equals = { (value: Value) -> TypedExpression in
                let literal = TypedExpression(node: .literal(value), type: value.isNull ? nil : .string)
                return TypedExpression(node: .binary(.equal, name, literal), type: .boolean)
            }
            var plan = try world.plan("Orders", columns: ["Id"])
            plan.filter = equals(.string("Ann"))
            #expect(try world.lines(plan) == [])
            plan.filter = equals(.string("Bob"))
            #expect(try world.lines(plan) == ["3"])
            plan.filter = equals(.null)
            #expect(try world.lines(plan) == ["1", "2", "4", "6"])
            #expect(try world.store.read { try $0.count(plan) } == 4)
            plan.filter = nil
            plan.orderBy = [.init(name, isDescending: true)]
            #expect(try world.lines(plan) == ["5", "3", "1", "2", "4", "6"])
            plan.pageLimit.rows = 1
            #expect(try world.pages(plan).flatMap { $0 } == ["5", "3", "1", "2", "4", "6"])
            let set = try world.set("Orders")
            let isHidden = try world.store.read {
                try $0.satisfies(equals(.null), key: Key([.integer(1)]), in: set, user: .anonymous)
            }
            #expect(isHidden)
        },
        StoreRule("nobody owns nothing, and a user what is theirs") { world throws in
            let condition = Expression.binary(.equal, .names("ClientId"), .me(attribute: nil))
            var plan = try world.plan("Orders", columns: ["Id"], filter: condition)
            #expect(try world.lines(plan) == [])
            plan.user = UserContext(id: .string("k3"))
            #expect(try world.lines(plan) == ["5"])
            plan = try world.plan("Orders", columns: ["Id"], filter: .unary(.not, condition))
            #expect(try world.lines(plan) == [])
            plan = try world.plan(
                "Orders",
                columns: ["Id"],
                filter: .isInUser(.names("ClientId"), attribute: "Clients")
            )
            plan.user = UserContext(id: .string("u"), attributes: ["Clients": [.string("k2"), .string("k3")]])
            #expect(try world.lines(plan) == ["3", "5"])
        },
    ]
}
