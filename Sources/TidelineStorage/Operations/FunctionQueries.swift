// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// How a store makes queries of the calls of functions that stand in expressions.
package struct FunctionQueries: Sendable {
    /// What a call is made of.
    package struct Query {
        /// Without a semicolon; it may end with a comment.
        package var sql: SQLFragment
        package var columns: OperationColumns

        package init(sql: SQLFragment, columns: OperationColumns) {
            self.sql = sql
            self.columns = columns
        }
    }

    package let language: OperationScript.Language
    /// The query of a function with what stands for each parameter; `nil` for one that the store does not know.
    package let query: @Sendable (OperationCall, _ values: [String: SQLFragment]) -> Query?
    /// A column of a function's result as the key property of a set is compared.
    package let key: @Sendable (SQLFragment, Property, EntitySet) -> SQLFragment

    package init(
        _ language: OperationScript.Language,
        key: @escaping @Sendable (SQLFragment, Property, EntitySet) -> SQLFragment = { column, _, _ in column },
        query: @escaping @Sendable (OperationCall, [String: SQLFragment]) -> Query?
    ) {
        self.language = language
        self.key = key
        self.query = query
    }

    /// - Throws: ``StorageError`` `constraint` for a constant that the database has no form for.
    package func check(_ calls: [TypedExpression.Invocation], in model: EntityModel) throws {
        for call in calls {
            for (argument, parameter) in zip(call.arguments, call.operation.parameters) {
                guard case .literal(let value)? = argument?.node, let property = model.property(of: parameter) else {
                    continue
                }
                _ = try OperationCall.fragment(value, of: property, in: model, language)
            }
        }
    }
}

extension ReadPlan {
    /// The functions that its expressions call, those of expansions among them.
    package var invocations: [TypedExpression.Invocation] {
        let own = [filter].compactMap(\.self) + orderBy.map(\.expression) + computed
        return own.flatMap(\.invocations) + expansions.flatMap(\.plan.invocations)
    }
}
