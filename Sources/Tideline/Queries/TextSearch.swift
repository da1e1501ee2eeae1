// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Words that entities are searched for.
struct TextSearch: Sendable {
    var expression: SearchExpression
    /// The names of the properties that are looked at; `nil` for those that the model searches.
    var properties: [String]?
    /// What was asked for when it is no search, told when the query is carried out.
    var problem: String?

    /// The condition on the entities of a set.
    func condition(over set: EntitySet) throws(ExpressionError) -> TypedExpression {
        if let problem { throw ExpressionError(.invalidLiteral, message: problem, target: "matching") }
        var type = set.type
        if let properties {
            type.searchesWords = true
            type.searchProperties = properties.compactMap { type.propertyIndex(wire: $0) }
            guard type.searchProperties.count == properties.count else {
                throw ExpressionError(
                    .unknownProperty,
                    message: "Only texts of \(set.names.wire) itself are searched.",
                    target: "matching"
                )
            }
        }
        guard !type.searchProperties.isEmpty else {
            throw ExpressionError(
                .unsupported,
                message: "\(set.names.wire) has no texts that are searched; name them: matching(words) { [$0.title] }.",
                target: "matching"
            )
        }
        return ExpressionChecker.condition(for: self.expression, over: type)
    }
}

extension Query {
    /// Only those in whose texts words are found, as `$search` of OData writes them.
    ///
    ///     Song.all.matching("blue -sky")        both conditions        "rain OR snow"        "\"purple rain\""
    ///
    /// Words are compared without regard to letter case and accents; words side by side have to be there all. A minus
    /// before a word stands for `NOT`.
    ///
    /// - Parameters:
    ///   - words: the words; text that is no search is an error when the query is carried out.
    ///   - texts: the properties to look at; those that the model searches unless given.
    public func matching(
        _ words: String,
        in texts: ((Result.Columns) -> [Term<String>])? = nil
    ) -> Query {
        let terms = texts.map { $0(Result.Columns(navigationPath: [])) }
        var search = TextSearch(expression: .word(words))
        search.properties = terms?.map { term in
            if case .path(let path) = term.expression, path.count == 1 { path[0] } else { "" }
        }
        do {
            let option = "$search=" + words.withNegations.percentEncoded
            if let found = try QueryOptions(parsing: option[...]).search { search.expression = found }
        } catch {
            search.problem = "'\(words)' is no search: \(error.message)"
        }
        var query = self
        query.searches.append(search)
        return query
    }
}

extension String {
    /// With `NOT` in place of a minus before a word that stands in no quotes.
    fileprivate var withNegations: String {
        var isQuoted = false
        return split(separator: " ", omittingEmptySubsequences: false).map { word in
            let isNegated = !isQuoted && word.hasPrefix("-") && word.count > 1
            for character in word where character == "\"" { isQuoted.toggle() }
            return isNegated ? "NOT \(word.dropFirst())" : String(word)
        }.joined(separator: " ")
    }

    /// With all but letters and digits of ASCII percent-encoded.
    fileprivate var percentEncoded: String {
        utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                String(UnicodeScalar(byte))
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
