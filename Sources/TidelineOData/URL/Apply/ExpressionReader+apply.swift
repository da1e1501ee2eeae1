// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ExpressionReader {
    /// `filter(…)/groupby(…)/topcount(…)`.
    ///
    /// Source: OData Extension for Data Aggregation 4.0, section 3; its ABNF, `applyExpr`.
    mutating func transformations() throws(ODataError) -> [Transformation] {
        try enter()
        defer { depth -= 1 }
        var sequence: [Transformation] = []
        repeat {
            sequence.append(try transformation())
            guard sequence.count <= 50 else { throw text.tooComplex("A sequence has more than 50 transformations.") }
        } while text.skip("/")
        return sequence
    }

    private mutating func transformation() throws(ODataError) -> Transformation {
        nodes += 1
        guard nodes <= ExpressionParser.nodeLimit else { throw text.tooComplex("There are too many transformations.") }
        let start = text.offset
        guard let name = text.qualifiedName() else { throw text.error("The name of a transformation is missing.") }
        if name == "identity" { return .identity }
        if name.utf8.contains(UInt8(ascii: ".")) {
            return .function(name, text.next == UInt8(ascii: "(") ? try arguments().0 : [])
        }
        guard text.skip("(") else { throw text.error("A parenthesis follows \(name).") }
        text.skipBlanks()
        let result = try transformation(name.lowercased(), at: start)
        text.skipBlanks()
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        return result
    }

    /// What stands between the parentheses.
    private mutating func transformation(_ name: String, at start: Int) throws(ODataError) -> Transformation {
        if let ranking = Transformation.Ranking(rawValue: name) {
            let amount = try expression()
            try comma()
            return .ranked(ranking, amount, by: try expression())
        }
        switch name {
        case "aggregate": return .aggregate(try aggregateItems())
        case "groupby": return try grouping()
        case "filter": return .filter(try expression())
        case "search": return .search(try search())
        case "compute": return .compute(try computeItems())
        case "orderby": return .orderBy(try orderBy())
        case "top": return .top(Int64(try count()))
        case "skip": return .skip(Int64(try count()))
        case "concat":
            var sequences = [try transformations()]
            repeat {
                try comma()
                sequences.append(try transformations())
                text.skipBlanks()
            } while text.next == UInt8(ascii: ",")
            return .concat(sequences)
        case "expand":
            let path = try namePath()
            var inner: [Transformation] = []
            while try hasComma() { inner.append(try transformation()) }
            return .expand(path, inner)
        case "addnested":
            let path = try namePath()
            try comma()
            return .addNested(path, try nestedSequences())
        case "nest": return .nest(try nestedSequences())
        case "join", "outerjoin":
            let path = try namePath()
            guard let alias = alias() else { throw text.error("as and a name follow the path.") }
            let inner = try hasComma() ? try transformations() : []
            return .join(isOuter: name == "outerjoin", path, as: alias, inner)
        case "ancestors", "descendants", "traverse": return .hierarchy(name, try balanced())
        default: throw text.error("There is no transformation \(name).", at: start)
        }
    }

    /// `((Country,rollup($all,Product/Category)),aggregate(…))`, the first parenthesis passed.
    private mutating func grouping() throws(ODataError) -> Transformation {
        guard text.skip("(") else { throw text.error("The grouping properties stand in parentheses.") }
        var elements: [GroupingElement] = []
        repeat {
            text.skipBlanks()
            elements.append(try groupingElement())
            guard elements.count <= 50 else { throw text.tooComplex("There are more than 50 grouping properties.") }
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        return .groupBy(elements, try hasComma() ? try transformations() : [])
    }

    private mutating func groupingElement() throws(ODataError) -> GroupingElement {
        let start = text.offset
        let word = text.word()?.lowercased()
        guard word == "rollup" || word == "rolluprecursive", text.skip("(") else {
            text.offset = start
            return .property(try namePath())
        }
        guard word == "rollup" else {
            let arguments = try balanced()
            guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
            return .rollupRecursive(arguments)
        }
        var paths: [[String]] = []
        var startsWithAll = false
        repeat {
            text.skipBlanks()
            if text.skip("$") {
                guard paths.isEmpty, !startsWithAll, text.word() == "all" else {
                    throw text.error("Of what begins with $ there is $all here, at the beginning.")
                }
                startsWithAll = true
            } else {
                paths.append(try namePath())
            }
            guard paths.count <= 20 else { throw text.tooComplex("A rollup has more than 20 levels.") }
            text.skipBlanks()
        } while text.skip(",")
        guard text.skip(")") else { throw text.error("A closing parenthesis is missing.") }
        return .rollup(startsWithAll: startsWithAll, paths)
    }

    /// `sequence as Name,…`.
    private mutating func nestedSequences() throws(ODataError) -> [Transformation.NestedSequence] {
        var found: [Transformation.NestedSequence] = []
        repeat {
            text.skipBlanks()
            let sequence = try transformations()
            guard let name = alias() else { throw text.error("as and a name follow the transformations.") }
            found.append(Transformation.NestedSequence(sequence, as: name))
            guard found.count <= 20 else { throw text.tooComplex("There are more than 20 nested results.") }
            text.skipBlanks()
        } while text.skip(",")
        return found
    }

    // MARK: Parts

    private mutating func comma() throws(ODataError) {
        guard try hasComma() else { throw text.error("A comma is missing.") }
    }

    private mutating func hasComma() throws(ODataError) -> Bool {
        let start = text.offset
        text.skipBlanks()
        guard text.skip(",") else {
            text.offset = start
            return false
        }
        text.skipBlanks()
        return true
    }

    /// `Product/Category/Name`.
    mutating func namePath() throws(ODataError) -> [String] {
        var names: [String] = []
        repeat {
            names.append(try memberName("The path of a property is missing."))
            guard names.count <= 20 else { throw text.tooComplex("A path has more than 20 names.") }
        } while text.skip("/")
        return names
    }

    /// The text up to the parenthesis that closes what is open here.
    private mutating func balanced() throws(ODataError) -> String {
        let start = text.offset
        var level = 0
        while let byte = text.next {
            switch byte {
            case UInt8(ascii: "'"):
                _ = try text.singleQuoted()
                continue
            case UInt8(ascii: "("): level += 1
            case UInt8(ascii: ")"):
                if level == 0 { return String(decoding: text.bytes[start..<text.offset], as: UTF8.self) }
                level -= 1
            default: break
            }
            text.offset += 1
        }
        throw text.error("A closing parenthesis is missing.")
    }
}
