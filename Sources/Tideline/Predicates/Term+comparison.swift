// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Comparisons. With null as OData says: null equals null only, and is neither less nor greater than anything.
///
/// Source: OData URL Conventions 4.01, section 5.1.1.1.
extension Term {
    /// Whether the term is that value; `nil` is null.
    public static func == (left: Term, right: Content?) -> Condition { compare(left, .equal, right) }

    /// Whether two terms have the same value.
    public static func == (left: Term, right: Term) -> Condition { compare(left, .equal, right) }

    /// Whether the term is not that value; `nil` is null.
    public static func != (left: Term, right: Content?) -> Condition { compare(left, .notEqual, right) }

    /// Whether two terms have different values.
    public static func != (left: Term, right: Term) -> Condition { compare(left, .notEqual, right) }

    /// Whether the term comes before that value.
    public static func < (left: Term, right: Content) -> Condition { compare(left, .lessThan, right) }

    /// Whether the left term comes before the right one.
    public static func < (left: Term, right: Term) -> Condition { compare(left, .lessThan, right) }

    /// Whether the term comes before that value or is it.
    public static func <= (left: Term, right: Content) -> Condition { compare(left, .lessOrEqual, right) }

    /// Whether the left term comes before the right one or is the same.
    public static func <= (left: Term, right: Term) -> Condition { compare(left, .lessOrEqual, right) }

    /// Whether the term comes after that value.
    public static func > (left: Term, right: Content) -> Condition { compare(left, .greaterThan, right) }

    /// Whether the left term comes after the right one.
    public static func > (left: Term, right: Term) -> Condition { compare(left, .greaterThan, right) }

    /// Whether the term comes after that value or is it.
    public static func >= (left: Term, right: Content) -> Condition { compare(left, .greaterOrEqual, right) }

    /// Whether the left term comes after the right one or is the same.
    public static func >= (left: Term, right: Term) -> Condition { compare(left, .greaterOrEqual, right) }

    /// Whether the term is one of some values; of none it never is.
    public func isIn(_ values: some Sequence<Content>) -> Condition {
        let items = values.map { Expression.literal($0.edmValue) }
        return Condition(items.isEmpty ? .literal(.boolean(false)) : .isIn(expression, items))
    }

    private static func compare(_ left: Term, _ operation: Expression.BinaryOperator, _ right: Term) -> Condition {
        Condition(.binary(operation, left.expression, right.expression))
    }

    private static func compare(_ left: Term, _ operation: Expression.BinaryOperator, _ right: Content?) -> Condition {
        Condition(.binary(operation, left.expression, .literal(right?.edmValue ?? .null)))
    }
}

extension Sequence where Element: PropertyValue {
    /// Whether a term is one of these values: `[1, 2].contains($0.status)`.
    public func contains(_ term: Term<Element>) -> Condition { term.isIn(self) }
}

extension ClosedRange where Bound: PropertyValue {
    /// Whether a term lies in the range, its ends included: `(10...20).contains($0.price)`.
    public func contains(_ term: Term<Bound>) -> Condition { term >= lowerBound && term <= upperBound }
}

extension Range where Bound: PropertyValue {
    /// Whether a term lies in the range, its upper end excluded.
    public func contains(_ term: Term<Bound>) -> Condition { term >= lowerBound && term < upperBound }
}
