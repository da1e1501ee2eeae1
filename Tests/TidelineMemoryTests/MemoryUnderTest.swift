// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineMemory
import TidelineModel
import TidelineStorage
import TidelineStorageTesting

/// The fixture in memory.
final class MemoryUnderTest: StoreUnderTest {
    private let memory: MemoryStore

    static let lacks: [StoreAbility: String] = [
        .sql: "The reference store has no SQL.",
        .reopening: "Nothing of the reference store outlives its process.",
        .itemChecks:
            "The reference store holds a collection as the text that it is given: what comes there was checked.",
    ]

    init() throws {
        memory = MemoryStore(model: StoreFixture.model, rules: try Self.rules())
    }

    var store: any Store { memory }
    var etagKey: [UInt8] { memory.etagKey }
    func reopen() {}
    func run(_ sql: String) {}

    func takeBack(_ changes: () throws -> Void) throws {
        let copy = memory.backup
        try changes()
        memory.restore(copy)
    }

    func beginEpoch() { memory.beginEpoch() }

    /// What the fixture asks of a database beside its model.
    static func rules() throws -> MemoryRules {
        let model = StoreFixture.model
        func condition(_ name: Expression.BinaryOperator, _ number: Int64, _ property: String) throws -> TypedExpression
        {
            guard let orders = model[set: "Orders"] else { preconditionFailure("The fixture has orders.") }
            return try ExpressionChecker(model: model, set: orders)
                .condition(.binary(name, .path([property]), .literal(.integer(number))))
        }
        let name = TypedExpression(node: .path(.init(property: 1)), type: .string)
        let mark = TypedExpression(node: .literal(.string("!")), type: .string)
        return MemoryRules(
            checks: ["Orders": [try condition(.greaterOrEqual, 0, "Total")]],
            computed: ["Products": [4: TypedExpression(node: .call(.concat, [name, mark]), type: .string)]],
            deferred: ["Sellers": ["Mentor"]],
            views: [
                "BigOrders": .init(
                    source: "Orders",
                    columns: [0, 1, 4],
                    filter: try condition(.greaterOrEqual, 100, "Total")
                )
            ]
        )
    }
}
