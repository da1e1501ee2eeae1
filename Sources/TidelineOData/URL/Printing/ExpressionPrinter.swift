// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Writes an expression as OData text, the opposite of the parser.
public enum ExpressionPrinter {
    /// The text of an expression, with the parentheses that it needs and no others; not percent-encoded.
    public static func print(_ expression: Expression) -> String {
        var text = ""
        append(expression, over: 0, to: &text)
        return text
    }

    /// The value of `$orderby` for some items.
    public static func print(_ items: [OrderByItem]) -> String {
        items.map { print($0.expression) + ($0.isDescending ? " desc" : "") }.joined(separator: ",")
    }

    /// A literal as expressions and keys write it: `42`, `'A''B'`, `2026-01-01`, `duration'P1D'`.
    public static func literal(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .string(let text):
            text.quoted(by: "'")
        // Without an exponent it would be read as an integer or a decimal.
        case .double(let number) where number.isFinite:
            DoubleText.text(number) + (DoubleText.text(number).utf8.contains(UInt8(ascii: "e")) ? "" : "e0")
        case .binary: "binary'\(value.text ?? "")'"
        case .duration: "duration'\(value.text ?? "")'"
        case .geography(let shape): "\(shape.isFlat ? "geometry" : "geography")'\(shape.text)'"
        default: value.text ?? ""
        }
    }

    private static let unaryLevel = 7
    private static let membershipLevel = 8
    private static let primaryLevel = 9

    private static func level(_ expression: Expression) -> Int {
        switch expression {
        case .binary(let operation, _, _): ExpressionReader.precedence(operation)
        case .unary: unaryLevel
        case .isIn, .isInUser, .isInCollection: membershipLevel
        default: primaryLevel
        }
    }

    /// Appends an expression, in parentheses when it binds less than `minimum`.
    static func append(_ expression: Expression, over minimum: Int, to text: inout String) {
        let needsParentheses = level(expression) < minimum
        if needsParentheses { text += "(" }
        switch expression {
        case .literal(let value): text += literal(value)
        // `not` before anything else would be read as the operator.
        case .path(let names) where isOperator(names): text += "(\(names[0]))"
        case .path(let names): text += names.joined(separator: "/")
        case .me(let attribute): text += attribute.map { "@me/\($0)" } ?? "@me"
        case .unary(.not, let operand):
            text += "not "
            append(operand, over: unaryLevel, to: &text)
        case .unary(.negate, let operand):
            var inner = ""
            append(operand, over: unaryLevel, to: &inner)
            // -5 would be read as a literal, also where it goes on: -5 in x.
            let isNumber = inner.utf8.first.map { (0x30...0x39).contains($0) } == true || isLiteral(operand)
            text += isNumber ? "-(\(inner))" : "-\(inner)"
        case .binary(let operation, let left, let right):
            let precedence = ExpressionReader.precedence(operation)
            append(left, over: operation == .has ? primaryLevel : precedence, to: &text)
            text += " \(operation.rawValue) "
            append(right, over: isChain(operation, right) ? precedence : precedence + 1, to: &text)
        case .call(let function, let arguments):
            text += function.rawValue
            appendList(arguments, to: &text)
        case .isIn(let item, let list):
            append(item, over: primaryLevel, to: &text)
            text += " in "
            // Parentheses hold literals only.
            if list.allSatisfy(isListItem) { appendList(list, to: &text) } else { appendArray(list, to: &text) }
        case .isInCollection(let item, let collection):
            append(item, over: primaryLevel, to: &text)
            text += " in "
            // Parentheses after `in` would be a list.
            if case .path(let names) = collection {
                text += names.joined(separator: "/")
            } else {
                append(collection, over: primaryLevel, to: &text)
            }
        case .isInUser(let item, let attribute):
            append(item, over: primaryLevel, to: &text)
            text += " in @me/\(attribute)"
        default: appendOther(expression, to: &text)
        }
        if needsParentheses { text += ")" }
    }

    private static func isListItem(_ expression: Expression) -> Bool {
        switch expression {
        case .literal, .enumeration, .me, .list, .object: true
        default: false
        }
    }

    private static func appendList(_ items: [Expression], to text: inout String) {
        text += "("
        for (place, item) in items.enumerated() {
            if place > 0 { text += "," }
            append(item, over: 0, to: &text)
        }
        text += ")"
    }

    /// Whether a path is the single name `not`, in any case of letters.
    private static func isOperator(_ names: [String]) -> Bool {
        names.count == 1 && names[0].utf8.count == 3 && names[0].lowercased() == "not"
    }

    private static func isLiteral(_ expression: Expression) -> Bool {
        if case .literal = expression { true } else { false }
    }

    /// Whether `right` continues a chain of the same `and` or `or`, where grouping does not matter.
    private static func isChain(_ operation: Expression.BinaryOperator, _ right: Expression) -> Bool {
        guard operation == .and || operation == .or, case .binary(operation, _, _) = right else { return false }
        return true
    }
}
