// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// The most segments of a path.
    private static let pathLimit = 20

    /// What follows the beginning of a path: keys, `/Name`, `/$count`, `/any(…)`, to the end of the path.
    mutating func tail(of start: PathBuilder) throws(ODataError) -> Tree {
        var path = start
        while true {
            if text.next == UInt8(ascii: "("), path.takesKey {
                try key(into: &path)
                continue
            }
            guard text.next == UInt8(ascii: "/") else { break }
            guard path.count < Self.pathLimit else {
                throw text.tooComplex("A path has more than \(Self.pathLimit) segments.")
            }
            if let end = try end(of: path) { return end }
            try step(into: &path)
        }
        return try node(path.expression, path.depth)
    }

    /// `/Name`, `/Ns.Type`, `/Function(…)`, `/@Ns.Term`, `/$filter(…)`, `/0`.
    mutating func step(into path: inout PathBuilder) throws(ODataError) {
        text.offset += 1
        switch text.next {
        case UInt8(ascii: "@"):
            text.offset += 1
            path.append(try annotation())
        case UInt8(ascii: "$"):
            let start = text.offset
            text.offset += 1
            guard text.word() == "filter", text.skip("(") else {
                throw text.error("In a path $filter(…) and $count can stand here.", at: start)
            }
            lambdas += 1
            defer { lambdas -= 1 }
            let condition = try disjunction()
            guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
            path.append(.filter(condition.expression))
            path.depth = max(path.depth, condition.depth)
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            guard let place = text.ordinal() else { throw text.error("A path ends with a slash.") }
            path.append(.ordinal(place))
        default:
            guard let name = text.qualifiedName() else { throw text.error("A path ends with a slash.") }
            if text.next == UInt8(ascii: "("), try callsFunction(name, known: .function) {
                try function(name, into: &path)
            } else {
                path.append(name: name)
            }
        }
    }

    /// `/$count`, `/any(…)`, `/all(…)` or `/aggregate(…)`, with which a path ends; otherwise nothing is read.
    private mutating func end(of path: PathBuilder) throws(ODataError) -> Tree? {
        let start = text.offset
        text.offset += 1
        if text.skip("$") {
            guard text.word() == "count" else {
                text.offset = start
                return nil
            }
            return try count(of: path)
        }
        let (letters, end) = text.keyword()
        guard end < text.bytes.count, text.bytes[end] == UInt8(ascii: "(") else {
            text.offset = start
            // `aggregate` has nine letters.
            return try aggregate(over: path)
        }
        switch letters {
        case TextScanner.packed("any"): text.offset = end
        case TextScanner.packed("all"): text.offset = end
        default:
            text.offset = start
            return nil
        }
        return try lambda(letters == TextScanner.packed("any") ? .any : .all, over: path)
    }

    private mutating func count(of path: PathBuilder) throws(ODataError) -> Tree {
        var filter: Expression?
        var search: SearchExpression?
        if text.skip("(") {
            let options = try nestedOptions(allowed: [.filter, .search], of: "$count")
            filter = options.filter
            search = options.search
        }
        guard let names = path.names else {
            var path = path
            path.append(.count(filter: filter, search: search))
            return try node(path.expression, path.depth + 1)
        }
        return try node(.count(of: names, filter: filter, search: search), path.depth + 1)
    }

    /// `(i:i/Quantity gt 1)` after `any` or `all`.
    private mutating func lambda(_ quantifier: Expression.Quantifier, over path: PathBuilder) throws(ODataError) -> Tree
    {
        try enter()
        lambdas += 1
        defer {
            depth -= 1
            lambdas -= 1
        }
        text.offset += 1
        text.skipBlanks()
        var variable: String?
        var condition: Tree?
        if text.next != UInt8(ascii: ")") {
            guard let name = text.word() else { throw text.error("The name of a variable is missing.") }
            variable = name
            text.skipBlanks()
            guard text.skip(":") else { throw text.error("A colon follows the variable.") }
            text.skipBlanks()
            condition = try disjunction()
            text.skipBlanks()
        } else if quantifier == .all {
            throw text.error("all needs a variable and a condition.")
        }
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        let depth = max(path.depth, condition?.depth ?? 0)
        guard let names = path.names else {
            var path = path
            path.append(.lambda(quantifier, variable: variable, condition?.expression))
            return try node(path.expression, depth)
        }
        return try node(.lambda(quantifier, over: names, variable: variable, condition?.expression), depth)
    }

    // MARK: Keys and parameters

    /// Whether the parentheses that follow a name hold the parameters of a function and no key.
    ///
    /// Without a table of names: empty ones, and those with names where the name is qualified or the only choice.
    mutating func callsFunction(_ name: String, known kinds: NameKinds) throws(ODataError) -> Bool {
        if let names {
            let found = names[name]
            if !found.isDisjoint(with: kinds) { return true }
            if !found.isEmpty { return false }
        }
        let start = text.offset
        defer { text.offset = start }
        text.offset += 1
        text.skipBlanks()
        if text.next == UInt8(ascii: ")") { return true }
        guard text.word() != nil else { return false }
        return text.next == UInt8(ascii: "=")
    }

    mutating func function(_ name: String, into path: inout PathBuilder) throws(ODataError) {
        let (arguments, depth) = try arguments()
        if arguments.contains(where: { $0.name == nil }) {
            throw text.error("The parameters of the function \(name) need their names.")
        }
        path.append(.function(name, arguments))
        path.depth = max(path.depth, depth)
    }

    mutating func key(into path: inout PathBuilder) throws(ODataError) {
        let start = text.offset
        let (arguments, depth) = try arguments()
        guard !arguments.isEmpty else { throw text.error("The key is empty.", at: start) }
        path.append(.key(arguments))
        path.depth = max(path.depth, depth)
    }

    /// `(a=1,b=@p)` or `(1)`.
    mutating func arguments() throws(ODataError) -> ([PathArgument], depth: Int) {
        text.offset += 1
        text.skipBlanks()
        var arguments: [PathArgument] = []
        var depth = 0
        if text.skip(")") { return (arguments, depth) }
        repeat {
            text.skipBlanks()
            let start = text.offset
            var name = text.word()
            if name == nil || !text.skip("=") {
                name = nil
                text.offset = start
            }
            let value = try disjunction()
            arguments.append(PathArgument(name: name, value: value.expression))
            depth = max(depth, value.depth)
            guard arguments.count <= 50 else { throw text.tooComplex("There are more than 50 parameters.") }
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        return (arguments, depth)
    }
}
