// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

extension PlanReader {
    /// See ``StoreReader/aggregate(_:into:)``.
    static func aggregate(
        _ plan: AggregationPlan,
        connection: Database,
        context: SQLiteContext,
        into sink: any RowSink
    ) throws -> Int {
        let compiled = AggregationStatement(plan, dialect: context.dialect)
        let statement = try PreparedStatement(connection, compiled.text)
        defer { statement.reset() }
        statement.bind(compiled.bindings, after: 0)
        var rows = 0
        while try statement.step() {
            sink.beginRow()
            for column in compiled.types.indices {
                _ = ComputedOutput.push(compiled.value(statement.stored(Int32(column)), column), into: sink)
            }
            sink.endRow(etag: nil)
            rows += 1
        }
        return rows
    }
}
