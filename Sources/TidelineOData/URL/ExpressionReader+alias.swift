// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// `@me`, `@p`, `@p/Name`, `@Ns.Term`, the @ passed.
    mutating func aliasOrAnnotation() throws(ODataError) -> Tree {
        let start = text.offset
        let name = try aliasName()
        if name == "me" { return try node(.me(attribute: try userAttribute()), 0) }
        if text.next == UInt8(ascii: ".") || text.next == UInt8(ascii: "#") {
            text.offset = start
            return try annotationPath()
        }
        if let local = localAliases[name] { return try use(local, name) }
        guard aliases[name] != nil else {
            // A term of the default namespace, where something follows it.
            if text.next == UInt8(ascii: "/") {
                text.offset = start
                return try annotationPath()
            }
            guard level == 0 else {
                throw text.notSupported("The alias @\(name) must be given before it is used.")
            }
            return try node(.literal(.null), 0)
        }
        var inner = try aliasReader(name)
        inner.text.skipBlanks()
        let tree = try inner.disjunction()
        try inner.expectEnd()
        nodes = inner.nodes
        return try followed(tree, name)
    }

    /// The value that is given to an alias: an expression, JSON, or a list in parentheses.
    mutating func aliasValue() throws(ODataError) -> Expression {
        text.skipBlanks()
        if text.next == UInt8(ascii: "("), let items = try list() {
            guard items.count == 1 else { return .list(items.map(\.expression)) }
            return items[0].expression
        }
        return try expression()
    }

    /// The value of an alias with what follows it.
    private mutating func followed(_ tree: Tree, _ name: String) throws(ODataError) -> Tree {
        guard text.next == UInt8(ascii: "/") else { return tree }
        guard var path = PathBuilder(tree.expression) else {
            throw text.error("The alias @\(name) stands for no instance, so no path can begin with it.")
        }
        path.depth = tree.depth
        return try tail(of: path)
    }

    /// An alias of nested options: its value, or a reference to it from options that are nested deeper.
    private mutating func use(_ local: LocalAlias, _ name: String) throws(ODataError) -> Tree {
        if local.level == level || local.expression.expression.isConstant {
            nodes += 1
            return try followed(local.expression, name)
        }
        var path = PathBuilder()
        path.append(.alias(name))
        return try tail(of: path)
    }

    private mutating func annotationPath() throws(ODataError) -> Tree {
        var path = PathBuilder()
        path.append(try annotation())
        return try tail(of: path)
    }

    /// `Ns.Term#Qualifier`, the @ passed.
    mutating func annotation() throws(ODataError) -> PathSegment {
        guard let term = text.qualifiedName() else { throw text.error("The name of a term is missing.") }
        guard text.next == UInt8(ascii: "#") else { return .annotation(term: term, qualifier: nil) }
        text.offset += 1
        guard let qualifier = text.word() else { throw text.error("A qualifier must follow #.") }
        return .annotation(term: term, qualifier: qualifier)
    }

    /// The name after `@`.
    mutating func aliasName() throws(ODataError) -> String {
        guard let name = text.word() else { throw text.error("A name must follow @.") }
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
        var reader = ExpressionReader(
            DecodedText(aliases[name] ?? "null"),
            code: text.code,
            aliases: aliases,
            depth: depth + 4,
            nodes: nodes + 1,
            names: names
        )
        reader.level = level
        reader.lambdas = lambdas
        return reader
    }
}

extension Expression {
    /// Whether this is a literal, or JSON of literals: of the same value wherever it stands.
    var isConstant: Bool {
        switch self {
        case .literal, .enumeration: true
        case .list(let items): items.allSatisfy(\.isConstant)
        case .object(let members): members.allSatisfy(\.value.isConstant)
        default: false
        }
    }
}
