// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// `x in (1,2)`, `x has Ns.Color'Red'`, or `x` itself.
    mutating func membership(of item: Tree) throws(ODataError) -> Tree {
        guard let (letters, end) = wordAfterBlanks(), letters == Keyword.in || letters == Keyword.has else {
            return item
        }
        let start = text.offset
        text.offset = end
        let hasBlank = text.skipBlanks() > 0
        if letters == Keyword.has {
            guard hasBlank else { throw text.error("A blank must follow has.") }
            let flags = try primary()
            return try node(.binary(.has, item.expression, flags.expression), max(item.depth, flags.depth))
        }
        guard hasBlank || text.next == UInt8(ascii: "(") else {
            text.offset = start
            return item
        }
        return try collection(after: item)
    }

    /// What stands after `in`: a list, an attribute of the user, an alias of either, a collection.
    private mutating func collection(after item: Tree) throws(ODataError) -> Tree {
        switch text.next {
        case UInt8(ascii: "@"):
            let start = text.offset
            text.offset += 1
            let name = try aliasName()
            if name == "me" {
                guard let attribute = try userAttribute() else {
                    throw text.error("After in comes a list or an attribute of the user such as @me/Roles.")
                }
                return try node(.isInUser(item.expression, attribute: attribute), item.depth)
            }
            guard aliases[name] != nil, text.next != UInt8(ascii: "/") else {
                text.offset = start
                return try isIn(item, collection: try primary())
            }
            var inner = try aliasReader(name)
            let tree = try inner.collection(after: item)
            try inner.expectEnd()
            nodes = inner.nodes
            return tree
        case UInt8(ascii: "("):
            if let list = try list() { return try isIn(item, list) }
            return try isIn(item, collection: try primary())
        case UInt8(ascii: "["):
            return try isIn(item, try array())
        default:
            return try isIn(item, collection: try primary())
        }
    }

    private mutating func isIn(_ item: Tree, _ list: [Tree]) throws(ODataError) -> Tree {
        let depth = list.reduce(item.depth) { max($0, $1.depth) }
        return try node(.isIn(item.expression, list.map(\.expression)), depth)
    }

    private mutating func isIn(_ item: Tree, collection: Tree) throws(ODataError) -> Tree {
        if case .list(let items) = collection.expression {
            return try node(.isIn(item.expression, items), max(item.depth, collection.depth))
        }
        if case .literal = collection.expression { throw text.error("After in comes a list or a collection.") }
        return try node(.isInCollection(item.expression, collection.expression), max(item.depth, collection.depth))
    }

    /// `(1,2,3)`: literals, or what stands for one; `nil`, with nothing read, for an expression in parentheses.
    ///
    /// Source: OData ABNF construction rules, `listExpr`.
    mutating func list() throws(ODataError) -> [Tree]? {
        let start = text.offset
        text.offset += 1
        var items: [Tree] = []
        text.skipBlanks()
        if text.skip(")") { return items }
        repeat {
            text.skipBlanks()
            guard let item = try listItem() else {
                guard items.isEmpty else { throw text.error("A list holds literals only.") }
                text.offset = start
                return nil
            }
            items.append(item)
            guard items.count <= ExpressionParser.listLimit else {
                throw text.tooComplex("A list has more than \(ExpressionParser.listLimit) items.")
            }
            text.skipBlanks()
        } while text.skip(",")
        if text.skip(")") { return items }
        guard items.count == 1 else { throw text.error("The list does not end.") }
        // `(1 add 2)`: no list after all.
        text.offset = start
        return nil
    }

    private mutating func listItem() throws(ODataError) -> Tree? {
        switch text.next {
        case UInt8(ascii: "@"): return try primary()
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try primary()
        default: break
        }
        if let value = try text.literal() { return try node(.literal(value), 0) }
        let start = text.offset
        guard text.qualifiedName() != nil, text.next == UInt8(ascii: "'") else {
            text.offset = start
            return nil
        }
        text.offset = start
        return try primary()
    }
}
