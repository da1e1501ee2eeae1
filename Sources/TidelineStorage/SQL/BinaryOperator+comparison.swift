// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Expression.BinaryOperator {
    /// The operator with its sides exchanged.
    var mirrored: Self {
        switch self {
        case .lessThan: .greaterThan
        case .lessOrEqual: .greaterOrEqual
        case .greaterThan: .lessThan
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }

    /// The operator that is true where this one is false, nulls aside.
    var opposite: Self {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .lessThan: .greaterOrEqual
        case .lessOrEqual: .greaterThan
        case .greaterThan: .lessOrEqual
        case .greaterOrEqual: .lessThan
        default: self
        }
    }

    /// The operator of SQL that a comparison is.
    var symbol: StaticString {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .lessThan: "<"
        case .lessOrEqual: "<="
        case .greaterThan: ">"
        case .greaterOrEqual: ">="
        default: preconditionFailure("\(rawValue) is no comparison.")
        }
    }
}
