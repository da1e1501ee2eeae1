// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Translates the text of `$filter` and `$orderby`: literals with suffixes and prefixes, and `substringof`.
///
///     substringof('a',Name) and Placed gt datetime'2026-01-01T00:00:00' and Total gt 5M
///     contains(Name,'a') and Placed gt 2026-01-01T00:00:00Z and Total gt 5
struct V2Expression {
    let context: V2Context
    /// The set whose properties the expression names, where it is known.
    let set: EntitySet?

    private static let depthLimit = 50

    func translate(_ text: String) throws(ODataError) -> String { try translate(text[...], depth: 0) }

    private func translate(_ text: Substring, depth: Int) throws(ODataError) -> String {
        guard depth < Self.depthLimit else { throw ODataError(.tooComplex, "The expression is nested too deeply.") }
        var result = ""
        var rest = text
        /// The last path before the place, for a literal whose form depends on its property.
        var lastPath: Substring?
        // By scalars where a quote may be: with a combining mark after it, it is no character of its own.
        while let scalar = rest.unicodeScalars.first {
            let first = Character(scalar)
            if first == "'" {
                let string = try quoted(&rest)
                result += string
            } else if first.isLetter || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || "_/.".contains($0) }
                rest = rest[word.endIndex...]
                if rest.unicodeScalars.first == "'" {
                    let inner = String(try quoted(&rest).dropFirst().dropLast())
                    result += try literal(word.lowercased(), inner, property(lastPath) ?? following(rest))
                } else if rest.first == "(" {
                    result += try call(word, &rest, depth: depth)
                } else {
                    if !["and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "div", "mod"]
                        .contains(word)
                    {
                        lastPath = word
                    }
                    result += word
                }
            } else if first.isNumber {
                result += number(&rest)
            } else {
                result.unicodeScalars.append(scalar)
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        return result
    }

    private func quoted(_ rest: inout Substring) throws(ODataError) -> String {
        let scalars = rest.unicodeScalars
        var place = scalars.index(after: scalars.startIndex)
        while place < scalars.endIndex {
            let next = scalars.index(after: place)
            if scalars[place] == "'" {
                guard next < scalars.endIndex, scalars[next] == "'" else {
                    let text = String(rest[..<next])
                    rest = rest[next...]
                    return text
                }
                place = scalars.index(after: next)
            } else {
                place = next
            }
        }
        throw ODataError(.invalidFilter, "A string does not end.", target: "$filter")
    }

    /// A number without the letter that names its type.
    private func number(_ rest: inout Substring) -> String {
        var text = ""
        while let character = rest.first {
            let isExponent = (character == "e" || character == "E") && text.contains(where: \.isNumber)
            let isSign = (character == "-" || character == "+") && (text.last == "e" || text.last == "E")
            guard character.isNumber || character == "." || isExponent || isSign else { break }
            text.append(character)
            rest = rest.dropFirst()
        }
        if let suffix = rest.first, "LlMmFfDd".contains(suffix) { rest = rest.dropFirst() }
        return text
    }

    /// A literal with the name of its type before it.
    private func literal(_ type: String, _ text: String, _ property: Property?) throws(ODataError) -> String {
        switch type {
        case "datetime": return V2Literal.moment(text, type: property?.type ?? .dateTimeOffset)
        case "datetimeoffset": return V2Literal.moment(text, type: .dateTimeOffset)
        case "guid": return text
        case "time": return V2Literal.time(text) ?? text
        case "x", "binary":
            guard let digits = V2Literal.binary(hex: text) else {
                throw ODataError(.invalidFilter, "A binary literal has digits that are not hexadecimal.")
            }
            return "binary'\(digits)'"
        default: throw ODataError(.invalidFilter, "There are no literals of the type \(type.prefix(50)).")
        }
    }

    private func call(_ name: Substring, _ rest: inout Substring, depth: Int) throws(ODataError) -> String {
        var arguments: [Substring] = []
        let scalars = rest.unicodeScalars
        var place = scalars.index(after: scalars.startIndex)
        var start = place
        var level = 0
        var isInString = false
        var isClosed = false
        while place < scalars.endIndex {
            let character = scalars[place]
            if character == "'" { isInString.toggle() }
            if !isInString {
                if character == "(" { level += 1 }
                if character == ")" || character == ",", level == 0 {
                    arguments.append(rest[start..<place])
                    start = scalars.index(after: place)
                }
                if character == ")" {
                    if level == 0 {
                        isClosed = true
                        break
                    }
                    level -= 1
                }
            }
            place = scalars.index(after: place)
        }
        guard isClosed else { throw ODataError(.invalidFilter, "A parenthesis is not closed.", target: "$filter") }
        rest = rest[scalars.index(after: place)...]
        var texts: [String] = []
        for argument in arguments { texts.append(try translate(argument, depth: depth + 1)) }
        switch name {
        case "substringof":
            guard texts.count == 2 else { throw ODataError(.invalidFilter, "substringof takes two arguments.") }
            return "contains(\(texts[1]),\(texts[0]))"
        case "replace": throw ODataError(.notSupported, "OData v4 has no function replace, so this service has none.")
        case "isof", "cast":
            // Version 2 has the name of the type in quotes.
            guard let last = texts.popLast() else { throw ODataError(.invalidFilter, "\(name) takes a type.") }
            var type = last.hasPrefix("'") ? String(last.dropFirst().dropLast()) : last
            type = ["Edm.DateTime": "Edm.DateTimeOffset", "Edm.Time": "Edm.TimeOfDay"][type] ?? type
            guard type.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }) else {
                throw ODataError(.invalidFilter, "\(name) takes a type.", target: String(name))
            }
            return "\(name)(\((texts + [type]).joined(separator: ",")))"
        default: return "\(name)(\(texts.joined(separator: ",")))"
        }
    }

    /// The property at the end of a path.
    private func property(_ path: Substring?) -> Property? {
        guard let path, var set else { return nil }
        let names = path.split(separator: "/").map(String.init)
        for name in names.dropLast() {
            guard let place = set.type.navigationIndex(wire: name),
                let next = context.model[set: set.type.navigationProperties[place].targetSet]
            else { return set.type.properties.first { $0.names.wire == names.last } }
            set = next
        }
        return names.last.flatMap { name in set.type.properties.first { $0.names.wire == name } }
    }

    /// The property that a literal on the left is compared with.
    private func following(_ rest: Substring) -> Property? {
        let words = rest.split(separator: " ", maxSplits: 2)
        return words.count > 1 ? property(words[1].prefix { $0.isLetter || $0.isNumber || "_/".contains($0) }) : nil
    }
}
