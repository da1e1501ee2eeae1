// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension SQLiteReader {
    func call(_ function: OperationCall) throws -> OperationResult {
        guard function.operation.kind == .function else {
            throw function.operation.unusable("an action needs a transaction that writes")
        }
        return try context.named { try context.compiled(function.operation).run(function, on: connection) }
    }

    /// The condition on the rows of a set that a source stands for.
    func restriction(_ source: RowSource?, of set: EntitySet) throws -> SQLFragment? {
        switch source {
        case nil: return nil
        case .function(let call): return try context.compiled(call.operation).restriction(call, of: set)
        case .subset(var plan):
            plan.restriction = try restriction(plan.source, of: set)
            return AggregationStatement.restriction(
                to: plan,
                key: CompiledOperation.key(of: set),
                dialect: context.dialect
            )
        case .keys(let keys):
            return try RowRestriction.rows(keys, of: set, CompiledOperation.key(of: set)) { $1.stored($0) }
        }
    }
}
