// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A policy as text, as in `domain.yaml` and in `$metadata`: `counter`, `words else ask`, `custom(Prices)`.
extension ConflictPolicy {
    private static let plainRules: [(name: String, rule: Rule)] = [
        ("serverWins", .serverWins), ("clientWins", .clientWins), ("lastEdit", .lastEdit), ("counter", .counter),
        ("union", .union), ("minimum", .minimum), ("maximum", .maximum), ("words", .words), ("lines", .lines),
        ("ask", .ask),
    ]

    /// The words that a rule can be, for messages.
    package static let ruleNames = plainRules.map(\.name) + ["custom(Name)"]

    /// The text that ``init(text:)`` reads.
    public var text: String {
        let name =
            if case .custom(let function) = rule {
                "custom(\(function))"
            } else {
                ConflictPolicy.plainRules.first { $0.rule == rule }?.name ?? ""
            }
        return fallback == .serverWins ? name : "\(name) else \(fallback.rawValue)"
    }

    /// Reads a policy, or `nil` where the text is none.
    ///
    /// - Parameter text: a rule, then ` else ` and a fallback if it is not that the server wins.
    public init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard let name = parts.first, parts.count == 1 || parts.count == 3 && parts[1] == "else" else { return nil }
        var fallback = Fallback.serverWins
        if parts.count == 3 {
            guard let said = Fallback(rawValue: String(parts[2])) else { return nil }
            fallback = said
        }
        if let plain = ConflictPolicy.plainRules.first(where: { $0.name == name }) {
            self.init(plain.rule, else: fallback)
        } else if name.hasPrefix("custom("), name.hasSuffix(")") {
            let function = String(name.dropFirst(7).dropLast())
            guard SimpleIdentifier.isName(function) else { return nil }
            self.init(.custom(function), else: fallback)
        } else {
            return nil
        }
    }
}

extension ConflictPolicy {
    /// What the values of a property lack for the rule, as the end of a sentence; `nil` where it can decide over them.
    package func mismatch(with property: Property) -> String? {
        switch rule {
        case .serverWins, .clientWins, .lastEdit, .custom, .ask: return nil
        case .counter: return property.type.isNumeric && property.enumeration == nil ? nil : "needs a number"
        case .union:
            // A collection is the text of its JSON.
            return property.type == .string || property.type.integerRange != nil ? nil : "needs a collection or flags"
        case .minimum, .maximum:
            return property.structure == nil && !property.type.isSpatial ? nil : "needs values that have an order"
        case .words, .lines:
            return property.type == .string && property.structure == nil ? nil : "needs a text"
        }
    }
}
