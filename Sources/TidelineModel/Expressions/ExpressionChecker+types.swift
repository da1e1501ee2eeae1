// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ExpressionChecker {
    /// Brings two sides of a comparison to one type.
    func comparable(
        _ left: TypedExpression,
        _ right: TypedExpression,
        _ target: String,
        isEquality: Bool
    ) throws(ExpressionError) -> (TypedExpression, TypedExpression) {
        if left.isNull || right.isNull {
            for side in [left, right] {
                if case .collection? = side.structure {
                    throw ExpressionError(.wrongType, message: "A collection is never null.", target: target)
                }
            }
            return (left.besideNull, right.besideNull)
        }
        guard left.isComparable, right.isComparable else {
            throw ExpressionError(
                .unsupported,
                message: "Structured and spatial values are compared with null only.",
                target: target
            )
        }
        if left.isUntyped || right.isUntyped { return try untyped(left, right) }
        // What most comparisons are: nothing of either side has to change its meaning first.
        if left.enumeration == nil, right.enumeration == nil, let first = left.type, let second = right.type {
            if first == .string, second == .string { return (left, right) }
            if first.isNumeric, second.isNumeric, !left.isText, !right.isText { return numbers(left, right) }
        }
        var left = try literal(member(left, beside: right, target), as: right.type, target)
        var right = try literal(member(right, beside: left, target), as: left.type, target)
        guard let first = left.type, let second = right.type else { return (left, right) }
        if let name = left.enumeration ?? right.enumeration, left.enumeration ?? name != right.enumeration ?? name {
            throw ExpressionError(
                .wrongType,
                message: "Values of two enumerations cannot be compared.",
                target: target
            )
        }
        if first.isNumeric, second.isNumeric { return numbers(left, right) }
        if first == second { return (left, right) }
        switch (first, second) {
        case (.date, .dateTimeOffset), (.dateTimeOffset, .date):
            (left, right) = (left.promoted(to: .dateTimeOffset), right.promoted(to: .dateTimeOffset))
            return (left, right)
        default:
            throw ExpressionError(
                .wrongType,
                message: "\(first.rawValue) and \(second.rawValue) cannot be compared.",
                target: target
            )
        }
    }

    /// A side without a type takes that of the other; a number in JSON is a decimal, whatever it is compared with.
    private func untyped(
        _ left: TypedExpression,
        _ right: TypedExpression
    ) throws(ExpressionError) -> (TypedExpression, TypedExpression) {
        if !left.isUntyped {
            let (right, left) = try untyped(right, left)
            return (left, right)
        }
        guard !right.isUntyped, let type = right.type else {
            // Of `@me` and `@me` both are texts.
            return (try settled(left).typed(.string), try settled(right).typed(.string))
        }
        guard !left.isDynamic || right.enumeration == nil else {
            throw unsupported("a dynamic property beside a member of an enumeration")
        }
        if left.isDynamic, type.integerRange != nil {
            return (left.typed(.decimal), right.promoted(to: .decimal))
        }
        return (left.typed(type), right)
    }

    /// Text in quotes where another type is wanted becomes a value of that type.
    private func literal(
        _ expression: TypedExpression,
        as type: PrimitiveType?,
        _ target: String
    ) throws(ExpressionError) -> TypedExpression {
        // Not `!=`: of types with raw values it compares these, here texts.
        guard case .string(let text)? = expression.constant, let type, !(type == .string) else { return expression }
        if let value = Value(text: text, as: type) { return TypedExpression(node: .literal(value), type: type) }
        if type == .date, let moment = DateTimeOffset(text) {
            return TypedExpression(node: .literal(.dateTimeOffset(moment)), type: .dateTimeOffset)
        }
        if type == .dateTimeOffset, let date = CalendarDate(text) {
            return TypedExpression(node: .literal(.date(date)), type: .date)
        }
        throw ExpressionError(
            .invalidLiteral,
            message: "A text in quotes here must be an \(type.rawValue).",
            target: target
        )
    }

    /// Two numbers for a comparison: exact wherever one side is exact, so that a constant can meet a column as it is.
    private func numbers(
        _ left: TypedExpression,
        _ right: TypedExpression
    ) -> (TypedExpression, TypedExpression) {
        let left = left.exactLiteral(beside: right)
        let right = right.exactLiteral(beside: left)
        let common = ExpressionChecker.common(left.type, right.type)
        return common == .int64 ? (left, right) : (left.promoted(to: common), right.promoted(to: common))
    }

    /// The narrowest type of arithmetic that holds both numbers.
    static func common(_ left: PrimitiveType?, _ right: PrimitiveType?) -> PrimitiveType {
        if left == .double || right == .double || left == .single || right == .single { return .double }
        return left == .decimal || right == .decimal ? .decimal : .int64
    }

    // MARK: - Arithmetic

    func arithmetic(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression
    ) throws(ExpressionError) -> TypedExpression {
        var (left, right) = (left, right)
        for side in [left, right] where side.enumeration != nil || side.structure != nil {
            throw ExpressionError(
                .wrongType,
                message: "'\(name.rawValue)' does not calculate with enumerations and structured values.",
                target: name.rawValue
            )
        }
        if left.isNull || right.isNull {
            return TypedExpression(node: .literal(.null), type: left.type ?? right.type)
        }
        if left.isUntyped || right.isUntyped { (left, right) = try untyped(left, right) }
        left = quoted(left, beside: right, name)
        right = quoted(right, beside: left, name)
        if left.type?.isNumeric == true, right.type?.isNumeric == true {
            try refuseZero(name, left, right)
            let common = ExpressionChecker.common(left.type, right.type)
            if common != .int64 { (left, right) = (left.promoted(to: common), right.promoted(to: common)) }
            let type = common == .int64 && name == .divby ? .decimal : common
            return TypedExpression(node: .binary(name, left, right), type: type)
        }
        if let type = try momentType(name, &left, &right) {
            return TypedExpression(node: .binary(name, left, right), type: type)
        }
        let names = [left, right].map { $0.type?.rawValue ?? "null" }
        throw ExpressionError(
            .wrongType,
            message: "'\(name.rawValue)' cannot be applied to \(names[0]) and \(names[1]).",
            target: name.rawValue
        )
    }

    /// A division of integers by a zero that is written down fails, as the standard says.
    ///
    /// A zero that comes from the data gives null, see ``ExpressionEvaluator``.
    private func refuseZero(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression
    ) throws(ExpressionError) {
        guard name == .div || name == .mod, right.constant == .integer(0), left.type?.integerRange != nil else {
            return
        }
        throw ExpressionError(.divisionByZero, message: "An integer is divided by zero.", target: name.rawValue)
    }

    /// Arithmetic of moments, dates and durations; `nil` for other operands.
    private func momentType(
        _ name: Expression.BinaryOperator,
        _ left: inout TypedExpression,
        _ right: inout TypedExpression
    ) throws(ExpressionError) -> PrimitiveType? {
        switch (left.type, name, right.type) {
        case (.dateTimeOffset, .add, .duration), (.dateTimeOffset, .sub, .duration): return .dateTimeOffset
        case (.date, .add, .duration), (.date, .sub, .duration): return .date
        case (.duration, .add, .duration), (.duration, .sub, .duration): return .duration
        case (.date, .sub, .date): return .duration
        case (.dateTimeOffset, .sub, .dateTimeOffset), (.date, .sub, .dateTimeOffset),
            (.dateTimeOffset, .sub, .date):
            left = left.promoted(to: .dateTimeOffset)
            right = right.promoted(to: .dateTimeOffset)
            return .duration
        case (.duration, .mul, let type?), (.duration, .div, let type?), (.duration, .divby, let type?):
            guard type.isNumeric else { return nil }
            right = right.promoted(to: .decimal, exactly: true)
            return .duration
        case (let type?, .mul, .duration) where type.isNumeric:
            (left, right) = (right, left.promoted(to: .decimal, exactly: true))
            return .duration
        default: return nil
        }
    }

    /// Text in quotes beside a moment or a duration: a duration, or for `sub` a moment.
    private func quoted(
        _ expression: TypedExpression,
        beside other: TypedExpression,
        _ name: Expression.BinaryOperator
    ) -> TypedExpression {
        guard case .string(let text)? = expression.constant, let type = other.type else { return expression }
        guard type == .duration || type == .date || type == .dateTimeOffset else { return expression }
        for candidate in [PrimitiveType.duration, .date, .dateTimeOffset] {
            if let value = Value(text: text, as: candidate) {
                return TypedExpression(node: .literal(value), type: candidate)
            }
        }
        return expression
    }
}

extension TypedExpression {
    /// Whether values of its kind are compared with others and not with null alone.
    fileprivate var isComparable: Bool { structure == nil && type?.isSpatial != true }

    /// This beside null, which tells no type.
    fileprivate var besideNull: TypedExpression { isDynamic ? whole : isUntyped ? typed(.string) : self }

    /// Whether this is text in quotes.
    fileprivate var isText: Bool {
        if case .literal(.string) = node { true } else { false }
    }

    /// A factor of a duration as a decimal: a constant floating-point number by its digits.
    fileprivate func promoted(to type: PrimitiveType, exactly: Bool) -> TypedExpression {
        if case .double(let number)? = constant, let decimal = EdmDecimal(shortest: number) {
            return .literal(.decimal(decimal), .decimal)
        }
        if self.type == .double || self.type == .single {
            return TypedExpression(node: .cast(self), type: .decimal)
        }
        return promoted(to: type)
    }

    /// A literal brought to what it is compared with: a whole decimal to an integer beside integers, a floating-point
    /// number to the decimal with its digits beside exact numbers.
    fileprivate func exactLiteral(beside other: TypedExpression) -> TypedExpression {
        guard let type = other.type, !(type == .double || type == .single), other.constant == nil else { return self }
        var result = self
        if case .double(let number)? = constant, let decimal = EdmDecimal(shortest: number) {
            result = TypedExpression(node: .literal(.decimal(decimal)), type: .decimal)
        }
        if type.integerRange != nil, case .decimal(let number)? = result.constant,
            let whole = number.coefficient(atScale: 0), let integer = Int64(exactly: whole)
        {
            result = TypedExpression(node: .literal(.integer(integer)), type: .int64)
        }
        return result
    }
}
