// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The rules of a set as a device's file holds them: over texts, where members of enumerations are compared.
enum StoredRules {
    /// The rules that a device can decide; those of what it has no form for are left to the service.
    ///
    /// - Parameter stored: the model as the file holds it.
    /// - Throws: ``LocalStoreError/Code/unsupported`` for a rule that is no condition over the entities.
    static func rules(of set: EntitySet, in model: EntityModel, stored: EntityModel) throws -> [EntityRule] {
        try set.type.rules.compactMap { rule in
            let condition = try RuleCondition.checked(rule, set, model)
            guard let over = stored[set: set.names.wire], comparesMembersAlone(condition) else { return nil }
            var rule = rule
            rule.condition = text(rule.condition, model)
            let isDecided = (try? ExpressionChecker(model: stored, set: over).condition(rule.condition)) != nil
            return isDecided ? rule : nil
        }
    }

    /// Whether members of enumerations are compared for equality and for nothing else: as texts they have no order.
    private static func comparesMembersAlone(_ condition: TypedExpression) -> Bool {
        condition.parts.allSatisfy { part in
            guard comparesMembersAlone(part.expression) else { return false }
            guard part.expression.enumeration != nil else { return true }
            switch condition.node {
            case .binary(.equal, _, _), .binary(.notEqual, _, _), .isIn: return true
            default: return false
            }
        }
    }

    /// The condition with the names of members in place of typed members.
    private static func text(_ condition: Expression, _ model: EntityModel) -> Expression {
        func text(_ inner: Expression) -> Expression { Self.text(inner, model) }
        switch condition {
        case .enumeration(let type, let members):
            let prefix = model.namespace + "."
            let name = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
            guard let known = model[enumeration: name], let value = known.value(of: members) else { return condition }
            return .literal(.string(known.text(of: value)))
        case .unary(let sign, let inner): return .unary(sign, text(inner))
        case .binary(let sign, let left, let right): return .binary(sign, text(left), text(right))
        case .call(let function, let arguments): return .call(function, arguments.map(text))
        case .isIn(let item, let list): return .isIn(text(item), list.map(text))
        case .isInCollection(let item, let list): return .isInCollection(text(item), text(list))
        case .lambda(let quantifier, let names, let variable, let body):
            return .lambda(quantifier, over: names, variable: variable, body.map(text))
        case .count(let names, let filter, let search):
            return .count(of: names, filter: filter.map(text), search: search)
        case .cast(let inner, let type): return .cast(inner.map(text), type: type)
        case .isOf(let inner, let type): return .isOf(inner.map(text), type: type)
        case .conditional(let branches):
            return .conditional(branches.map { .init(condition: text($0.condition), value: text($0.value)) })
        case .list(let items): return .list(items.map(text))
        case .literal, .path, .general, .me, .isInUser, .object, .aggregate: return condition
        }
    }
}
