// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel
import TidelineStorage

/// Plans whose answer is a number, or yes or no.
extension PlanReader {
    /// See ``StoreReader/count(_:)``.
    static func count(_ plan: ReadPlan, connection: Database, context: SQLiteContext) throws -> Int {
        let compiled = CountStatement(plan: plan, dialect: context.dialect)
        let statement = try context.prepared(connection, compiled.text)
        defer { statement.reset() }
        statement.bind(compiled.bindings, after: compiled.parameters.count)
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// See ``StoreReader/satisfies(_:key:in:user:)``.
    static func satisfies(
        _ condition: TypedExpression,
        key: Key,
        set: EntitySet,
        user: UserContext,
        connection: Database,
        context: SQLiteContext
    ) throws -> Bool {
        let compiled = CountStatement(
            condition: condition,
            in: set,
            model: context.model,
            user: user,
            dialect: context.dialect
        )
        let statement = try context.prepared(connection, compiled.text)
        defer { statement.reset() }
        guard try context.statements(set).bind(key, to: statement) else { return false }
        statement.bind(compiled.bindings, after: compiled.parameters.count)
        return try statement.step() && statement.integer(0) > 0
    }
}
