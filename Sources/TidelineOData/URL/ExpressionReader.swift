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

    /// An alias that is given inside the options of `$expand` or `$select`.
    struct LocalAlias {
        var expression: Tree
        /// The level of nested options at which it is given.
        var level: Int
    }

    var text: TextScanner
    let aliases: [String: String]
    /// The levels of the reader's own recursion.
    var depth: Int
    /// The nodes made so far.
    var nodes: Int
    /// What the names of the model stand for, if that is known.
    var names: NameTable?
    /// The aliases of nested options, and how deep these are nested.
    var localAliases: [String: LocalAlias] = [:]
    var level = 0
    /// How many lambda expressions are being read.
    var lambdas = 0
    /// How many words and phrases the search has that is being read.
    var searchTerms = 0
    /// The word that was last looked for after blanks, and where.
    private var sighted: (place: Int, letters: UInt64, end: Int) = (-1, 0, 0)

    init(_ text: String, code: ODataError.Code, aliases: [String: String] = [:], depth: Int = 0, nodes: Int = 0) {
        self.init(DecodedText(text), code: code, aliases: aliases, depth: depth, nodes: nodes)
    }

    init(
        _ text: DecodedText,
        code: ODataError.Code,
        aliases: [String: String] = [:],
        depth: Int = 0,
        nodes: Int = 0,
        names: NameTable? = nil
    ) {
        self.text = TextScanner(text, code: code)
        self.aliases = aliases
        self.depth = depth
        self.nodes = nodes
        self.names = names
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
        let first = operation == .or ? try chain(.and) : try binary(Self.precedence(.equal))
        guard try operatorWord(from: Self.precedence(operation), to: Self.precedence(operation)) != nil else {
            return first
        }
        let second = operation == .or ? try chain(.and) : try binary(Self.precedence(.equal))
        var operands: [Tree] = []
        while try operatorWord(from: Self.precedence(operation), to: Self.precedence(operation)) != nil {
            if operands.isEmpty { operands = [first, second] }
            operands.append(operation == .or ? try chain(.and) : try binary(Self.precedence(.equal)))
        }
        return operands.isEmpty ? try joined(operation, first, second) : try balanced(operation, operands[...])
    }

    /// A few operands lean to the left as they are written; a long chain becomes a tree of little depth.
    private mutating func balanced(
        _ operation: Expression.BinaryOperator,
        _ operands: ArraySlice<Tree>
    ) throws(ODataError) -> Tree {
        if operands.count == 1 { return operands[operands.startIndex] }
        let middle = operands.count <= 8 ? operands.endIndex - 1 : operands.startIndex + operands.count / 2
        let left = try balanced(operation, operands[..<middle])
        return try joined(operation, left, balanced(operation, operands[middle...]))
    }

    private mutating func joined(
        _ operation: Expression.BinaryOperator,
        _ left: Tree,
        _ right: Tree
    ) throws(ODataError) -> Tree {
        try node(.binary(operation, left.expression, right.expression), max(left.depth, right.depth))
    }

    /// Comparisons and arithmetic of at least that precedence.
    private mutating func binary(_ precedence: Int) throws(ODataError) -> Tree {
        try enter()
        defer { depth -= 1 }
        var left = try unary()
        while let operation = try operatorWord(from: precedence, to: Self.tightest) {
            left = try joined(operation, left, binary(Self.precedence(operation) + 1))
        }
        return left
    }

    private static let tightest = 6

    static func precedence(_ operation: Expression.BinaryOperator) -> Int {
        switch operation {
        case .or: 1
        case .and: 2
        case .equal, .notEqual: 3
        case .lessThan, .lessOrEqual, .greaterThan, .greaterOrEqual: 4
        case .add, .sub: 5
        case .mul, .div, .divby, .mod: 6
        case .has: 8
        }
    }

    /// ` operator ` if one of those precedences stands here; otherwise nothing is read.
    private mutating func operatorWord(
        from loosest: Int,
        to tightest: Int
    ) throws(ODataError) -> Expression.BinaryOperator? {
        guard let (letters, end) = wordAfterBlanks(), let operation = Keyword.operation(letters),
            Self.precedence(operation) >= loosest, Self.precedence(operation) <= tightest
        else { return nil }
        text.offset = end
        guard text.skipBlanks() > 0 else { throw text.error("A blank must follow \(operation.rawValue).") }
        return operation
    }

    /// The letters after blanks, as ``TextScanner/keyword()`` has them; `nil` without blanks.
    ///
    /// Nothing is read. Every level of precedence asks for the word that ends an operand, so that it is kept.
    mutating func wordAfterBlanks() -> (letters: UInt64, end: Int)? {
        let start = text.offset
        if sighted.place != start {
            guard text.skipBlanks() > 0 else { return nil }
            let (letters, end) = text.keyword()
            sighted = (start, letters, end)
            text.offset = start
        }
        return (sighted.letters, sighted.end)
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
        let (letters, end) = text.keyword()
        if letters == Keyword.not {
            text.offset = end
            if text.skipBlanks() > 0 || text.next == UInt8(ascii: "(") {
                let operand = try unary()
                return try node(.unary(.not, operand.expression), operand.depth)
            }
            text.offset = start
        }
        return try membership(of: try primary())
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

/// The words of operators, packed as the scanner packs what it sees.
///
/// Computed, so that they become constants: a stored one is looked at behind a check whether it was made yet.
enum Keyword {
    static var not: UInt64 { TextScanner.packed("not") }
    static var has: UInt64 { TextScanner.packed("has") }
    static var `in`: UInt64 { TextScanner.packed("in") }

    private static var or: UInt64 { TextScanner.packed("or") }
    private static var and: UInt64 { TextScanner.packed("and") }
    private static var eq: UInt64 { TextScanner.packed("eq") }
    private static var ne: UInt64 { TextScanner.packed("ne") }
    private static var lt: UInt64 { TextScanner.packed("lt") }
    private static var le: UInt64 { TextScanner.packed("le") }
    private static var gt: UInt64 { TextScanner.packed("gt") }
    private static var ge: UInt64 { TextScanner.packed("ge") }
    private static var add: UInt64 { TextScanner.packed("add") }
    private static var sub: UInt64 { TextScanner.packed("sub") }
    private static var mul: UInt64 { TextScanner.packed("mul") }
    private static var div: UInt64 { TextScanner.packed("div") }
    private static var divby: UInt64 { TextScanner.packed("divby") }
    private static var mod: UInt64 { TextScanner.packed("mod") }

    /// The operator between two operands that a word names; `has` and `in` belong to their left operand.
    static func operation(_ letters: UInt64) -> Expression.BinaryOperator? {
        switch letters {
        case or: .or
        case and: .and
        case eq: .equal
        case ne: .notEqual
        case lt: .lessThan
        case le: .lessOrEqual
        case gt: .greaterThan
        case ge: .greaterOrEqual
        case add: .add
        case sub: .sub
        case mul: .mul
        case div: .div
        case divby: .divby
        case mod: .mod
        default: nil
        }
    }
}
