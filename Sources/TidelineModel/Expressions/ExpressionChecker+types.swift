// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension ExpressionChecker {
    /// Brings two sides of a comparison to one type.
    func comparable(
        _ left: TypedExpression,
        _ right: TypedExpression,
        _ target: String
    ) throws(ExpressionError) -> (TypedExpression, TypedExpression) {
        if left.isNull || right.isNull { return (left, right) }
        if case .me = left.node { return (left.typed(right.type), right) }
        if case .me = right.node { return (left, right.typed(left.type)) }
        let left = try literal(left, as: right.type, target)
        let right = try literal(right, as: left.type, target)
        guard let first = left.type, let second = right.type else { return (left, right) }
        if first.isNumeric, second.isNumeric { return numbers(left, right) }
        if first == second { return (left, right) }
        switch (first, second) {
        case (.date, .dateTimeOffset), (.dateTimeOffset, .date):
            return (left.promoted(to: .dateTimeOffset), right.promoted(to: .dateTimeOffset))
        default:
            throw ExpressionError(
                .wrongType,
                message: "\(first.rawValue) and \(second.rawValue) cannot be compared.",
                target: target
            )
        }
    }

    /// Text in quotes where another type is wanted becomes a value of that type.
    private func literal(
        _ expression: TypedExpression,
        as type: PrimitiveType?,
        _ target: String
    ) throws(ExpressionError) -> TypedExpression {
        guard case .string(let text)? = expression.constant, let type, type != .string else { return expression }
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
        let types = [left, right]
        if types.contains(.double) || types.contains(.single) { return .double }
        return types.contains(.decimal) ? .decimal : .int64
    }

    // MARK: - Arithmetic

    func arithmetic(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression
    ) throws(ExpressionError) -> TypedExpression {
        var (left, right) = (left, right)
        if case .me = left.node { left = left.typed(right.type) }
        if case .me = right.node { right = right.typed(left.type) }
        if left.isNull || right.isNull {
            return TypedExpression(node: .literal(.null), type: left.type ?? right.type)
        }
        left = quoted(left, beside: right, name)
        right = quoted(right, beside: left, name)
        if left.type?.isNumeric == true, right.type?.isNumeric == true {
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

    /// `add` and `sub` of moments, dates and durations; `nil` for other operands.
    private func momentType(
        _ name: Expression.BinaryOperator,
        _ left: inout TypedExpression,
        _ right: inout TypedExpression
    ) throws(ExpressionError) -> PrimitiveType? {
        guard name == .add || name == .sub else { return nil }
        switch (left.type, right.type) {
        case (.dateTimeOffset, .duration): return .dateTimeOffset
        case (.date, .duration): return .date
        case (.duration, .duration): return .duration
        case (.date, .date) where name == .sub: return .duration
        case (.dateTimeOffset, .dateTimeOffset) where name == .sub, (.date, .dateTimeOffset) where name == .sub,
            (.dateTimeOffset, .date) where name == .sub:
            left = left.promoted(to: .dateTimeOffset)
            right = right.promoted(to: .dateTimeOffset)
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

    // MARK: - Functions

    func call(
        _ function: Expression.Function,
        _ arguments: [TypedExpression]
    ) throws(ExpressionError) -> TypedExpression {
        switch function {
        case .matchesPattern, .hassubset, .hassubsequence, .geoDistance, .geoIntersects, .geoLength:
            throw ExpressionError(
                .unsupported,
                message: "'\(function.rawValue)' is not supported here.",
                target: function.rawValue
            )
        default: break
        }
        let allowed = function.argumentCounts
        guard allowed.contains(arguments.count) else {
            throw ExpressionError(
                .argumentCount,
                message: "'\(function.rawValue)' takes \(allowed.lowerBound) "
                    + (allowed.count > 1 ? "or \(allowed.upperBound) " : "")
                    + "argument\(allowed == 1...1 ? "" : "s") and not \(arguments.count).",
                target: function.rawValue
            )
        }
        var typed: [TypedExpression] = []
        for (place, argument) in arguments.enumerated() {
            typed.append(try self.argument(argument, place, of: function))
        }
        let result = function.resultType ?? typed.first?.type.map { $0.integerRange != nil ? .int64 : $0 }
        return TypedExpression(node: .call(function, typed), type: result)
    }

    private func argument(
        _ argument: TypedExpression,
        _ place: Int,
        of function: Expression.Function
    ) throws(ExpressionError) -> TypedExpression {
        let types = function.argumentTypes(place)
        if argument.isNull { return argument.typed(types[0]) }
        if case .me = argument.node { return argument.typed(types[0]) }
        if let type = argument.type, types.contains(type) { return argument }
        if types == [.int64], argument.type?.integerRange != nil { return argument }
        if case .string(let text)? = argument.constant {
            for type in types {
                if let value = Value(text: text, as: type) { return TypedExpression(node: .literal(value), type: type) }
            }
        }
        let wanted = types.map(\.rawValue).joined(separator: " or ")
        throw ExpressionError(
            .wrongType,
            message: "Argument \(place + 1) of '\(function.rawValue)' must be of type \(wanted).",
            target: function.rawValue
        )
    }
}

extension TypedExpression {
    /// A literal brought to what it is compared with: a whole decimal to an integer beside integers, a floating-point
    /// number to the decimal with its digits beside exact numbers.
    fileprivate func exactLiteral(beside other: TypedExpression) -> TypedExpression {
        guard let type = other.type, type != .double, type != .single, other.constant == nil else { return self }
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
