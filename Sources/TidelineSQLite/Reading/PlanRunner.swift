// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import GRDB
package import TidelineModel
package import TidelineStorage

/// Reads plans over connections that the caller has: for a store that opens its own file, with no ETags to compute.
///
/// What is kept for a connection is kept by the connection itself, so that its owner may close it at any time.
package final class PlanRunner: Sendable {
    private let context: SQLiteContext

    /// - Parameter model: with the tables, columns and storage forms that the file has.
    package init(model: EntityModel) {
        context = SQLiteContext(
            model: model,
            isTracked: false,
            etagKey: [UInt8](repeating: 0, count: 16)
        )
    }

    /// Pushes the rows of an aggregation.
    ///
    /// - Throws: ``StorageError``, with wire names.
    package func aggregate(_ plan: AggregationPlan, on connection: Database, into sink: any RowSink) throws -> Int {
        try context.named { try PlanReader.aggregate(plan, connection: connection, context: context, into: sink) }
    }

    /// Pushes one page of a plan, expansions included.
    ///
    /// - Parameter keeps: whether the connection keeps the statement of a text compiled.
    /// - Throws: ``StorageError``, with wire names.
    package func page(
        _ plan: ReadPlan,
        on connection: Database,
        keeping keeps: (String) -> Bool,
        into sink: any RowSink
    ) throws -> PageEnd {
        var plan = plan
        if case .subset(let part)? = plan.source {
            let key = CompiledOperation.key(of: plan.set)
            plan.restriction = AggregationStatement.restriction(to: part, key: key, dialect: context.dialect)
        }
        return try context.named {
            let reader = try PlanReader(connection: connection, context: context, plan: plan) {
                try keeps($1) ? .cached($0, $1) : PreparedStatement($0, $1)
            }
            return try reader.page(into: sink)
        }
    }
}
