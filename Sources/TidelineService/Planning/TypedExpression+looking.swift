// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension TypedExpression {
    /// How often `and` and `or` join two conditions in it.
    var connectives: Int {
        switch node {
        case .binary(.and, _, _), .binary(.or, _, _): children.reduce(1) { $0 + $1.connectives }
        default: children.reduce(0) { $0 + $1.connectives }
        }
    }

    /// Whether it consists of no more than so many expressions; of a larger one not all are looked at.
    func hasParts(atMost limit: Int) -> Bool {
        var left = limit
        return take(&left)
    }

    private func take(_ left: inout Int) -> Bool {
        left -= 1
        guard left >= 0 else { return false }
        for child in children {
            guard child.take(&left) else { return false }
        }
        return true
    }

    /// Whether a function is called, in a guard too.
    func calls(_ function: Expression.Function) -> Bool {
        switch node {
        case .call(function, _): return true
        case .path(let path):
            if path.guards.contains(where: { $0?.calls(function) == true }) { return true }
        case .lambda(_, .entities(let way), _), .count(.entities(let way), _):
            if (way.guards + way.linkGuards).contains(where: { $0?.calls(function) == true }) { return true }
        case .lambda(_, .set(_, let condition?), _), .count(.set(_, let condition?), _),
            .fold(_, .set(_, let condition?), _, _):
            if condition.calls(function) { return true }
        case .fold(_, .entities(let way), _, _):
            if (way.guards + way.linkGuards).contains(where: { $0?.calls(function) == true }) { return true }
        case .literal, .me, .unary, .binary, .call, .isIn, .isInUser, .promote, .cast, .conditional, .lambda, .count,
            .item, .member, .element, .list, .found, .isSame, .fold, .invoke,
            .isResult:
            break
        }
        return children.contains { $0.calls(function) }
    }

    /// The property that must equal the user's Id for this to be true, if there is one.
    var ownerProperty: Int? {
        switch node {
        case .binary(.equal, let left, let right):
            if case .path(let path) = left.unpromoted, path.navigations.isEmpty, case .me(nil) = right.unpromoted {
                return path.property
            }
            if case .path(let path) = right.unpromoted, path.navigations.isEmpty, case .me(nil) = left.unpromoted {
                return path.property
            }
            return nil
        case .binary(.and, let left, let right): return left.ownerProperty ?? right.ownerProperty
        case .binary(.or, let left, let right):
            let property = left.ownerProperty
            return property == right.ownerProperty ? property : nil
        default: return nil
        }
    }

    private var unpromoted: Node {
        if case .promote(let operand) = node { operand.node } else { node }
    }
}
