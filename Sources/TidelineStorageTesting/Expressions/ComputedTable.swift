// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
package import TidelineStorage

/// Computed properties of every kind, with the rows that every store must push.
package enum ComputedTable {
    /// The computed properties, in the order of pushing.
    package static let expressions = [
        "N add 1", "toupper(Name)", "P mul 2", "W div 0", "Flag", "At add duration'PT1H'", "Born", "T", "Len mul 2",
        "G",
        "Parts/$count", "Home/City", "cast(Score,Edm.Decimal)", "case(N gt 1:'big',N le 1:'small')", "N gt 1", "null",
        "Bin", "Owner/Name", "Tags/any(t:t eq 'big')", "cast(N,Edm.String)",
    ]

    /// The rows, in the order of `case(…)`, then `N` down: the page of two rows first.
    package static let rows = [
        "3|null|null|null|null|null|null|null|null|null|null|0|null|null|null|false|null|null|null|false|null",
        "2|6|APPLE|-5|-INF|false|1970-01-01T00:59:59.999Z|1969-12-31|00:00:00|-P2D"
            + "|abcdef00-0000-0000-0000-0000000000ff|1|null|7.5|big|true|null|x|null|false|5",
        "1|2|APPLE|5|INF|true|2024-02-29T13:30:15.25Z|2024-02-29|08:15:30.5|PT3H"
            + "|00000000-0000-0000-0000-000000000001|2|Rome|5|small|false|null|x000102|Ann|true|1",
        "4|1|10%_Ä|0.2|INF|true|2000-01-01T01:00:00Z|2000-01-01|23:59:59.999|PT0S"
            + "|7f000000-0000-0000-0000-000000000000|1|Bern|null|small|false|null|xff|Ann|false|0",
        "5|-6| STRASSE |2469135.7802|INF|null|2024-03-01T01:00:00Z|null|null|P3D|null|1|null|null|small|false|null"
            + "|null|null|true|-7",
    ]

    /// Reads all pages of the plan with the computed properties; ordered by one of them.
    package static func read(
        _ world: ExpressionWorld,
        parse: (String) throws -> Expression,
        page: (ReadPlan, any RowSink) throws -> PageEnd
    ) throws -> [String] {
        var checker = ExpressionChecker(model: world.model, set: world.items)
        var computed: [TypedExpression] = []
        for text in expressions {
            computed.append(try checker.check(parse(text)))
        }
        checker.computed = ["Size": computed[13], "Next": computed[0]]
        let size = try checker.check(parse("Size"))
        let next = try checker.check(parse("Next"))
        var plan = ReadPlan(
            model: world.model,
            set: world.items,
            filter: try checker.condition(parse("Next eq null or Next lt 7")),
            orderBy: [.init(size), .init(next, isDescending: true)],
            columns: [0],
            includesETag: false,
            pageLimit: .init(rows: 2, bytes: .max),
            user: ExpressionWorld.user
        )
        plan.computed = computed
        var lines: [String] = []
        for _ in 0..<4 {
            let recorder = RowRecorder()
            let end = try page(plan, recorder)
            lines += recorder.lines
            guard let after = end.continuation else { break }
            plan.after = after
        }
        return lines
    }
}
