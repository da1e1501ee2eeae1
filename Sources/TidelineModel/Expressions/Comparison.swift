// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The six comparisons of two values of one family.
enum Comparison {
    static func holds(_ name: Expression.BinaryOperator, _ left: Value, _ right: Value) -> Bool {
        let order = Value.compare(left, right)
        switch name {
        case .equal: return order == 0
        case .notEqual: return order != 0
        default: break
        }
        guard let order, left != .null, right != .null else { return false }
        switch name {
        case .lessThan: return order < 0
        case .lessOrEqual: return order <= 0
        case .greaterThan: return order > 0
        default: return order >= 0
        }
    }
}

extension Expression.BinaryOperator {
    var isComparison: Bool {
        switch self {
        case .equal, .notEqual, .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual: true
        case .or, .and, .has, .add, .sub, .mul, .div, .divby, .mod: false
        }
    }
}
