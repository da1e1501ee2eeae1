// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

extension Connection {
    /// A plan over the file's own model, with all that its statement needs on this connection.
    func prepared(_ plan: ReadPlan) throws -> ReadPlan {
        try prepareCollations(of: plan)
        var plan = plan
        if !plan.conditions.isEmpty {
            plan.restriction = try restriction(plan.conditions, on: layout.set(plan.set.names.wire))
        }
        for place in plan.expansions.indices { plan.expansions[place].plan = try prepared(plan.expansions[place].plan) }
        return plan
    }

    /// Conditions in SQL of the app's own as one on the table `t0`; `nil` for none.
    ///
    /// Each stands in a query of its own over the table, so that its names mean the table's columns and its text cannot
    /// reach into the statement around it.
    func restriction(_ conditions: [SQLText], on set: SetLayout) throws -> SQLFragment? {
        guard !conditions.isEmpty else { return nil }
        let keys = set.key.map { set.column($0) }
        let own = keys.map { "t0.\($0)" }.joined(separator: ", ")
        let tests = try conditions.map { condition -> SQLFragment in
            guard let test = condition.fragment else {
                throw LocalStoreError(
                    .invalidSQL,
                    set: set.name,
                    message:
                        "The condition has \(condition.parameterCount) parameters, not \(condition.parameters.count)."
                )
            }
            try check(condition, on: set)
            let select = SQLFragment(raw: "SELECT \(keys.joined(separator: ", ")) FROM main.\(set.table)")
            return "(\(SQLFragment(raw: own))) IN (\(select) WHERE (\(test)))"
        }
        return SQLFragment(tests, separator: " AND ")
    }

    /// Asks SQLite whether a text is one condition over the table, before it becomes a part of a statement.
    private func check(_ condition: SQLText, on set: SetLayout) throws {
        let statement = try statement("SELECT 1 FROM main.\(set.table) WHERE \(condition.text)\n")
        let whole = try self.statement("SELECT 1 FROM main.\(set.table) WHERE (\(condition.text)\n)")
        guard statement.parameterCount == whole.parameterCount, whole.parameterCount == condition.parameters.count
        else {
            throw LocalStoreError(
                .invalidSQL,
                set: set.name,
                message: "A condition has a plain question mark for each value."
            )
        }
    }
}
