// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// A literal, a path, a call, `@me`, an alias, JSON, or parentheses.
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
            return try aliasOrAnnotation()
        case UInt8(ascii: "$"):
            return try instancePath()
        case UInt8(ascii: "["):
            let items = try array()
            return try node(.list(items.map(\.expression)), items.reduce(0) { max($0, $1.depth) })
        case UInt8(ascii: "{"):
            return try object()
        default: break
        }
        if let value = try text.literal() { return try node(.literal(value), 0) }
        let start = text.offset
        guard let name = text.word() else { throw text.error("An operand is missing.") }
        switch text.next {
        case UInt8(ascii: "("): return try call(name, at: start)
        case UInt8(ascii: "."):
            text.offset = start
            return try qualified()
        case UInt8(ascii: "/"): return try path(from: name)
        default: return try node(.path([name]), 0)
        }
    }

    /// `geo.distance(…)`, `Ns.Color'Red'`, `Ns.Function(…)`, `Ns.Type/Name`.
    private mutating func qualified() throws(ODataError) -> Tree {
        let start = text.offset
        guard let name = text.qualifiedName() else { throw text.error("An operand is missing.") }
        switch text.next {
        case UInt8(ascii: "'"):
            let members = try text.singleQuoted()
            guard EnumerationText.isWellFormed(members) else {
                throw text.error("Between the quotes are names or numbers of members.", at: start + name.utf8.count + 1)
            }
            return try node(.enumeration(type: name, members: members), 0)
        case UInt8(ascii: "("):
            if Expression.Function(named: name) != nil { return try call(name, at: start) }
            var path = PathBuilder()
            try function(name, into: &path)
            return try tail(of: path)
        case UInt8(ascii: "/"):
            var path = PathBuilder()
            path.append(name: name)
            return try tail(of: path)
        default:
            throw text.error("After the qualified name \(name) a path, a call or a literal goes on.")
        }
    }

    /// What begins with `$it`, `$this` or `$root`.
    private mutating func instancePath() throws(ODataError) -> Tree {
        let start = text.offset
        text.offset += 1
        var path = PathBuilder()
        switch text.word() {
        case "it":
            // Where there is one instance only, `$it/Name` is the path `Name`.
            if level == 0, lambdas == 0, isBeforeProperty { return try memberPath() }
            path.append(name: "$it")
        case "this": path.append(name: "$this")
        case "root":
            path.append(.root)
            guard text.skip("/") else { throw text.error("A name follows $root/.") }
            guard let name = text.word() else { throw text.error("The name of an entity set is missing.") }
            if text.next == UInt8(ascii: "("), try callsFunction(name, known: .functionImport) {
                try function(name, into: &path)
            } else {
                path.append(name: name)
            }
        default:
            throw text.error("Of what begins with $ there are $it, $this and $root here.", at: start)
        }
        return try tail(of: path)
    }

    /// Whether a slash and the name of a property follow: a cast, a call or a key means something else without `$it`.
    private var isBeforeProperty: Bool {
        var ahead = text
        guard ahead.skip("/"), ahead.word() != nil else { return false }
        return ahead.next != UInt8(ascii: ".") && ahead.next != UInt8(ascii: "(")
    }

    /// A path from the slash after `$it`.
    private mutating func memberPath() throws(ODataError) -> Tree {
        var path = PathBuilder()
        try step(into: &path)
        return try tail(of: path)
    }

    private mutating func path(from first: String) throws(ODataError) -> Tree {
        var path = PathBuilder()
        path.append(name: first)
        return try tail(of: path)
    }

    // MARK: Calls

    private mutating func call(_ name: String, at start: Int) throws(ODataError) -> Tree {
        guard let function = Expression.Function(named: name) else {
            switch name.lowercased() {
            case "cast", "isof": return try typeCall(name.lowercased() == "cast")
            case "case": return try conditional()
            case "any", "all":
                text.offset += 1
                text.skipBlanks()
                text.offset = start + name.utf8.count
                throw text.error("\(name) follows the path of a collection.")
            default: return try keyOrFunction(name, at: start)
            }
        }
        text.offset += 1
        var arguments: [Tree] = []
        text.skipBlanks()
        if !text.skip(")") {
            arguments.reserveCapacity(3)
            repeat {
                text.skipBlanks()
                arguments.append(try disjunction())
                guard arguments.count <= 3 else { throw text.error("\(name) has too many arguments.") }
                text.skipBlanks()
            } while text.skip(",")
            guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        }
        guard function.takes(arguments.count) else {
            text.offset = start
            throw text.error("\(name) has the wrong number of arguments.")
        }
        let depth = arguments.reduce(0) { max($0, $1.depth) }
        return try node(.call(function, arguments.map(\.expression)), depth)
    }

    /// `Items(1)` or `Best(color='red')`: what is no canonical function.
    private mutating func keyOrFunction(_ name: String, at start: Int) throws(ODataError) -> Tree {
        var path = PathBuilder()
        let isCall = try callsFunction(name, known: .function)
        let place = text.offset
        if isCall {
            try function(name, into: &path)
        } else {
            path.append(name: name)
            try key(into: &path)
            // A comma, or what only an expression can be: somebody meant a function.
            guard path.hasKeyOfLiterals else {
                text.offset = place
                throw text.error("There is no function \(name).", at: start)
            }
        }
        return try tail(of: path)
    }

    /// `cast(expression,Type)`, `isof(Type)`, the name passed.
    private mutating func typeCall(_ isCast: Bool) throws(ODataError) -> Tree {
        text.offset += 1
        text.skipBlanks()
        var operand: Tree?
        let start = text.offset
        var type = typeName()
        text.skipBlanks()
        if type == nil || text.next != UInt8(ascii: ")") {
            text.offset = start
            operand = try disjunction()
            text.skipBlanks()
            guard text.skip(",") else { throw text.error("The name of a type is missing.") }
            text.skipBlanks()
            type = typeName()
            text.skipBlanks()
        }
        guard let type else { throw text.error("The name of a type is missing.") }
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        let expression: Expression =
            isCast ? .cast(operand?.expression, type: type) : .isOf(operand?.expression, type: type)
        return try node(expression, operand?.depth ?? 0)
    }

    /// `Edm.String`, `Customer`, `Collection(Ns.Type)`; `nil` when none begins here.
    mutating func typeName() -> String? {
        let start = text.offset
        guard let name = text.qualifiedName() else { return nil }
        guard name == "Collection", text.skip("(") else { return name }
        guard let item = text.qualifiedName(), text.skip(")") else {
            text.offset = start
            return nil
        }
        return "Collection(\(item))"
    }

    /// `case(condition:value,…)`, the name passed.
    private mutating func conditional() throws(ODataError) -> Tree {
        text.offset += 1
        var branches: [Expression.Branch] = []
        var depth = 0
        repeat {
            text.skipBlanks()
            let condition = try disjunction()
            text.skipBlanks()
            guard text.skip(":") else { throw text.error("A colon and a value follow each condition of case.") }
            text.skipBlanks()
            let value = try disjunction()
            branches.append(Expression.Branch(condition: condition.expression, value: value.expression))
            depth = max(depth, condition.depth, value.depth)
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        return try node(.conditional(branches), depth)
    }
}

extension Expression.Function {
    private static let byName: [String: Expression.Function] = Dictionary(
        allCases.map { ($0.rawValue.lowercased(), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// The function of a name in any letter case.
    init?(named name: String) {
        guard let function = Self.byName[name] ?? Self.byName[name.lowercased()] else { return nil }
        self = function
    }

    func takes(_ count: Int) -> Bool {
        switch self {
        case .now, .mindatetime, .maxdatetime: count == 0
        case .concat, .contains, .endswith, .indexof, .startswith, .matchesPattern, .hassubset, .hassubsequence,
            .geoDistance, .geoIntersects:
            count == 2
        case .substring: count == 2 || count == 3
        case .length, .tolower, .toupper, .trim, .year, .month, .day, .hour, .minute, .second, .fractionalseconds,
            .date, .time, .totaloffsetminutes, .totalseconds, .ceiling, .floor, .round, .geoLength:
            count == 1
        }
    }
}
