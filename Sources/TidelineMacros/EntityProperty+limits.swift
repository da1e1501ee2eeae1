// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// What limits the values of a property, and what calculates them.
extension EntityProperty {
    /// The types that have no order that a range could be of.
    private static let unordered: Set<String> = ["Bool", "String", "GUID", "UUID", "[UInt8]", "Data"]
    private static let integers: Set<String> = ["Int", "Int8", "Int16", "Int32", "Int64", "UInt8"]

    mutating func readRange(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        guard let bounds = arguments.first?.expression.rangeBounds else {
            report(.badRange, Syntax(attribute))
            return
        }
        if Self.unordered.contains(base) {
            report(.noRange(base), Syntax(attribute))
            return
        }
        let numbers = [bounds.least, bounds.greatest].map { $0?.plainNumber }
        if Self.integers.contains(base), numbers.contains(where: { ($0 ?? nil).map { $0 != $0.rounded() } == true }) {
            report(.fractionInRange(base), Syntax(attribute))
        }
        if let least = numbers[0] ?? nil, let greatest = numbers[1] ?? nil, least > greatest {
            report(.reversedRange, Syntax(attribute))
        }
        self.bounds = Bounds(
            least: bounds.least?.trimmedDescription,
            greatest: bounds.greatest?.trimmedDescription
        )
    }

    mutating func readPattern(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        guard let expression = arguments.first?.expression, expression.plainString?.isEmpty == false else {
            report(.badPattern, Syntax(attribute))
            return
        }
        if base != "String" { report(.noPattern(base), Syntax(attribute)) }
        pattern = expression.trimmedDescription
    }

    mutating func readAllowedValues(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        if arguments.isEmpty { report(.noAllowedValues, Syntax(attribute)) }
        allowedValues = arguments.map(\.expression.trimmedDescription)
    }

    mutating func readCalculation(
        _ attribute: AttributeSyntax,
        _ arguments: [LabeledExprSyntax],
        report: (EntityMistake, Syntax) -> Void
    ) {
        guard let expression = arguments.first?.expression, expression.plainString?.isEmpty == false else {
            report(.badCalculation, Syntax(attribute))
            return
        }
        calculation = Calculation(
            expression: expression.trimmedDescription,
            isCached: arguments.first { $0.label?.text == "cached" }?.expression.trimmedDescription == "true"
        )
    }

    /// A calculated property is filled when the entity is read: it is optional, and nothing else is said of it.
    func checkCalculated(_ variable: VariableDeclSyntax, report: (EntityMistake, Syntax) -> Void) {
        if !isOptional || isConstant || initializer.map({ $0 != "nil" }) == true {
            report(.calculatedIsWritten, node)
        }
        for case .attribute(let attribute) in variable.attributes
        where !["Calculated", "Name"].contains(attribute.plainName) {
            report(.calculatedAndMore(attribute.plainName), Syntax(attribute))
        }
    }
}

extension ExprSyntax {
    /// The bounds of `a...b`, `a...` or `...b`, or `nil` for anything else.
    fileprivate var rangeBounds: (least: ExprSyntax?, greatest: ExprSyntax?)? {
        if let postfix = self.as(PostfixOperatorExprSyntax.self), postfix.operator.text == "..." {
            return (postfix.expression, nil)
        }
        if let prefix = self.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "..." {
            return (nil, prefix.expression)
        }
        guard let sequence = self.as(SequenceExprSyntax.self) else { return nil }
        let parts = Array(sequence.elements)
        guard parts.count == 3, parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "..." else { return nil }
        return (parts[0], parts[2])
    }

    /// The value of a literal number, a sign before it included, or `nil`.
    fileprivate var plainNumber: Double? {
        if let signed = self.as(PrefixOperatorExprSyntax.self), signed.operator.text == "-" {
            return signed.expression.plainNumber.map { -$0 }
        }
        if let float = self.as(FloatLiteralExprSyntax.self) { return Double(float.literal.text.filter { $0 != "_" }) }
        return plainInteger.map(Double.init)
    }
}
