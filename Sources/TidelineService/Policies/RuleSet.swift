// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The rules of a domain's entity types, ready to be asked of the rows that a group has written.
struct RuleSet: Sendable {
    struct Rule: Sendable {
        var rule: EntityRule
        /// `nil` for one that is no condition over the entities: what it guards cannot be written.
        var condition: TypedExpression?
    }

    private var rules: [String: [Rule]] = [:]

    init(model: EntityModel) {
        for set in model.sets where !set.type.rules.isEmpty {
            rules[set.names.wire] = set.type.rules.map {
                Rule(rule: $0, condition: try? Self.condition($0, over: set, in: model))
            }
        }
    }

    subscript(_ set: String) -> [Rule] { rules[set] ?? [] }

    /// The condition of a rule, its names found.
    ///
    /// - Throws: `InvalidExpression` or `NotSupported`, with the reason.
    static func condition(
        _ rule: EntityRule,
        over set: EntitySet,
        in model: EntityModel
    ) throws(ODataError) -> TypedExpression {
        let condition = try rule.condition.checkedCondition(over: set, in: model, code: .invalidFilter)
        if condition.dependsOnUser {
            throw ODataError(.notSupported, "it speaks of the user (@me): that is the matter of a policy.")
        }
        if let call = condition.invocations.first {
            throw ODataError(.notSupported, "it calls a function (\(call.operation.names.wire)) of the model.")
        }
        return condition
    }
}
