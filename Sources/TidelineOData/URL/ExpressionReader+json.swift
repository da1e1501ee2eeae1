// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// `[item, item, …]`, each JSON text or an expression.
    mutating func array() throws(ODataError) -> [Tree] {
        try enter()
        defer { depth -= 1 }
        text.offset += 1
        var items: [Tree] = []
        text.skipBlanks()
        if text.skip("]") { return items }
        repeat {
            text.skipBlanks()
            items.append(try jsonValue())
            guard items.count <= ExpressionParser.listLimit else {
                throw text.tooComplex("A list has more than \(ExpressionParser.listLimit) items.")
            }
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip("]") else { throw text.error("The list does not end.") }
        return items
    }

    /// `{"name": value, …}`.
    mutating func object() throws(ODataError) -> Tree {
        try enter()
        defer { depth -= 1 }
        text.offset += 1
        var members: [Expression.Member] = []
        var depth = 0
        text.skipBlanks()
        if text.skip("}") { return try node(.object(members), 0) }
        repeat {
            text.skipBlanks()
            guard text.next == UInt8(ascii: "\"") else { throw text.error("The name of a member is missing.") }
            let name = try text.doubleQuoted()
            text.skipBlanks()
            guard text.skip(":") else { throw text.error("A colon follows the name of a member.") }
            text.skipBlanks()
            let value = try jsonValue()
            members.append(Expression.Member(name: name, value: value.expression))
            depth = max(depth, value.depth)
            guard members.count <= ExpressionParser.listLimit else {
                throw text.tooComplex("An object has more than \(ExpressionParser.listLimit) members.")
            }
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip("}") else { throw text.error("The object does not end.") }
        return try node(.object(members), depth)
    }

    private mutating func jsonValue() throws(ODataError) -> Tree {
        guard text.next == UInt8(ascii: "\"") else { return try disjunction() }
        return try node(.literal(.string(try text.doubleQuoted())), 0)
    }
}
