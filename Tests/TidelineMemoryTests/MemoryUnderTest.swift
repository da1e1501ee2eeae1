// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineMemory
import TidelineModel
import TidelineStorage
import TidelineStorageTesting

/// The fixture in memory.
final class MemoryUnderTest: StoreUnderTest {
    private let memory: MemoryStore
    private var copy: MemoryBackup?

    init() throws {
        memory = MemoryStore(model: StoreFixture.model, rules: try Self.rules())
    }

    var store: any Store { memory }
    var etagKey: [UInt8] { memory.etagKey }
    func reopen() -> Bool { false }
    func run(_ sql: String) -> Bool { false }

    func keepCopy() -> Bool {
        copy = memory.backup
        return true
    }

    func restoreCopy() {
        if let copy { memory.restore(copy) }
    }

    func beginEpoch() -> Bool {
        memory.beginEpoch()
        return true
    }

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
