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
            let properties = set.type.key.map { set.type.properties[$0] }
            let stored = keys.compactMap { key -> [SQLFragment]? in
                var values: [SQLFragment] = []
                for (value, property) in zip(key.values, properties) {
                    // A value that the column cannot hold is the key of no row.
                    guard let stored = property.stored(value), stored != .null else { return nil }
                    values.append("\(bind: stored)")
                }
                return values
            }
            guard stored.count * properties.count <= 30_000 else {
                throw StorageError(.tooManyRows, set: set.names.wire, message: "There are too many keys to read.")
            }
            return RowRestriction.rows(CompiledOperation.key(of: set), among: stored)
        }
    }
}
