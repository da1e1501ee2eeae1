// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Conditions of rules as the dynamic expressions of annotations, and back.
///
///     EndDate ge StartDate      <Ge><Path>EndDate</Path><Path>StartDate</Path></Ge>
///
/// Source: OData CSDL 4.01, section 14.4: comparison, logical and arithmetic operators, `If`, `In`, `Path`, and the
/// canonical functions as client-side functions of the namespace `odata`.
enum ConstraintExpression {
    private static let operators: [(Expression.BinaryOperator, String)] = [
        (.or, "Or"), (.and, "And"), (.equal, "Eq"), (.notEqual, "Ne"), (.lessThan, "Lt"), (.lessOrEqual, "Le"),
        (.greaterThan, "Gt"), (.greaterOrEqual, "Ge"), (.has, "Has"), (.add, "Add"), (.sub, "Sub"), (.mul, "Mul"),
        (.div, "Div"), (.divby, "DivBy"), (.mod, "Mod"),
    ]

    /// The annotation that says a condition, or `nil` where CSDL has no form for it, as for `any` and `all`.
    static func annotation(_ expression: Expression) -> AnnotationExpression? {
        switch expression {
        case .literal(.null): return .null
        case .literal(.geography): return nil
        case .literal(let value): return PropertyAnnotations.constant(value)
        case .path(let names):
            guard !names.contains(where: { $0.hasPrefix("$") }) else { return nil }
            return .path(.value, names.joined(separator: "/"))
        case .count(let names, nil, nil): return .path(.value, (names + ["$count"]).joined(separator: "/"))
        case .unary(let sign, let inner): return operation(sign == .not ? "Not" : "Neg", [inner])
        case .binary(let sign, let left, let right):
            guard let name = operators.first(where: { $0.0 == sign })?.1 else { return nil }
            return operation(name, [left, right])
        case .isIn(let item, let list):
            let items = list.compactMap(annotation)
            guard let item = annotation(item), items.count == list.count else { return nil }
            return .operation(.init(name: "In", operands: [item, .collection(items)]))
        case .call(let function, let arguments):
            guard !function.rawValue.contains("."), case .operation(var call)? = operation("Apply", arguments) else {
                return nil
            }
            call.function = "odata.\(function.rawValue)"
            return .operation(call)
        case .conditional(let branches): return conditional(branches)
        case .enumeration(let type, let members):
            let names = members.split(separator: ",").map { String($0.drop { $0 == " " }) }
            guard names.allSatisfy(SimpleIdentifier.isName) else { return nil }
            return .constant(.enumMember, names.map { "\(type)/\($0)" }.joined(separator: " "))
        case .general, .me, .isInUser, .isInCollection, .lambda, .count, .cast, .isOf, .list, .object, .aggregate:
            return nil
        }
    }

    private static func operation(_ name: String, _ operands: [Expression]) -> AnnotationExpression? {
        let said = operands.compactMap(annotation)
        return said.count == operands.count ? .operation(.init(name: name, operands: said)) : nil
    }

    /// `case(a:1,b:2)` as an `If` in the third part of another.
    private static func conditional(_ branches: [Expression.Branch]) -> AnnotationExpression? {
        var rest = AnnotationExpression.null
        for branch in branches.reversed() {
            guard let condition = annotation(branch.condition), let value = annotation(branch.value) else { return nil }
            rest =
                branch.condition == .literal(.boolean(true))
                ? value : .operation(.init(name: "If", operands: [condition, value, rest]))
        }
        return rest
    }

    // MARK: Reading

    /// The condition that an annotation says, or `nil` for what conditions have no form for.
    static func expression(_ annotation: AnnotationExpression) -> Expression? {
        switch annotation {
        case .constant(let kind, let text): return constant(kind, text)
        case .path(.value, let path):
            var names = path.split(separator: "/").map(String.init)
            let isCount = names.last == "$count"
            if isCount { names.removeLast() }
            guard !names.isEmpty, !names.contains(where: { $0.hasPrefix("$") || $0.contains("@") }) else { return nil }
            return isCount ? .count(of: names, filter: nil, search: nil) : .path(names)
        case .operation(let operation): return expression(operation)
        case .path, .collection, .record, .labeledElementReference: return nil
        }
    }

    private static func expression(_ operation: AnnotationExpression.Operation) -> Expression? {
        if operation.name == "Null" { return .literal(.null) }
        if operation.name == "In", operation.operands.count == 2 {
            let items = operation.operands[1].items
            let list = items.compactMap(expression)
            guard let item = expression(operation.operands[0]), list.count == items.count else { return nil }
            return .isIn(item, list)
        }
        if operation.name == "Cast" { return member(operation) }
        let operands = operation.operands.compactMap(expression)
        guard operands.count == operation.operands.count, let first = operands.first else { return nil }
        switch operation.name {
        case "Not" where operands.count == 1: return .unary(.not, first)
        case "Neg" where operands.count == 1: return .unary(.negate, first)
        case "If" where operands.count == 3:
            var branches = [Expression.Branch(condition: first, value: operands[1])]
            if operands[2] != .literal(.null) {
                branches.append(Expression.Branch(condition: .literal(.boolean(true)), value: operands[2]))
            }
            return .conditional(branches)
        case "Apply":
            guard let name = operation.function, name.hasPrefix("odata."),
                let function = Expression.Function(rawValue: String(name.dropFirst(6)))
            else { return nil }
            guard function == .concat, operands.count > 2 else { return .call(function, operands) }
            // Each operand is a level, and no check of levels is quick enough for an expression that was made already.
            guard operands.count <= ExpressionChecker.maxDepth else { return nil }
            return operands.dropFirst().reduce(first) { .call(.concat, [$0, $1]) }
        default:
            guard let sign = operators.first(where: { $0.1 == operation.name })?.0, operands.count == 2 else {
                return nil
            }
            return .binary(sign, first, operands[1])
        }
    }

    private static func constant(_ kind: AnnotationExpression.Constant, _ text: String) -> Expression? {
        let type: PrimitiveType
        switch kind {
        case .string: return .literal(.string(text))
        case .enumMember:
            let parts = text.split(separator: " ").map { $0.split(separator: "/", maxSplits: 1) }
            guard let enumeration = parts.first?.first, parts.allSatisfy({ $0.count == 2 && $0[0] == enumeration })
            else { return nil }
            return .enumeration(type: String(enumeration), members: parts.map { $0[1] }.joined(separator: ","))
        case .bool: type = .boolean
        case .int: type = .int64
        case .float: type = .double
        case .decimal: type = .decimal
        case .date: type = .date
        case .dateTimeOffset: type = .dateTimeOffset
        case .duration: type = .duration
        case .guid: type = .guid
        case .timeOfDay: type = .timeOfDay
        case .binary: type = .binary
        }
        // A number with an exponent is no decimal, though JSON writes both alike.
        let value = Value(text: text, as: type) ?? (type == .decimal ? Value(text: text, as: .double) : nil)
        return value.map { .literal($0) }
    }

    /// The members of an enumeration, which in JSON are a text that is cast.
    private static func member(_ operation: AnnotationExpression.Operation) -> Expression? {
        guard let type = operation.type?.name, !type.hasPrefix("Edm."), operation.operands.count == 1,
            case .constant(.string, let members) = operation.operands[0]
        else { return nil }
        return .enumeration(type: type, members: members)
    }
}
