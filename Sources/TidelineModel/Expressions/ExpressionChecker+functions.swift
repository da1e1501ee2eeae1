// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Calls of the canonical functions.
extension ExpressionChecker {
    func call(
        _ function: Expression.Function,
        _ arguments: [TypedExpression]
    ) throws(ExpressionError) -> TypedExpression {
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
        if let result = try call(function, dynamic: arguments) { return result }
        var typed = arguments
        for place in typed.indices { typed[place] = try argument(typed[place], place, of: function) }
        switch function {
        case .matchesPattern: try checkPattern(typed[1])
        case .hassubset, .hassubsequence: break
        case .substring: try refuseNegative(typed)
        default: break
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
        if function == .hassubset || function == .hassubsequence {
            if case .collection? = argument.structure { return argument }
            throw ExpressionError(
                .wrongType,
                message: "Argument \(place + 1) of '\(function.rawValue)' must be a collection of values.",
                target: function.rawValue
            )
        }
        if types[0].isSpatial { _ = try settled(argument) }
        if argument.isUntyped { return argument.typed(types[0]) }
        if case .collection? = argument.structure, function == .concat || function == .length {
            throw ExpressionError(
                .unsupported,
                message: "'\(function.rawValue)' is not supported for collections.",
                target: function.rawValue
            )
        }
        if let type = argument.type, types.contains(type), argument.structure == nil, argument.enumeration == nil {
            return argument
        }
        if types == [.int64], argument.type?.integerRange != nil, argument.enumeration == nil { return argument }
        if case .string(let text)? = argument.constant {
            for type in types {
                if let value = Value(text: text, as: type) { return TypedExpression(node: .literal(value), type: type) }
            }
        }
        let wanted = types.first?.isSpatial == true ? "a shape" : types.map(\.rawValue).joined(separator: " or ")
        throw ExpressionError(
            .wrongType,
            message: "Argument \(place + 1) of '\(function.rawValue)' must be of type \(wanted).",
            target: function.rawValue
        )
    }
}

extension ExpressionChecker {
    /// The pattern of `matchesPattern` is a constant, so that it is read once and refused before a row is looked at.
    private func checkPattern(_ argument: TypedExpression) throws(ExpressionError) {
        guard !argument.isNull else { return }
        guard case .string(let text)? = argument.constant else {
            throw ExpressionError(
                .unsupported,
                message: "The pattern of 'matchesPattern' has to be a constant.",
                target: "matchesPattern"
            )
        }
        do throws(Pattern.Failure) {
            _ = try Pattern(text)
        } catch {
            switch error {
            case .invalid(let why):
                throw ExpressionError(
                    .invalidLiteral,
                    message: "'\(text)' is no regular expression: \(why).",
                    target: "matchesPattern"
                )
            case .unsupported(let what):
                throw ExpressionError(
                    .unsupported,
                    message: "Regular expressions do not support \(what) here.",
                    target: "matchesPattern"
                )
            }
        }
    }

    /// The length of `substring` is not negative; a constant that is fails.
    private func refuseNegative(_ arguments: [TypedExpression]) throws(ExpressionError) {
        guard arguments.count > 2, case .integer(let count)? = arguments[2].constant, count < 0 else { return }
        throw ExpressionError(
            .invalidLiteral,
            message: "The length of 'substring' is negative.",
            target: "substring"
        )
    }
}
