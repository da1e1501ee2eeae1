// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A cursor over decoded text that reads expressions, literals and what contains them.
///
/// Recursive, and so counted: no text can drive it deeper than ``ExpressionParser/depthLimit``.
struct ExpressionReader {
    /// An expression with the number of its levels.
    struct Tree {
        var expression: Expression
        var depth: Int
    }

    var text: TextScanner
    let aliases: [String: String]
    /// The levels of the reader's own recursion.
    var depth: Int
    /// The nodes made so far.
    var nodes: Int

    init(_ text: String, code: ODataError.Code, aliases: [String: String] = [:], depth: Int = 0, nodes: Int = 0) {
        self.text = TextScanner(text, code: code)
        self.aliases = aliases
        self.depth = depth
        self.nodes = nodes
    }

    mutating func expectEnd() throws(ODataError) {
        guard text.isAtEnd else { throw text.error("Something stands after the end of the expression.") }
    }

    /// A whole expression.
    mutating func expression() throws(ODataError) -> Expression { try disjunction().expression }

    mutating func orderBy() throws(ODataError) -> [OrderByItem] {
        var items: [OrderByItem] = []
        repeat {
            text.skipBlanks()
            var item = OrderByItem(try expression())
            let start = text.offset
            if text.skipBlanks() > 0, let direction = text.word() {
                switch direction.lowercased() {
                case "asc": break
                case "desc": item.isDescending = true
                default: throw text.error("The direction of an order is asc or desc.", at: start + 1)
                }
            }
            items.append(item)
            guard items.count <= 100 else { throw text.tooComplex("There are more than 100 items of $orderby.") }
            text.skipBlanks()
        } while text.skip(",")
        return items
    }

    // MARK: Operators, from the loosest

    mutating func disjunction() throws(ODataError) -> Tree { try chain(.or) }

    /// `a or b or c`, or `a and b and c`.
    private mutating func chain(_ operation: Expression.BinaryOperator) throws(ODataError) -> Tree {
        try enter()
        defer { depth -= 1 }
        var operands: [Tree] = []
        repeat {
            operands.append(operation == .or ? try chain(.and) : try binary(Self.precedence(.equal)))
        } while try operatorWord({ $0 == operation }) != nil
        return try balanced(operation, operands[...])
    }

    /// A few operands lean to the left as they are written; a long chain becomes a tree of little depth.
    private mutating func balanced(
        _ operation: Expression.BinaryOperator,
        _ operands: ArraySlice<Tree>
    ) throws(ODataError) -> Tree {
        if operands.count == 1 { return operands[operands.startIndex] }
        let middle = operands.count <= 8 ? operands.endIndex - 1 : operands.startIndex + operands.count / 2
        let left = try balanced(operation, operands[..<middle])
        let right = try balanced(operation, operands[middle...])
        return try node(.binary(operation, left.expression, right.expression), max(left.depth, right.depth))
    }

    /// Comparisons and arithmetic of at least that precedence.
    private mutating func binary(_ precedence: Int) throws(ODataError) -> Tree {
        try enter()
        defer { depth -= 1 }
        var left = try unary()
        while let operation = try operatorWord({ Self.precedence($0) >= precedence }) {
            let right = try binary(Self.precedence(operation) + 1)
            left = try node(.binary(operation, left.expression, right.expression), max(left.depth, right.depth))
        }
        return left
    }

    static func precedence(_ operation: Expression.BinaryOperator) -> Int {
        switch operation {
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .has: 3
        case .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual: 4
        case .add, .sub: 5
        case .mul, .div, .divby, .mod: 6
        }
    }

    /// ` operator ` if one stands here that is wanted; otherwise nothing is read.
    private mutating func operatorWord(
        _ isWanted: (Expression.BinaryOperator) -> Bool
    ) throws(ODataError) -> Expression.BinaryOperator? {
        let start = text.offset
        guard text.skipBlanks() > 0, let word = text.word()?.lowercased() else {
            text.offset = start
            return nil
        }
        if word == "has" { throw text.notSupported("The operator has is not supported.") }
        guard let operation = Expression.BinaryOperator(rawValue: word), isWanted(operation) else {
            text.offset = start
            return nil
        }
        guard text.skipBlanks() > 0 else { throw text.error("A blank must follow \(word).") }
        return operation
    }

    /// `not x`, `-x`, or what they stand in front of.
    private mutating func unary() throws(ODataError) -> Tree {
        try enter()
        defer { depth -= 1 }
        if text.next == UInt8(ascii: "-"), !text.beginsNumber(after: 1) {
            text.offset += 1
            text.skipBlanks()
            let operand = try unary()
            return try node(.unary(.negate, operand.expression), operand.depth)
        }
        let start = text.offset
        if text.word()?.lowercased() == "not", text.skipBlanks() > 0 || text.next == UInt8(ascii: "(") {
            let operand = try unary()
            return try node(.unary(.not, operand.expression), operand.depth)
        }
        text.offset = start
        return try membership(of: try primary())
    }

    /// `x in (1,2)`, or `x` itself.
    private mutating func membership(of item: Tree) throws(ODataError) -> Tree {
        let start = text.offset
        guard text.skipBlanks() > 0, text.word()?.lowercased() == "in" else {
            text.offset = start
            return item
        }
        guard text.skipBlanks() > 0 || text.next == UInt8(ascii: "(") else {
            text.offset = start
            return item
        }
        if text.skip("@") {
            let name = try aliasName()
            if name == "me" {
                guard let attribute = try userAttribute() else {
                    throw text.error("After in comes a list or an attribute of the user such as @me/Roles.")
                }
                return try node(.isInUser(item.expression, attribute: attribute), item.depth)
            }
            var inner = try aliasReader(name)
            let list = try inner.list()
            try inner.expectEnd()
            nodes = inner.nodes
            return try isIn(item, list)
        }
        guard text.next == UInt8(ascii: "(") || text.next == UInt8(ascii: "[") else {
            throw text.notSupported("After in only a list in parentheses is supported.")
        }
        return try isIn(item, try list())
    }

    private mutating func isIn(_ item: Tree, _ list: [Tree]) throws(ODataError) -> Tree {
        let depth = list.reduce(item.depth) { max($0, $1.depth) }
        return try node(.isIn(item.expression, list.map(\.expression)), depth)
    }

    /// `(1,2,3)`, or the same in the brackets of JSON with single or double quotes.
    private mutating func list() throws(ODataError) -> [Tree] {
        let isJSON = text.skip("[")
        guard isJSON || text.skip("(") else { throw text.error("A list begins with a parenthesis.") }
        let close: Unicode.Scalar = isJSON ? "]" : ")"
        var items: [Tree] = []
        text.skipBlanks()
        if text.skip(close) { return items }
        repeat {
            text.skipBlanks()
            if isJSON, text.next == UInt8(ascii: "\"") {
                items.append(try node(.literal(.string(try text.doubleQuoted())), 0))
            } else {
                items.append(try listItem())
            }
            guard items.count <= ExpressionParser.listLimit else {
                throw text.tooComplex("A list has more than \(ExpressionParser.listLimit) items.")
            }
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip(close) else { throw text.error("The list does not end.") }
        return items
    }

    /// A literal, or what stands for one: an alias, the user.
    ///
    /// Source: OData ABNF construction rules, `listExpr`.
    private mutating func listItem() throws(ODataError) -> Tree {
        if let value = try text.literal() { return try node(.literal(value), 0) }
        guard text.next == UInt8(ascii: "@") else { throw text.notSupported("A list holds literals only.") }
        return try primary()
    }

    // MARK: Counting

    mutating func enter() throws(ODataError) {
        depth += 1
        // A level of parentheses passes four functions: or, and, binary, unary.
        guard depth <= 4 * ExpressionParser.depthLimit else {
            throw text.tooComplex("The expression has more than \(ExpressionParser.depthLimit) levels.")
        }
    }

    mutating func node(_ expression: Expression, _ depth: Int) throws(ODataError) -> Tree {
        nodes += 1
        guard nodes <= ExpressionParser.nodeLimit else {
            throw text.tooComplex("The expressions have more than \(ExpressionParser.nodeLimit) parts.")
        }
        guard depth < ExpressionParser.depthLimit else {
            throw text.tooComplex("The expression has more than \(ExpressionParser.depthLimit) levels.")
        }
        return Tree(expression: expression, depth: depth + 1)
    }
}
