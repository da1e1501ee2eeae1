// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineTestSupport
import Testing

@testable import TidelineStore

/// Calculated properties over objects and their pending changes.
struct CalculatedTests {
    let folder: TestFolder
    let store: LocalStore
    let context: EditingContext
    let order: ManagedRow
    let details: [ManagedRow]

    init() throws {
        folder = try TestFolder()
        store = try Fixture.store(folder)
        context = EditingContext(store)
        order = try context.insert(into: "Orders")
        var details: [ManagedRow] = []
        for cents in [1250, 3] {
            let total = Value.decimal(EdmDecimal(coefficient: Int128(cents), scale: 2))
            details.append(try context.insert(["Total": total], into: "Details"))
        }
        self.details = details
        for detail in details { try order.add(detail, to: "Details") }
        try context.save()
    }

    /// `OrderSum`: the sum of what the details cost.
    func sum(isCached: Bool) -> CalculatedProperty {
        CalculatedProperty(
            names: Names(wire: "OrderSum"),
            type: .decimal,
            expression: .aggregate(over: ["Details"], [AggregateItem(.expression(.path(["Total"])), with: .sum)]),
            isCached: isCached
        )
    }

    func cents(_ number: Int) -> Value { .decimal(EdmDecimal(coefficient: Int128(number), scale: 2)) }

    @Test(.covers("DA-53"), arguments: [false, true])
    func `a sum over the details is exact, and follows their edits`(isCached: Bool) throws {
        let sum = sum(isCached: isCached)
        #expect(try order.calculatedValue(sum) == cents(1253))
        try details[1].set("Total", cents(50))
        #expect(try order.calculatedValue(sum) == cents(1300))
        context.undo()
        #expect(try order.calculatedValue(sum) == cents(1253))
        try context.delete(details[0])
        #expect(try order.calculatedValue(sum) == cents(3))
        context.rollback()
        try store.write { try $0.update(details[0].key, ["Total": cents(100)], in: "Details") }
        #expect(try order.calculatedValue(sum) == cents(103))
    }

    @Test(.covers("DA-53"))
    func `a cached value is kept until a commit or an edit touches what it reads`() throws {
        let sum = sum(isCached: true)
        _ = try order.calculatedValue(sum)
        order.calculated["OrderSum"]?.value = cents(7)  // shows whether it is computed again
        try store.write { try $0.insert(["Code": .string("t")], into: "Tags") }
        #expect(try order.calculatedValue(sum) == cents(7))
        try store.write { try $0.update(details[0].key, ["Total": cents(100)], in: "Details") }
        #expect(try order.calculatedValue(sum) == cents(103))
        order.calculated["OrderSum"]?.value = cents(7)
        try details[1].set("Total", cents(4))
        #expect(try order.calculatedValue(sum) == cents(104))
        context.dropCleanObjects()
        #expect(order.calculated.isEmpty)
    }
}
