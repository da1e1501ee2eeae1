// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A rule of an entity type, ready to be asked.
struct RuleCondition {
    var rule: EntityRule
    var condition: TypedExpression
    var reach: RuleReach

    /// The rules of a set.
    ///
    /// - Throws: ``LocalStoreError/Code/unsupported`` for a rule that is no condition over the entities.
    static func all(of set: SetLayout, _ layout: StoreLayout) throws -> [RuleCondition] {
        try set.set.type.rules.map { rule in
            let condition = try checked(rule, set.set, layout.model)
            return RuleCondition(
                rule: rule,
                condition: condition,
                reach: RuleReach(of: condition, over: set.set, in: layout.model)
            )
        }
    }

    /// - Throws: ``LocalStoreError/Code/unsupported``.
    static func checked(_ rule: EntityRule, _ set: EntitySet, _ model: EntityModel) throws -> TypedExpression {
        func refused(_ why: String) -> LocalStoreError {
            LocalStoreError(
                .unsupported,
                set: set.names.wire,
                properties: rule.properties,
                message: "The rule '\(rule.name)' of '\(set.names.wire)' cannot be used: \(why)"
            )
        }
        let condition: TypedExpression
        do throws(ExpressionError) {
            condition = try ExpressionChecker(model: model, set: set).condition(rule.condition)
        } catch {
            throw refused(error.message)
        }
        if condition.dependsOnUser { throw refused("it speaks of the user, and a device has none.") }
        return condition
    }
}
