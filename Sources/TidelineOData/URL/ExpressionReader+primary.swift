// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// A literal, a path, a call, `@me`, an alias, or parentheses.
    mutating func primary() throws(ODataError) -> Tree {
        switch text.next {
        case nil: throw text.error("The expression ends too early.")
        case UInt8(ascii: "("):
            text.offset += 1
            text.skipBlanks()
            let tree = try disjunction()
            text.skipBlanks()
            guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
            return tree
        case UInt8(ascii: "@"):
            text.offset += 1
            return try alias()
        case UInt8(ascii: "$"):
            return try instancePath()
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""):
            throw text.notSupported("JSON in expressions is not supported.")
        default: break
        }
        if let value = try text.literal() { return try node(.literal(value), 0) }
        let start = text.offset
        guard let name = text.word() else { throw text.error("An operand is missing.") }
        if text.next == UInt8(ascii: "(") { return try call(name, at: start) }
        return try path(from: name)
    }

    /// `$it/Name` is the path `Name`.
    private mutating func instancePath() throws(ODataError) -> Tree {
        let start = text.offset
        text.offset += 1
        guard text.word() == "it", text.skip("/"), let name = text.word() else {
            text.offset = start
            throw text.notSupported("Of the paths that begin with $ only $it/… is supported.")
        }
        return try path(from: name)
    }

    private mutating func path(from first: String) throws(ODataError) -> Tree {
        var names = [first]
        if text.next == UInt8(ascii: ".") { throw text.notSupported("Qualified names are not supported.") }
        while text.next == UInt8(ascii: "/") {
            text.offset += 1
            if text.next == UInt8(ascii: "$") { throw text.notSupported("/$count in expressions is not supported.") }
            if text.next == UInt8(ascii: "@") {
                throw text.notSupported("Annotations in expressions are not supported.")
            }
            guard let name = text.word() else { throw text.error("A path ends with a slash.") }
            if text.next == UInt8(ascii: ".") { throw text.notSupported("Qualified names are not supported.") }
            if text.next == UInt8(ascii: "(") {
                throw text.notSupported("any, all and functions at the end of a path are not supported.")
            }
            names.append(name)
            guard names.count <= 20 else { throw text.tooComplex("A path has more than 20 names.") }
        }
        return try node(.path(names), 0)
    }

    // MARK: Calls

    private mutating func call(_ name: String, at start: Int) throws(ODataError) -> Tree {
        guard let function = Expression.Function(rawValue: name.lowercased()) else {
            text.offset = start
            let known: Set = [
                "cast", "isof", "case", "matchespattern", "hassubset", "hassubsequence", "any", "all",
            ]
            if known.contains(name.lowercased()) { throw text.notSupported("The function \(name) is not supported.") }
            throw text.error("There is no function \(name).")
        }
        text.offset += 1
        var arguments: [Tree] = []
        text.skipBlanks()
        if !text.skip(")") {
            repeat {
                text.skipBlanks()
                arguments.append(try disjunction())
                guard arguments.count <= 3 else { throw text.error("\(name) has too many arguments.") }
                text.skipBlanks()
            } while text.skip(",")
            guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        }
        guard Self.arguments(of: function).contains(arguments.count) else {
            text.offset = start
            throw text.error("\(name) has the wrong number of arguments.")
        }
        let depth = arguments.reduce(0) { max($0, $1.depth) }
        return try node(.call(function, arguments.map(\.expression)), depth)
    }

    private static func arguments(of function: Expression.Function) -> ClosedRange<Int> {
        switch function {
        case .now, .mindatetime, .maxdatetime: 0...0
        case .concat, .contains, .endswith, .indexof, .startswith, .matchesPattern, .hassubset, .hassubsequence,
            .geoDistance, .geoIntersects:
            2...2
        case .substring: 2...3
        case .length, .tolower, .toupper, .trim, .year, .month, .day, .hour, .minute, .second, .fractionalseconds,
            .date, .time, .totaloffsetminutes, .totalseconds, .ceiling, .floor, .round, .geoLength:
            1...1
        }
    }

    // MARK: Aliases and the user

    private mutating func alias() throws(ODataError) -> Tree {
        let name = try aliasName()
        if name == "me" { return try node(.me(attribute: try userAttribute()), 0) }
        guard aliases[name] != nil || text.next == UInt8(ascii: "/") else { return try node(.literal(.null), 0) }
        if text.next == UInt8(ascii: "/") { throw text.notSupported("Paths from a parameter alias are not supported.") }
        var inner = try aliasReader(name)
        let tree = try inner.disjunction()
        try inner.expectEnd()
        nodes = inner.nodes
        return tree
    }

    /// The name after `@`.
    mutating func aliasName() throws(ODataError) -> String {
        guard let name = text.word() else { throw text.error("A name must follow @.") }
        if text.next == UInt8(ascii: ".") { throw text.notSupported("Annotations in expressions are not supported.") }
        return name
    }

    /// `/Roles` after `@me`, or `nil`.
    mutating func userAttribute() throws(ODataError) -> String? {
        guard text.skip("/") else { return nil }
        guard let name = text.word() else { throw text.error("A path ends with a slash.") }
        return name
    }

    /// A reader over the text of an alias, counting on from here.
    mutating func aliasReader(_ name: String) throws(ODataError) -> ExpressionReader {
        try enter()
        defer { depth -= 1 }
        return ExpressionReader(
            aliases[name] ?? "null",
            code: text.code,
            aliases: aliases,
            depth: depth + 4,
            nodes: nodes + 1
        )
    }
}
