// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What the CHECK constraints of a table say of single columns, in the few forms that have one meaning.
///
///     CHECK (length(code) <= 5)      CHECK (stock >= 0 AND stock < 1000)      CHECK (rate IS NULL OR rate BETWEEN 0 AND 1)
///
/// Whatever else a constraint says is left to the database.
struct CheckRules {
    /// The limits of one column.
    struct Limits {
        var maxLength: Int?
        var low: Int64?
        var high: Int64?
    }

    /// By the column's name in lower case.
    private(set) var limits: [String: Limits] = [:]

    /// - Parameter sql: the text of CREATE TABLE.
    init(sql: String) {
        for body in CheckTokens.checks(in: sql) { add(body) }
    }

    private mutating func add(_ tokens: [CheckToken]) {
        let tokens = CheckTokens.unwrapped(tokens)
        if tokens.count > 4, case .name(let column) = tokens[0], CheckTokens.words(tokens[1...3]) == "IS NULL OR" {
            // A null passes each other form too.
            let rest = CheckTokens.unwrapped(Array(tokens[4...]))
            if Self.column(of: rest) == column.lowercased() { add(rest) }
            return
        }
        for part in CheckTokens.conjuncts(tokens) { addComparison(CheckTokens.unwrapped(part)) }
    }

    private static func column(of tokens: [CheckToken]) -> String? {
        for case .name(let name) in tokens where name.lowercased() != "length" { return name.lowercased() }
        return nil
    }

    private mutating func addComparison(_ tokens: [CheckToken]) {
        var rest = tokens[...]
        guard case .name(let first)? = rest.popFirst() else { return }
        var column = first.lowercased()
        var isLength = false
        if column == "length", rest.count > 3, rest.first == .mark("(") {
            rest.removeFirst()
            guard case .name(let name)? = rest.popFirst(), rest.popFirst() == .mark(")") else { return }
            column = name.lowercased()
            isLength = true
        }
        guard let bounds = Self.bounds(Array(rest)) else { return }
        var limits = self.limits[column] ?? Limits()
        if isLength {
            if let high = bounds.high, high > 0 { limits.maxLength = min(limits.maxLength ?? Int.max, Int(high)) }
        } else {
            if let low = bounds.low { limits.low = max(limits.low ?? low, low) }
            if let high = bounds.high { limits.high = min(limits.high ?? high, high) }
        }
        self.limits[column] = limits
    }

    /// `<= 5`, `> 0`, `BETWEEN 1 AND 9`: whole numbers only.
    private static func bounds(_ tokens: [CheckToken]) -> (low: Int64?, high: Int64?)? {
        if tokens.count == 2, case .mark(let mark) = tokens[0], case .integer(let number) = tokens[1] {
            switch mark {
            case "<=": return (nil, number)
            case "<": return (nil, number &- 1)
            case ">=": return (number, nil)
            case ">": return (number &+ 1, nil)
            default: return nil
            }
        }
        guard
            tokens.count == 4, CheckTokens.words(tokens[0...0]) == "BETWEEN", case .integer(let low) = tokens[1],
            CheckTokens.words(tokens[2...2]) == "AND", case .integer(let high) = tokens[3]
        else { return nil }
        return (low, high)
    }

    /// Narrows a property to the limits of its column; what does not fit its type is passed over.
    ///
    /// - Returns: what was found, as the end of a sentence, or `nil`.
    func apply(to property: inout Property) -> String? {
        guard let limits = limits[property.names.database.lowercased()] else { return nil }
        var found: [String] = []
        if let length = limits.maxLength, [.string, .binary].contains(property.type) {
            property.maxLength = min(property.maxLength ?? length, length)
            found.append("at most \(length) long")
        }
        // A fraction may lie above `> 0` and below 1, so only whole numbers have these limits.
        if let range = property.type.integerRange {
            if let low = limits.low, range.contains(low) {
                property.minimum = .integer(low)
                found.append("at least \(low)")
            }
            if let high = limits.high, range.contains(high) {
                property.maximum = .integer(high)
                found.append("at most \(high)")
            }
        }
        return found.isEmpty ? nil : found.joined(separator: " and ")
    }
}
