// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineModel
import TidelineOData
import TidelineStorage

/// T15: the text of a `$filter` parsed, checked against the model and compiled to SQL, beside the limit of 5 µs.
enum FilterCompile {
    private static let filters = [
        "Price gt 20 and contains(Name,'fish')",
        "Code eq 'C1234' and Stock le 500",
        "Stock gt 100 and Price lt 99.5 and not startswith(Name,'A')",
        "(Place eq 'Oslo' or Place eq 'Bergen') and Stock ge 10",
    ]

    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        let set = Self.set
        let model = EntityModel(namespace: "Bench", sets: [set])
        let checker = ExpressionChecker(model: model, set: set)
        let texts = (0..<rows).map { filters[$0 % filters.count] }
        return [
            try figure("SQLite", texts) { filter in
                let plan = ReadPlan(
                    model: model,
                    set: set,
                    filter: try checker.condition(ExpressionParser.parse(filter))
                )
                return CountStatement(plan: plan, dialect: SQLiteDialect()).text.utf8.count
            },
            try figure("PostgreSQL", texts) { filter in
                let plan = ReadPlan(
                    model: model,
                    set: set,
                    filter: try checker.condition(ExpressionParser.parse(filter))
                )
                return CountStatement(plan: plan, dialect: PostgresDialect()).text.utf8.count
            },
        ]
    }

    private static func figure(_ name: String, _ texts: [String], _ compile: (String) throws -> Int) rethrows -> Figure
    {
        var length = 0
        let seconds = try Measuring.processorSeconds {
            for text in texts { length += try compile(text) }
        }
        precondition(length > 0)
        return Figure(
            what: "\(name), $filter to SQL",
            rows: texts.count,
            seconds: seconds,
            limitName: "limit of 200 k/s",
            limitSeconds: Double(texts.count) / 200_000,
            isRate: true,
            bound: 1
        )
    }

    private static let set = EntitySet(
        names: Names(wire: "Items", database: "items"),
        type: EntityType(
            names: Names(wire: "Item"),
            properties: [
                Property(names: Names(wire: "Id", database: "id"), type: .int64, isNullable: false),
                Property(names: Names(wire: "Code", database: "code"), type: .string, isNullable: false),
                Property(names: Names(wire: "Name", database: "name"), type: .string, isNullable: false),
                Property(names: Names(wire: "Stock", database: "stock"), type: .int32, isNullable: false),
                Property(names: Names(wire: "Price", database: "price"), type: .double),
                Property(names: Names(wire: "Place", database: "place"), type: .string),
            ],
            key: [0]
        )
    )
}
