// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Dynamic properties of open types: the model does not say what they hold, so the place where one stands has to.
///
///     Size gt 5        a number        cast(Size,Edm.Decimal)        a number        Size eq Other        refused
///
/// What an entity holds may be of another type than that: such a value counts as null, and is no null for all that.
extension ExpressionChecker {
    /// A value of which something tells the type.
    func settled(_ value: TypedExpression) throws(ExpressionError) -> TypedExpression {
        guard let name = value.dynamicName else { return value }
        throw untold(name)
    }

    func untold(_ name: String) -> ExpressionError {
        ExpressionError(
            .unsupported,
            message: "Nothing says of which type the dynamic property '\(name)' is here; a cast of its whole path "
                + "does, as cast(\(name),Edm.Decimal) for numbers and cast(\(name),Edm.String) for texts.",
            target: name
        )
    }

    /// `Size eq Price`: two values that are equal, or nothing on both sides, and not a value of another type beside null.
    ///
    /// Beside `@me`, which has no type either, both are texts: `Owner eq @me`.
    func dynamicEquality(
        _ name: Expression.BinaryOperator,
        _ left: TypedExpression,
        _ right: TypedExpression
    ) throws(ExpressionError) -> TypedExpression? {
        guard name.isEquality, left.isDynamic != right.isDynamic else { return nil }
        let (dynamic, other) = left.isDynamic ? (left, right) : (right, left)
        // What is equal to a constant is a value of its type.
        guard other.constant == nil else { return nil }
        let (value, known) =
            other.isUntyped
            ? (cast(dynamic, dynamicTo: .string), other.typed(.string))
            : try comparable(dynamic, other, name.rawValue, isEquality: true)
        let equality = TypedExpression(node: .binary(.equal, value, known), type: .boolean)
        let test = equality.joined(isThere(value).alternative(isAbsent(dynamic)))
        return name == .equal ? test : TypedExpression(node: .unary(.not, test), type: .boolean)
    }

    /// A dynamic property as one of a type.
    func cast(_ value: TypedExpression, dynamicTo type: PrimitiveType) -> TypedExpression {
        if type.integerRange != nil { return TypedExpression(node: .cast(value.typed(.decimal)), type: type) }
        guard type == .string else { return value.typed(type) }
        let forms = [PrimitiveType.string, .decimal, .double, .boolean].map { form in
            let found = value.typed(form)
            let text = form == .string ? found : TypedExpression(node: .cast(found), type: .string)
            return TypedExpression.Branch(condition: isThere(found), value: text)
        }
        return TypedExpression(node: .conditional(forms), type: .string)
    }

    /// `year(Made)`: what the property holds says which of the argument's types counts; `nil` for other calls.
    func call(
        _ function: Expression.Function,
        dynamic arguments: [TypedExpression]
    ) throws(ExpressionError) -> TypedExpression? {
        guard arguments.count == 1, arguments[0].isDynamic else { return nil }
        let types = function.argumentTypes(0)
        guard types.count > 1, !types[0].isNumeric, !types[0].isSpatial else { return nil }
        let forms = types.map { type in
            let value = arguments[0].typed(type)
            let result = TypedExpression(node: .call(function, [value]), type: function.resultType)
            return TypedExpression.Branch(condition: isThere(value), value: result)
        }
        return TypedExpression(node: .conditional(forms), type: function.resultType)
    }

    private func isThere(_ value: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.notEqual, value, .literal(.null, nil)), type: .boolean)
    }

    private func isAbsent(_ value: TypedExpression) -> TypedExpression {
        TypedExpression(node: .binary(.equal, value.whole, .literal(.null, nil)), type: .boolean)
    }
}

extension TypedExpression {
    /// Whether this is a dynamic property of which nothing has told the type yet.
    var isDynamic: Bool { dynamicName != nil }

    /// The path of the dynamic property that this is, of which nothing has told the type yet.
    var dynamicName: String? {
        guard type == nil else { return nil }
        return switch node {
        case .member(_, let names): names.joined(separator: "/")
        // Of an entity that was cast, or reached by its key.
        case .conditional(let branches) where branches.count == 1: branches[0].value.dynamicName
        case .fold(.only, _, _, let value): value.dynamicName
        default: nil
        }
    }

    /// A dynamic property as the JSON that it is, whatever its type: to be compared with null.
    var whole: TypedExpression {
        var copy = mappingDynamic(\.whole)
        (copy.type, copy.structure) = (.string, .dynamic)
        return copy
    }

    /// A dynamic property of an entity that was cast, or reached by its key, with another form of the property.
    func mappingDynamic(_ change: (TypedExpression) -> TypedExpression) -> TypedExpression {
        var copy = self
        switch node {
        case .conditional(let branches):
            copy.node = .conditional(branches.map { Branch(condition: $0.condition, value: change($0.value)) })
        case .fold(.only, let items, let test, let value):
            copy.node = .fold(.only, items, where: test, change(value))
        default: break
        }
        return copy
    }
}
