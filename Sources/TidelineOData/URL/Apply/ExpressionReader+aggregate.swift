// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// `Amount with sum as Total,$count as Number`, up to the parenthesis.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, section 3.2.1; its ABNF, `aggregateExpr`.
    mutating func aggregateItems() throws(ODataError) -> [AggregateItem] {
        var items: [AggregateItem] = []
        repeat {
            text.skipBlanks()
            items.append(try aggregateItem(needsAlias: true))
            guard items.count <= 100 else { throw text.tooComplex("There are more than 100 aggregated values.") }
            text.skipBlanks()
        } while text.skip(",")
        return items
    }

    /// - Parameter needsAlias: whether values of expressions and counts must be named, as in `$apply`.
    private mutating func aggregateItem(needsAlias: Bool) throws(ODataError) -> AggregateItem {
        var item = AggregateItem(try aggregateSource())
        item.method = try method()
        while skipWord("from") {
            let path = try namePath()
            item.from.append(AggregateItem.Step(property: path, method: try method()))
            guard item.from.count <= 20 else { throw text.tooComplex("There are more than 20 steps after from.") }
        }
        item.alias = alias()
        if item.method == nil, case .expression(let expression) = item.source {
            guard case .path(let names) = expression else {
                throw text.error("with and a method of aggregation are missing.")
            }
            item.source = .custom(names)
        }
        if needsAlias, item.alias == nil {
            guard case .custom = item.source, item.method == nil else {
                throw text.error("as and a name are missing.")
            }
        }
        return item
    }

    private mutating func aggregateSource() throws(ODataError) -> AggregateItem.Source {
        if text.next == UInt8(ascii: "$") {
            let start = text.offset
            text.offset += 1
            if text.word() == "count" { return .count([]) }
            text.offset = start
        }
        let value = try expression()
        if case .count(let path, filter: nil, search: nil) = value { return .count(path) }
        return .expression(value)
    }

    /// ` with sum`, or `nil`.
    private mutating func method() throws(ODataError) -> AggregateMethod? {
        guard skipWord("with") else { return nil }
        guard let name = text.qualifiedName() else { throw text.error("The name of a method is missing.") }
        switch name.lowercased() {
        case "sum": return .sum
        case "min": return .min
        case "max": return .max
        case "average": return .average
        case "countdistinct": return .countDistinct
        case let other where other.utf8.contains(UInt8(ascii: ".")): return .custom(name)
        default: throw text.error("There is no method of aggregation \(name).", at: text.offset - name.utf8.count)
        }
    }

    /// A word with blanks around it; otherwise nothing is read.
    private mutating func skipWord(_ word: StaticString) -> Bool {
        let start = text.offset
        if text.skipBlanks() > 0 {
            let (letters, end) = text.keyword()
            if letters == TextScanner.packed(word) {
                text.offset = end
                if text.skipBlanks() > 0 { return true }
            }
        }
        text.offset = start
        return false
    }

    /// `/aggregate(Amount with sum)` after a path; otherwise nothing is read.
    mutating func aggregate(over path: PathBuilder) throws(ODataError) -> Tree? {
        let start = text.offset
        text.offset += 1
        guard text.word()?.lowercased() == "aggregate", text.skip("(") else {
            text.offset = start
            return nil
        }
        // As in a lambda, names belong to the items here.
        lambdas += 1
        defer { lambdas -= 1 }
        text.skipBlanks()
        let item = try aggregateItem(needsAlias: false)
        text.skipBlanks()
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        guard let names = path.names else {
            var path = path
            path.append(.aggregate([item]))
            return try node(path.expression, path.depth + 1)
        }
        return try node(.aggregate(over: names, [item]), path.depth + 1)
    }
}
