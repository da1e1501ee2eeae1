// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What is no operator, literal or call: paths, casts, JSON.
extension ExpressionPrinter {
    static func appendOther(_ expression: Expression, to text: inout String) {
        switch expression {
        case .general(let segments): append(segments, to: &text)
        case .lambda(let quantifier, let path, let variable, let condition):
            text += path.joined(separator: "/") + "/"
            append(quantifier, variable, condition, to: &text)
        case .count(let path, let filter, let search):
            text += path.joined(separator: "/") + "/$count"
            append(filter, search, to: &text)
        case .cast(let operand, let type): append("cast", operand, type, to: &text)
        case .isOf(let operand, let type): append("isof", operand, type, to: &text)
        case .conditional(let branches):
            text += "case("
            for (place, branch) in branches.enumerated() {
                if place > 0 { text += "," }
                // The blanks keep a number before the colon from being read as a time.
                text += "\(print(branch.condition)) : \(print(branch.value))"
            }
            text += ")"
        case .enumeration(let type, let members): text += "\(type)'\(members)'"
        case .list(let items): appendArray(items, to: &text)
        case .object(let members):
            text += "{"
            for (place, member) in members.enumerated() {
                if place > 0 { text += "," }
                text += "\(JSONText.quoted(member.name)):\(print(member.value))"
            }
            text += "}"
        case .aggregate(let path, let items):
            text += (path + ["aggregate("]).joined(separator: "/")
            text += items.map(self.text).joined(separator: ",") + ")"
        default: break
        }
    }

    static func appendArray(_ items: [Expression], to text: inout String) {
        text += "[\(items.map { print($0) }.joined(separator: ","))]"
    }

    private static func append(_ name: String, _ operand: Expression?, _ type: String, to text: inout String) {
        text += "\(name)(\(operand.map { "\(print($0))," } ?? "")\(type))"
    }

    private static func append(
        _ quantifier: Expression.Quantifier,
        _ variable: String?,
        _ condition: Expression?,
        to text: inout String
    ) {
        text += "\(quantifier.rawValue)("
        if let variable, let condition { text += "\(variable):\(print(condition))" }
        text += ")"
    }

    private static func append(_ filter: Expression?, _ search: SearchExpression?, to text: inout String) {
        let options = [filter.map { "$filter=\(print($0))" }, search.map { "$search=\($0.nestedText)" }].compactMap(
            \.self
        )
        if !options.isEmpty { text += "(\(options.joined(separator: ";")))" }
    }

    private static func append(_ segments: [PathSegment], to text: inout String) {
        for (place, segment) in segments.enumerated() {
            if case .key = segment {} else if place > 0 { text += "/" }
            switch segment {
            case .root: text += "$root"
            case .name(let name), .cast(let name): text += name
            case .key(let arguments): text += self.text(arguments)
            case .function(let name, let arguments): text += name + self.text(arguments)
            case .annotation(let term, let qualifier): text += "@\(term)\(qualifier.map { "#\($0)" } ?? "")"
            case .filter(let condition): text += "$filter(\(print(condition)))"
            case .lambda(let quantifier, let variable, let condition):
                append(quantifier, variable, condition, to: &text)
            case .count(let filter, let search):
                text += "$count"
                append(filter, search, to: &text)
            case .aggregate(let items): text += "aggregate(\(items.map(self.text).joined(separator: ",")))"
            case .ordinal(let place): text += "\(place)"
            case .alias(let name): text += "@\(name)"
            }
        }
    }

    /// `(a=1,b=2)`.
    static func text(_ arguments: [PathArgument]) -> String {
        let texts = arguments.map { argument in (argument.name.map { "\($0)=" } ?? "") + print(argument.value) }
        return "(\(texts.joined(separator: ",")))"
    }
}
