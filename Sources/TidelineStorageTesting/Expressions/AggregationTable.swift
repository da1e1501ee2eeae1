// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
package import TidelineStorage

/// `$apply` over ``ExpressionWorld``: each line with the rows that every store must make of it.
package struct AggregationTable: Sendable {
    package let text: String
    package let rows: [String]

    init(_ text: String, _ rows: String...) {
        self.text = text
        self.rows = rows
    }

    /// All lines, worked out by hand.
    package static let all: [AggregationTable] = [
        AggregationTable("aggregate($count as Rows)", "5"),
        AggregationTable("aggregate(N with sum as Sum)", "-1"),
        AggregationTable("aggregate(N with average as Mean)", "-0.25"),
        AggregationTable("aggregate(N with min as Least,N with max as Most)", "-7|5"),
        AggregationTable("aggregate(P with sum as Sum)", "1234567.9901"),
        AggregationTable("aggregate(P with min as Least,P with max as Most)", "-2.5|1234567.8901"),
        AggregationTable("aggregate(W with sum as Sum,W with average as Mean)", "1e+300|2.5e+299"),
        AggregationTable("filter(N gt 100)/aggregate(W with average as Mean)", "null"),
        AggregationTable("aggregate(Big with sum as Sum)", "41"),
        AggregationTable("aggregate(Name with max as Last)", "apple"),
        AggregationTable("aggregate(At with max as Last)", "2024-03-01T00:00:00Z"),
        AggregationTable("aggregate(Len with sum as Sum)", "PT13H30M"),
        AggregationTable("aggregate(OwnerId with countdistinct as Owners)", "2"),
        AggregationTable("aggregate(Kind with countdistinct as Kinds,$count as Rows)", "3|5"),
        AggregationTable("filter(N gt 100)/aggregate($count as Rows,N with sum as Sum)", "0|null"),
        AggregationTable("aggregate(N mul 2 with sum as Sum)", "-2"),
        AggregationTable("aggregate(Parts/$count as Parts)", "5"),
        AggregationTable("compute(cast(Score,Edm.Decimal) as S)/aggregate(S with sum as Sum)", "12.5"),
        AggregationTable("aggregate(cast(Score,Edm.Decimal) with average as Mean)", "6.25"),
        AggregationTable(
            "compute(cast(Score,Edm.Decimal) as S)/groupby((S),aggregate($count as Rows))",
            "null|3",
            "5|1",
            "7.5|1"
        ),
        AggregationTable("groupby((Kind))", "gadget", "item", "super"),
        AggregationTable("groupby((Kind),aggregate($count as Rows))", "gadget|2", "item|2", "super|1"),
        AggregationTable("groupby((Kind),aggregate(N with sum as Sum))", "gadget|5", "item|-6", "super|null"),
        AggregationTable("groupby((Owner/Name),aggregate(N with sum as Sum))", "null|-2", "Ann|1"),
        AggregationTable("groupby((Kind,OwnerId))", "gadget|1", "gadget|2", "item|1", "item|2", "super|null"),
        AggregationTable(
            "groupby((rollup($all,Kind)),aggregate($count as Rows))",
            "null|5",
            "gadget|2",
            "item|2",
            "super|1"
        ),
        AggregationTable(
            "groupby((rollup(Kind,OwnerId)),aggregate($count as Rows))",
            "gadget|null|2",
            "gadget|1|1",
            "gadget|2|1",
            "item|null|2",
            "item|1|1",
            "item|2|1",
            "super|null|1",
            "super|null|1"
        ),
        AggregationTable("groupby((Kind),aggregate(N with sum as Sum))/filter(Sum gt 0)", "gadget|5"),
        AggregationTable(
            "groupby((Kind),aggregate(N with sum as Sum))/compute(Sum mul 2 as Twice)/filter(Twice lt 0)",
            "item|-6|-12"
        ),
        AggregationTable("compute(N add 1 as Next)/aggregate(Next with max as Most)", "6"),
        AggregationTable(
            "compute(year(At) as Year)/groupby((Year),aggregate($count as Rows))",
            "null|1",
            "1969|1",
            "2000|1",
            "2024|2"
        ),
        AggregationTable(
            "groupby((Kind),aggregate($count as Rows))/orderby(Rows,Kind desc)/top(2)",
            "super|1",
            "item|2"
        ),
        AggregationTable("groupby((Kind),aggregate($count as Rows))/orderby(Kind)/skip(1)", "item|2", "super|1"),
        AggregationTable("groupby((Kind),aggregate(N with sum as Sum))/topcount(1,Sum)", "gadget|5"),
        AggregationTable("topcount(2,N)/aggregate(N with sum as Sum)", "6"),
        AggregationTable("bottomcount(2,N)/aggregate(N with sum as Sum)", "-7"),
        AggregationTable("topcount(2,N)/groupby((Owner/Name))", "null", "Ann"),
        AggregationTable("filter(N ge 0)/topsum(6,N)/aggregate($count as Rows)", "2"),
        AggregationTable("filter(N ge 0)/topsum(5,N)/aggregate($count as Rows)", "1"),
        AggregationTable("filter(N ge 0)/toppercent(50,N)/aggregate($count as Rows)", "1"),
        AggregationTable("filter(N ge 0)/bottomsum(1,N)/aggregate($count as Rows)", "2"),
        AggregationTable("filter(N ge 0)/bottompercent(100,N)/aggregate($count as Rows)", "3"),
        AggregationTable("orderby(N desc)/top(2)/aggregate(N with sum as Sum)", "6"),
        AggregationTable(
            "concat(groupby((Kind),aggregate($count as Rows)),aggregate($count as Rows))",
            "null|5",
            "gadget|2",
            "item|2",
            "super|1"
        ),
        AggregationTable("concat(aggregate(N with max as Most),aggregate(P with min as Least))", "null|-2.5", "5|null"),
        AggregationTable("groupby((OwnerId),aggregate(N with sum from Kind with max as S))", "null|null", "1|1", "2|5"),
        AggregationTable("groupby((Color),aggregate($count as Rows))/filter(Color eq 'Red')", "1|1"),
        AggregationTable("filter(Parts/any(p:p/Weight gt 1))/aggregate($count as Rows)", "3"),
        AggregationTable("groupby((Home/City))", "null", "Bern", "Rome"),
    ]

    /// Items with owners, each with each: a filter over both, an order, transformations, and what comes out.
    private static let crosses: [(filter: String?, order: String?, apply: String?, rows: [String])] = [
        ("Items/OwnerId eq Owners/Id", nil, nil, ["1|1", "2|2", "4|1", "5|2"]),
        ("Items/OwnerId eq Owners/Id", "Items/N", nil, ["5|2|-7", "4|1|0", "1|1|1", "2|2|5"]),
        ("Items/Owner/Name eq 'Ann' and Owners/Name eq 'Ann'", nil, nil, ["1|1", "4|1"]),
        ("Owners/Name eq 'Ann' and Items/Parts/any(p:p/Weight gt Owners/Id)", nil, nil, ["1|1", "2|1", "5|1"]),
        (
            nil, nil, "filter(Items/OwnerId eq Owners/Id)/groupby((Owners/Id),aggregate(Items/N with sum as S))",
            ["1|1", "2|-2"]
        ),
    ]

    /// The lines that did not come out, each with what came instead.
    package static func mistakes(
        over world: ExpressionWorld,
        parse: (String) throws -> [Transformation],
        expression: (String) throws -> Expression,
        rows: (AggregationPlan, any RowSink) throws -> Int,
        read: (ReadPlan, any RowSink) throws -> PageEnd
    ) -> [String] {
        var mistakes: [String] = []
        for line in subsets {
            do {
                let plan = try AggregationPlanner.plan(
                    parse(line.text),
                    over: world.items,
                    in: world.model,
                    filter: nil,
                    user: ExpressionWorld.user,
                    keepsEntities: true
                )
                var page = ReadPlan(model: world.model, set: world.items, orderBy: plan.orderBy, columns: [0])
                page.includesETag = false
                page.source = .subset(plan)
                let recorder = RowRecorder()
                _ = try read(page, recorder)
                if recorder.lines != line.rows { mistakes.append("\(line.text) entities: \(recorder.lines)") }
            } catch {
                mistakes.append("\(line.text): \(error)")
            }
        }
        for line in all + nested {
            do {
                let plan = try AggregationPlanner.plan(
                    parse(line.text),
                    over: world.items,
                    in: world.model,
                    filter: nil,
                    user: ExpressionWorld.user
                )
                let recorder = RowRecorder()
                let count = try rows(plan, recorder)
                if recorder.lines != line.rows || count != line.rows.count {
                    mistakes.append("\(line.text): \(recorder.lines)")
                }
            } catch {
                mistakes.append("\(line.text): \(error)")
            }
        }
        for line in crosses {
            do {
                var cross = AggregationPlanner.Cross([world.items, world.model.sets[1]], policies: [nil, nil])
                cross.filter = try line.filter.map(expression)
                cross.orderBy = try line.order.map { [OrderByItem(try expression($0))] } ?? []
                cross.transformations = try line.apply.map(parse)
                let plan = try AggregationPlanner.plan(cross, in: world.model, user: ExpressionWorld.user)
                let recorder = RowRecorder()
                let count = try rows(plan, recorder)
                if recorder.lines != line.rows || count != line.rows.count {
                    mistakes.append("\(line): \(recorder.lines)")
                }
                let counter = RowRecorder()
                _ = try rows(plan.counting, counter)
                if counter.lines != ["\(line.rows.count)"] { mistakes.append("\(line): count \(counter.lines)") }
            } catch {
                mistakes.append("\(line): \(error)")
            }
        }
        return mistakes
    }
}
