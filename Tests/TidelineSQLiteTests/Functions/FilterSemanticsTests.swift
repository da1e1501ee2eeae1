// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineSQLite
import TidelineStorage

struct FilterSemanticsTests {
    @Test func `the evaluator in memory selects the rows of the table`() throws {
        let world = FilterWorld(.native)
        for line in FilterCase.all {
            #expect(throws: Never.self, "\(line.filter)") {
                let rows = try world.evaluated(line.filter)
                #expect(rows == line.rows, "\(line.filter)")
            }
        }
    }

    @Test(arguments: FilterWorld.Forms.allCases)
    func `compiled SQL selects the rows of the table over every storage form`(forms: FilterWorld.Forms) throws {
        let world = FilterWorld(forms)
        let queue = try world.database()
        for line in FilterCase.all {
            #expect(throws: Never.self, "\(line.filter)") {
                let plan = ReadPlan(
                    model: world.model,
                    set: world.items,
                    filter: try world.check(line.filter),
                    columns: [0],
                    user: FilterWorld.user
                )
                let statement = SelectStatement(plan: plan, dialect: SQLiteDialect())
                let rows = try FilterWorld.run(statement, on: queue)
                #expect(rows == line.rows, "\(line.filter): \(statement.text)")
                let negated = TypedExpression(node: .unary(.not, try world.check(line.filter)), type: .boolean)
                let opposite = SelectStatement(
                    plan: ReadPlan(
                        model: world.model,
                        set: world.items,
                        filter: negated,
                        columns: [0],
                        user: FilterWorld.user
                    ),
                    dialect: SQLiteDialect()
                )
                let expected = try world.evaluated("not (\(line.filter))")
                #expect(try FilterWorld.run(opposite, on: queue) == expected, "\(opposite.text)")
            }
        }
    }

    @Test(arguments: FilterWorld.Forms.allCases)
    func `pages by every key together hold every row once, in order`(forms: FilterWorld.Forms) throws {
        let world = FilterWorld(forms)
        let queue = try world.database()
        for property in world.items.type.properties.indices {
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
                let whole = try FilterWorld.run(SelectStatement(plan: plan, dialect: SQLiteDialect()), on: queue)
                #expect(whole.sorted() == [1, 2, 3, 4, 5])
                var paged: [Int] = []
                for _ in 0..<5 {
                    plan.pageLimit = .init(rows: 1, bytes: .max)
                    let statement = SelectStatement(plan: plan, dialect: SQLiteDialect())
                    #expect(statement.rowLimit == 1)
                    let rows = try FilterWorld.run(statement, on: queue)
                    guard let first = rows.first else { break }
                    paged.append(first)
                    let row = world.values(FilterWorld.rows[first - 1], world.items)
                    plan.after = property == 0 ? [row[0]] : [row[property], row[0]]
                }
                let name = world.items.type.properties[property].names.wire
                #expect(paged == whole, "\(name) \(isDescending ? "descending" : "ascending")")
            }
        }
    }

    @Test func `nobody owns nothing`() throws {
        let world = FilterWorld(.native)
        #expect(try world.evaluated("OwnerId eq @me", user: .anonymous) == [])
        let queue = try world.database()
        let plan = ReadPlan(model: world.model, set: world.items, filter: try world.check("OwnerId eq @me"))
        #expect(try FilterWorld.run(SelectStatement(plan: plan, dialect: SQLiteDialect()), on: queue) == [])
    }
}
