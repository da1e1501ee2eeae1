// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineMemory
import TidelineModel
import TidelineOData
import TidelineStorage
import TidelineStorageTesting

struct ExpressionTableTests {
    private let world = ExpressionWorld()
    private let store: MemoryStore

    init() throws {
        store = MemoryStore(model: world.model, now: { DateTimeOffset("2026-01-01T00:00:00Z") ?? .earliest })
        let world = world
        try store.write { writer in
            // What is referred to comes first.
            for name in ["Owners", "Items", "Parts", "Labels", "ItemLabels"] {
                guard let place = world.model.setIndex(wire: name) else { continue }
                let set = world.model.sets[place]
                for row in ExpressionWorld.rows[place] {
                    let values = world.values(row, set).enumerated().map { ($0, $1) }
                    _ = try writer.insert(Dictionary(uniqueKeysWithValues: values), into: set)
                }
            }
        }
    }

    @Test func `the reference store selects the rows of the table`() {
        let table = ExpressionTable(over: world, parse: { try ExpressionParser.parse($0) }) { condition in
            try world.items(condition, in: store)
        }
        #expect(table.mistakes.isEmpty, "\(table.mistakes.joined(separator: "\n"))")
        #expect(table.count == ExpressionCase.all.count)
    }

    @Test func `the reference store pushes computed properties`() throws {
        let rows = try ComputedTable.read(world, parse: { try ExpressionParser.parse($0) }) { plan, sink in
            try store.read { try $0.read(plan, into: sink) }
        }
        #expect(rows == ComputedTable.rows)
    }

    @Test func `the reference store makes the rows of aggregation`() {
        let mistakes = AggregationTable.mistakes(
            over: world,
            parse: { text in
                let query = "$apply=" + text.replacing(" ", with: "%20")
                return try #require(QueryOptions(parsing: query[...]).apply)
            },
            expression: { try ExpressionParser.parse($0) },
            rows: { plan, sink in try store.read { try $0.aggregate(plan, into: sink) } },
            read: { plan, sink in try store.read { try $0.read(plan, into: sink) } }
        )
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }
}
