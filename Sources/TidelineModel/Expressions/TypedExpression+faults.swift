// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Divisions of integers by a zero that stands in the data, for which a request fails.
///
///     Qty ne 0 and Total div Qty gt 3        fails where    not ((Qty ne 0) eq false) and (Qty eq 0 and Total ne null)
///
/// The condition is worked out from the expression, and never fails itself, so that nobody depends on the order in which
/// a database looks at rows and at conditions: it is asked of the same rows beside the request's own question.
/// Source: OData URL Conventions 4.01, section 5.1.1.2.
extension TypedExpression {
    /// For which entities evaluating this divides an integer by zero; `nil` where none can be.
    ///
    /// Of `and` and `or` a side counts only where the other does not decide alone, whichever stands first; of `case` only
    /// the branch that is taken and the conditions before it.
    package var fault: TypedExpression? {
        switch node {
        case .binary(.and, let left, let right):
            return .either(left.fault?.joined(right.isNotFalse), right.fault?.joined(left.isNotFalse))
        case .binary(.or, let left, let right):
            return .either(left.fault?.joined(right.isNotTrue), right.fault?.joined(left.isNotTrue))
        case .binary(let name, let left, let right) where name.dividesIntegers(left, right):
            let zero = TypedExpression(node: .binary(.equal, right, .literal(.integer(0), right.type)), type: .boolean)
            let some = TypedExpression(node: .binary(.notEqual, left, .literal(.null, nil)), type: .boolean)
            let own = right.constant == nil ? zero.joined(some) : nil
            return .either(own, .either(left.fault, right.fault))
        case .conditional(let branches):
            return branches.reversed().reduce(nil as TypedExpression?) { rest, branch in
                let taken = branch.value.fault.map(branch.condition.joined)
                let later = rest.map(branch.condition.isNotTrue.joined)
                return .either(branch.condition.fault, .either(taken, later))
            }
        case .lambda(_, let items, let body), .count(let items, let body):
            return .either(items.fault, body?.fault.map { .some(items, $0) })
        case .fold(_, let items, let body, let value):
            let taken = value.fault.map { fault in body.map { $0.joined(fault) } ?? fault }
            return .either(items.fault, TypedExpression.either(body?.fault, taken).map { .some(items, $0) })
        default:
            return parts.reduce(nil as TypedExpression?) { .either($0, $1.expression.fault) }
        }
    }

    /// One of two conditions, where there are any.
    package static func either(_ left: TypedExpression?, _ right: TypedExpression?) -> TypedExpression? {
        guard let left, let right else { return left ?? right }
        return left.alternative(right)
    }

    private static func some(_ items: Items, _ condition: TypedExpression) -> TypedExpression {
        TypedExpression(node: .lambda(.any, items, condition), type: .boolean)
    }

    /// Whether a condition is true or null.
    private var isNotFalse: TypedExpression {
        let isFalse = TypedExpression(node: .binary(.equal, self, .literal(.boolean(false), .boolean)), type: .boolean)
        return TypedExpression(node: .unary(.not, isFalse), type: .boolean)
    }
}

extension TypedExpression.Items {
    fileprivate var fault: TypedExpression? {
        switch self {
        case .values(let array): array.fault
        case .entities, .set: nil
        }
    }
}

extension Expression.BinaryOperator {
    /// Whether this is a division whose result does not exist for a divisor of zero.
    fileprivate func dividesIntegers(_ left: TypedExpression, _ right: TypedExpression) -> Bool {
        switch self {
        case .div, .divby, .mod: left.type?.integerRange != nil && right.type?.integerRange != nil
        default: false
        }
    }
}
