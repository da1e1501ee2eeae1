// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Keeps what a user asks away from the rows that a policy hides.
///
///     OwnerId eq @me and Total gt 5 and case(OwnerId eq @me: matchesPattern(Title,'a.*'))
///     \__ policy __/     \harmless/     \_____ looked at for rows that the policy shows _____/
///
/// A database takes the parts of a WHERE in the order that it likes. What can fail, or takes long over a long text,
/// would tell of rows that the answer does not have; a branch of CASE is looked at only when its condition is true.
/// Comparisons of columns with constants stay outside, where indexes serve them.
///
/// In the branch the policy's paths are queries of their own: SQLite puts the constant of `t1.owner = 1` in the place
/// of that column everywhere in a WHERE, and a branch whose condition has become `1 = 1` is looked at before the join.
struct Fence {
    /// What hides rows; `nil` when all can be seen.
    let policy: TypedExpression?
    /// The policy as it stands in a branch.
    private let branch: TypedExpression?

    init(policy: TypedExpression?) {
        self.policy = policy
        branch = policy?.fencingPaths()
    }

    /// The policy and what is asked beside it.
    func filter(_ wish: TypedExpression?) -> TypedExpression? {
        guard let policy, let wish else { return .all(policy, wish) }
        return policy.and(inside(wish))
    }

    /// A condition that stands beside the policy: the parts that may fail or take long are behind it.
    func inside(_ wish: TypedExpression) -> TypedExpression {
        guard let branch else { return wish }
        var open: TypedExpression?
        var fenced: TypedExpression?
        for conjunct in wish.conjuncts {
            if conjunct.isHarmless { open = .all(open, conjunct) } else { fenced = .all(fenced, conjunct) }
        }
        guard let fenced else { return wish }
        let part = TypedExpression.Branch(condition: branch, value: fenced)
        return .all(open, TypedExpression(node: .conditional([part]), type: .boolean)) ?? wish
    }

    /// A value that is computed for rows that the policy shows; a page goes on after one in a WHERE.
    func value(_ value: TypedExpression) -> TypedExpression {
        guard let branch, !value.isColumn, !value.isConstant else { return value }
        var copy = value
        copy.node = .conditional([TypedExpression.Branch(condition: branch, value: value)])
        return copy
    }
}

extension TypedExpression {
    /// The same expression with each path over others as a query of its own.
    fileprivate func fencingPaths() -> TypedExpression {
        var copy = mappingParts { part, _ in part.fencingPaths() }
        if case .path(var path) = node, !path.navigations.isEmpty {
            path.isFenced = true
            copy.node = .path(path)
        }
        return copy
    }

    /// Whether it joins or turns conditions and does nothing else.
    var isConnective: Bool {
        switch node {
        case .binary(.and, _, _), .binary(.or, _, _), .unary(.not, _): true
        default: false
        }
    }

    /// Whether a row tells by it nothing but its answer: comparisons of properties with constants, and what joins them.
    ///
    /// They cannot fail, and they take the same time for every row.
    var isHarmless: Bool {
        switch node {
        case .literal, .me, .path: return true
        case .unary(.not, let operand): return operand.isHarmless
        case .binary(let name, let left, let right):
            switch name {
            case .and, .or: return left.isHarmless && right.isHarmless
            case .equal, .notEqual, .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual:
                return left.isConstant && (right.isColumn || right.isConstant) || left.isColumn && right.isConstant
            case .has, .add, .sub, .mul, .div, .divby, .mod: return false
            }
        case .isIn(let item, let list): return item.isColumn && list.allSatisfy(\.isConstant)
        case .isInUser(let item, _): return item.isColumn
        case .call(.startswith, let arguments):
            return arguments.count == 2 && arguments[0].isColumn && arguments[1].isConstant
        // An index answers it.
        case .found(_, let texts): return texts.allSatisfy(\.isColumn)
        case .call, .unary, .promote, .cast, .conditional, .lambda, .count, .item, .member, .element, .list, .fold,
            .isSame, .invoke,
            .isResult:
            return false
        }
    }

    /// Whether it is a property as it is stored.
    var isColumn: Bool {
        switch node {
        case .path: true
        case .promote(let inner): inner.isColumn
        default: false
        }
    }

    /// Whether it is the same for all rows.
    var isConstant: Bool {
        switch node {
        case .literal, .me: true
        case .promote(let inner): inner.isConstant
        default: false
        }
    }
}

extension AggregationPlan.Step {
    /// Whether the step can neither fail nor take long over a row.
    var isHarmless: Bool {
        func isPlain(_ value: TypedExpression) -> Bool { value.isColumn || value.isConstant }
        switch self {
        case .filter(let condition): return condition.isHarmless
        case .cross(_, let condition, let values), .join(_, _, let condition, let values):
            return condition?.isHarmless ?? true && values.allSatisfy(isPlain)
        case .project(let values), .compute(let values): return values.allSatisfy(isPlain)
        case .group(let keys, _, let aggregates):
            return keys.allSatisfy(isPlain) && aggregates.allSatisfy { $0.value.map(isPlain) ?? true }
        case .order(let keys, _, _, let within):
            return keys.allSatisfy { isPlain($0.expression) } && within.allSatisfy(isPlain)
        case .rank(_, _, let by, let within): return isPlain(by) && within.allSatisfy(isPlain)
        case .concat(let branches, _): return branches.allSatisfy { $0.steps.allSatisfy(\.isHarmless) }
        }
    }
}
