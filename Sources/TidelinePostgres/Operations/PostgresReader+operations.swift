// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension PostgresReader {
    func call(_ function: OperationCall) throws -> OperationResult {
        guard function.operation.kind == .function else {
            throw function.operation.unusable("an action needs a transaction that writes")
        }
        let compiled = try context.compiled(function.operation)
        return try named { try readOnly(function.operation) { try compiled.run(function, on: connection) } }
    }

    /// Runs what calls a function so that it can change nothing, in a transaction that writes too.
    func readOnly<Result>(_ function: EdmOperation, _ body: () throws -> Result) throws -> Result {
        do {
            guard purpose == .writing else { return try body() }
            try connection.execute("SAVEPOINT tideline_function; SET LOCAL transaction_read_only = on")
            do {
                let result = try body()
                // The end of the savepoint ends the restriction too.
                try connection.execute("RELEASE tideline_function")
                return result
            } catch {
                try? connection.execute("ROLLBACK TO tideline_function; RELEASE tideline_function")
                throw error
            }
        } catch let failure as PostgresFailure where failure.sqlState == "25006" {
            throw function.unusable("a function only reads, and this one changes the database: make it an action")
        }
    }

    /// Runs what reads the rows of a source, or calls functions in its expressions.
    func sourced<Result>(
        _ source: RowSource?,
        _ calls: [TypedExpression.Invocation] = [],
        _ body: () throws -> Result
    ) throws -> Result {
        if let call = source?.function { return try named { try readOnly(call.operation, body) } }
        guard let call = calls.first else { return try named(body) }
        return try named { try readOnly(call.operation, body) }
    }

    /// The functions that the expressions of a plan call, each with constants that the database has a form for.
    func calls(_ expressions: @autoclosure () -> [TypedExpression.Invocation]) throws -> [TypedExpression.Invocation] {
        guard let functions = context.dialect.functions else { return [] }
        let calls = expressions()
        try functions.check(calls, in: context.model)
        return calls
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
                key: CompiledOperation.key(of: set, context.dialect),
                dialect: context.dialect
            )
        case .keys(let keys):
            let key = CompiledOperation.key(of: set, context.dialect)
            return try RowRestriction.rows(keys, of: set, key) { value, property in
                guard case .exact(let stored) = context.dialect.bound(value, of: property) else { return nil }
                return stored
            }
        }
    }
}
