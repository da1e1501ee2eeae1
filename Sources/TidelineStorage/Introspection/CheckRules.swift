// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the CHECK constraints of a table say of single columns, in the few forms that have one meaning.
///
///     CHECK (length(code) <= 5)      CHECK (stock >= 0 AND stock < 1000)      CHECK (rate IS NULL OR rate BETWEEN 0 AND 1)
///     CHECK (kind IN ('A', 'B'))     CHECK (id = 1)                           CHECK (json_type(tags) = 'array')
///     CHECK (kind = 'bike' OR gears IS NULL)
///
/// Whatever else a constraint says is left to the database.
package struct CheckRules {
    /// The limits of one column.
    package struct Limits {
        package var maxLength: Int?
        package var low: Int64?
        package var high: Int64?
        package var texts: [String]?
        package var integers: [Int64]?
        /// Whether the column holds JSON, and of which kind: `array`, `object`.
        package var isJSON = false
        package var jsonType: String?

        package init() {}
    }

    /// That columns have values only in the rows where another one has a certain value.
    struct Owner {
        var discriminator: String
        var value: String
        var columns: [String]
    }

    /// By the column's name in lower case.
    package private(set) var limits: [String: Limits] = [:]
    private(set) var owners: [Owner] = []

    package init() {}

    /// - Parameter sql: the text of SQLite's CREATE TABLE.
    package init(sqlite sql: String) {
        for body in CheckTokens.checks(in: sql) { add(body) }
    }

    /// - Parameter constraints: each as PostgreSQL prints it: `CHECK (((a >= 0) AND (a < 9)))`.
    package init(postgres constraints: [String]) {
        for text in constraints {
            for body in CheckTokens.checks(in: text, hasBrackets: false) { add(PostgresCheck.plain(body)) }
        }
    }

    /// What is known of a column, by its name in the database.
    package subscript(column: String) -> Limits? { limits[column.lowercased()] }

    private mutating func add(_ tokens: [CheckToken]) {
        let tokens = CheckTokens.unwrapped(tokens)
        let choices = CheckTokens.parts(tokens, between: "OR").map(CheckTokens.unwrapped)
        if choices.count == 2 { return addChoice(choices[0], choices[1]) }
        for part in CheckTokens.conjuncts(tokens) {
            let part = CheckTokens.unwrapped(part)
            if CheckTokens.conjuncts(part).count > 1 {
                add(part)
            } else {
                addComparison(part)
            }
        }
    }

    /// `a IS NULL OR …`, where a null passes each other form too; `kind = 'x' OR (a IS NULL AND b IS NULL)`.
    private mutating func addChoice(_ first: [CheckToken], _ second: [CheckToken]) {
        for (test, rest) in [(first, second), (second, first)] {
            guard let nulls = Self.nulls(test) else { continue }
            if nulls.count == 1, Self.column(of: rest) == nulls[0] { return add(rest) }
            if rest.count == 3, case .name(let name) = rest[0], rest[1] == .mark("="), case .text(let value) = rest[2] {
                owners.append(Owner(discriminator: name.lowercased(), value: value, columns: nulls))
            }
            return
        }
    }

    /// The columns of `a IS NULL AND b IS NULL`, or `nil` for anything else.
    private static func nulls(_ tokens: [CheckToken]) -> [String]? {
        var columns: [String] = []
        for part in CheckTokens.parts(tokens, between: "AND").map(CheckTokens.unwrapped) {
            guard part.count == 3, case .name(let name) = part[0], CheckTokens.words(part[1...2]) == "IS NULL" else {
                return nil
            }
            columns.append(name.lowercased())
        }
        return columns
    }

    private static func column(of tokens: [CheckToken]) -> String? {
        let functions = ["length", "json_valid", "json_type"]
        for case .name(let name) in tokens where !functions.contains(name.lowercased()) { return name.lowercased() }
        return nil
    }

    private mutating func addComparison(_ tokens: [CheckToken]) {
        var rest = tokens[...]
        guard case .name(let first)? = rest.popFirst() else { return }
        var column = first.lowercased()
        var function: String?
        if ["length", "json_valid", "json_type"].contains(column), rest.count > 2, rest.first == .mark("(") {
            rest.removeFirst()
            guard case .name(let name)? = rest.popFirst(), rest.popFirst() == .mark(")") else { return }
            function = column
            column = name.lowercased()
        }
        var limits = self.limits[column] ?? Limits()
        let tail = Array(rest)
        switch function {
        case "json_valid": if tail.isEmpty || tail == [.mark("="), .integer(1)] { limits.isJSON = true }
        case "json_type":
            guard tail.count == 2, tail[0] == .mark("="), case .text(let kind) = tail[1] else { return }
            limits.isJSON = true
            limits.jsonType = kind
        case "length":
            guard let high = Self.bounds(tail)?.high, high > 0 else { return }
            limits.maxLength = min(limits.maxLength ?? Int.max, Int(high))
        default:
            if let list = Self.list(tail) {
                // Of two lists both hold.
                if let texts = list.texts { limits.texts = limits.texts?.filter(texts.contains) ?? texts }
                if let integers = list.integers {
                    limits.integers = limits.integers?.filter(integers.contains) ?? integers
                }
            } else if let bounds = Self.bounds(tail) {
                if let low = bounds.low { limits.low = max(limits.low ?? low, low) }
                if let high = bounds.high { limits.high = min(limits.high ?? high, high) }
            } else {
                return
            }
        }
        self.limits[column] = limits
    }

    /// `IN ('A', 'B')`, `= 1`: constants of one kind.
    private static func list(_ tokens: [CheckToken]) -> (texts: [String]?, integers: [Int64]?)? {
        var items: [CheckToken] = []
        if tokens.count == 2, tokens[0] == .mark("=") || tokens[0] == .mark("==") {
            items = [tokens[1]]
        } else {
            guard tokens.count > 3, CheckTokens.words(tokens[0...0]) == "IN", tokens[1] == .mark("("),
                tokens.last == .mark(")")
            else { return nil }
            for (place, token) in tokens[2..<tokens.count - 1].enumerated() {
                if place % 2 == 1 {
                    guard token == .mark(",") else { return nil }
                } else {
                    items.append(token)
                }
            }
        }
        var texts: [String] = []
        var integers: [Int64] = []
        for item in items {
            switch item {
            case .text(let text): if !texts.contains(text) { texts.append(text) }
            case .integer(let number): if !integers.contains(number) { integers.append(number) }
            default: return nil
            }
        }
        guard texts.isEmpty != integers.isEmpty else { return nil }
        return texts.isEmpty ? (nil, integers) : (texts, nil)
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
}
