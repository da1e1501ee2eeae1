// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import Testing
import TidelineModel
import TidelineOData
import TidelineSQLite
import TidelineStorage
import TidelineStorageTesting
import TidelineTestSupport

@Suite(.ownThread)
struct FilterSemanticsTests {
    @Test func `the table of cases is whole`() {
        #expect(ExpressionCase.all.count >= 320)
        #expect(Set(ExpressionCase.all.map(\.text)).count == ExpressionCase.all.count)
    }

    @Test func `the evaluator in memory selects the rows of the table`() {
        let world = ExpressionWorld()
        let table = ExpressionTable(
            over: world,
            parse: { try ExpressionParser.parse($0) },
            select: { try world.evaluated($0) }
        )
        #expect(table.mistakes.isEmpty, "\(table.mistakes.joined(separator: "\n"))")
        #expect(table.count == ExpressionCase.all.count)
    }

    @Test(
        .covers(
            "OD-1.2.7.1",
            "OD-1.2.7.3",
            "OD-1.2.7.4",
            "OD-1.2.15",
            "OD-1.3.5",
            "OD-1.4.9.b",
            "OD-1.4.9.h",
            "OD-1.4.9.i",
            "OD-1.4.9.j",
            "OD-1.4.9.k",
            "OD-1.4.9.m",
            "OD-1.5.3",
            "OD-1.5.4",
            "OD-1.5.6",
            "OD-1.6.3"
        ),
        arguments: ExpressionWorld.Forms.allCases
    )
    func `compiled SQL selects the rows of the table over every storage form`(forms: ExpressionWorld.Forms) throws {
        let world = ExpressionWorld(forms)
        let queue = try world.database()
        let table = ExpressionTable(over: world, parse: { try ExpressionParser.parse($0) }) { condition in
            let plan = ReadPlan(
                model: world.model,
                set: world.items,
                filter: condition,
                columns: [0],
                user: ExpressionWorld.user
            )
            return try ExpressionWorld.run(SelectStatement(plan: plan, dialect: SQLiteDialect()), on: queue)
        }
        #expect(table.mistakes.isEmpty, "\(table.mistakes.joined(separator: "\n"))")
        #expect(table.count == ExpressionCase.all.count)
    }

    @Test(.covers("OD-1.5.8", "OD-1.6.4"), arguments: ExpressionWorld.Forms.allCases)
    func `computed properties are pushed, filtered and ordered by, page by page`(forms: ExpressionWorld.Forms) throws {
        let world = ExpressionWorld(forms)
        let queue = try world.database()
        let runner = PlanRunner(model: world.model)
        let rows = try ComputedTable.read(world, parse: { try ExpressionParser.parse($0) }) { plan, sink in
            try queue.read { try runner.page(plan, on: $0, keeping: { _ in true }, into: sink) }
        }
        #expect(rows == ComputedTable.rows)
    }

    @Test(.covers("DA-39"), arguments: ExpressionWorld.Forms.allCases)
    func `aggregation makes the rows of its table`(forms: ExpressionWorld.Forms) throws {
        let world = ExpressionWorld(forms)
        let queue = try world.database()
        let runner = PlanRunner(model: world.model)
        let mistakes = AggregationTable.mistakes(
            over: world,
            parse: { text in
                let query = "$apply=" + text.replacing(" ", with: "%20")
                return try #require(QueryOptions(parsing: query[...]).apply)
            },
            expression: { try ExpressionParser.parse($0) },
            rows: { plan, sink in try queue.read { try runner.aggregate(plan, on: $0, into: sink) } },
            read: { plan, sink in try queue.read { try runner.page(plan, on: $0, keeping: { _ in true }, into: sink) } }
        )
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }

    @Test(arguments: ExpressionWorld.Forms.allCases)
    func `pages by every key together hold every row once, in order`(forms: ExpressionWorld.Forms) throws {
        let world = ExpressionWorld(forms)
        let queue = try world.database()
        for property in world.items.type.properties.indices where !world.items.type.properties[property].type.isSpatial
        {
            for isDescending in [false, true] {
                let path = TypedExpression(
                    node: .path(.init(property: property)),
                    type: world.items.type.properties[property].type
                )
                var plan = ReadPlan(
                    model: world.model,
                    set: world.items,
                    orderBy: [.init(path, isDescending: isDescending)],
                    columns: [0]
                )
                let whole = try ExpressionWorld.run(SelectStatement(plan: plan, dialect: SQLiteDialect()), on: queue)
                #expect(whole.sorted() == [1, 2, 3, 4, 5])
                var paged: [Int] = []
                for _ in 0..<5 {
                    plan.pageLimit = .init(rows: 1, bytes: .max)
                    let statement = SelectStatement(plan: plan, dialect: SQLiteDialect())
                    #expect(statement.rowLimit == 1)
                    let rows = try ExpressionWorld.run(statement, on: queue)
                    guard let first = rows.first else { break }
                    paged.append(first)
                    let row = world.values(ExpressionWorld.rows[0][first - 1], world.items)
                    plan.after = property == 0 ? [row[0]] : [row[property], row[0]]
                }
                let name = world.items.type.properties[property].names.wire
                #expect(paged == whole, "\(name) \(isDescending ? "descending" : "ascending")")
            }
        }
    }

    @Test func `nobody owns nothing`() throws {
        let world = ExpressionWorld()
        let checker = ExpressionChecker(model: world.model, set: world.items)
        let filter = try checker.condition(ExpressionParser.parse("OwnerId eq @me"))
        #expect(try world.evaluated(filter, user: .anonymous) == [])
        let queue = try world.database()
        let plan = ReadPlan(model: world.model, set: world.items, filter: filter)
        #expect(try ExpressionWorld.run(SelectStatement(plan: plan, dialect: SQLiteDialect()), on: queue) == [])
    }
}
