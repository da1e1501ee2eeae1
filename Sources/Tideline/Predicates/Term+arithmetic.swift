// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Arithmetic, as OData has it: whole numbers divide to whole numbers.
extension Term where Content: NumberValue {
    /// The sum.
    public static func + (left: Term, right: Term) -> Term { combine(left, .add, right.expression) }

    /// The sum with a constant.
    public static func + (left: Term, right: Content) -> Term { combine(left, .add, .literal(right.edmValue)) }

    /// The difference.
    public static func - (left: Term, right: Term) -> Term { combine(left, .sub, right.expression) }

    /// The difference to a constant.
    public static func - (left: Term, right: Content) -> Term { combine(left, .sub, .literal(right.edmValue)) }

    /// The product.
    public static func * (left: Term, right: Term) -> Term { combine(left, .mul, right.expression) }

    /// The product with a constant.
    public static func * (left: Term, right: Content) -> Term { combine(left, .mul, .literal(right.edmValue)) }

    /// The quotient.
    public static func / (left: Term, right: Term) -> Term { combine(left, .div, right.expression) }

    /// The quotient by a constant.
    public static func / (left: Term, right: Content) -> Term { combine(left, .div, .literal(right.edmValue)) }

    /// The remainder of a division by a constant.
    public static func % (left: Term, right: Content) -> Term { combine(left, .mod, .literal(right.edmValue)) }

    private static func combine(_ left: Term, _ operation: Expression.BinaryOperator, _ right: Expression) -> Term {
        Term(.binary(operation, left.expression, right))
    }
}
