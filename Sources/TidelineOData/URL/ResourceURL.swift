// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Writes the percent-encoded relative URLs of entities.
public enum ResourceURL {
    /// `Orders(42)`, percent-encoded.
    public static func entity(set: String, key: Key, type: EntityType) -> String {
        PercentCoding.encode(segment: set + predicate(key, type: type))
    }

    /// The key predicate with its parentheses, not encoded: `(42)`, `(OrderID=1,Line=2)`.
    public static func predicate(_ key: Key, type: EntityType) -> String {
        KeyPredicate(key, of: type).text
    }

    /// A query from names and decoded values: `$filter=Total%20gt%201&$top=5`.
    public static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\($0.name)=\(PercentCoding.encode(queryValue: $0.value))" }.joined(separator: "&")
    }

    /// The set and the key of an entity's URL, relative or absolute: the last segment of its path.
    ///
    /// - Throws: `InvalidURL`, `InvalidKey`, `NotFound` when the last segment is no set with a key.
    public static func reference(_ url: String) throws(ODataError) -> (set: String, key: KeyPredicate) {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last ?? ""
        guard case .name(let set, let key?)? = try ResourcePath(parsing: last).segments.first else {
            throw ODataError(.notFound, "The reference \(url.prefix(200)) names no entity.")
        }
        return (set, key)
    }
}

extension KeyPredicate {
    /// The predicate as a URL has it, with its parentheses, not percent-encoded.
    public var text: String {
        switch self {
        case .positional(let value): "(\(ExpressionPrinter.literal(value)))"
        case .named(let pairs):
            "(\(pairs.map { "\($0.name)=\(ExpressionPrinter.literal($0.value))" }.joined(separator: ",")))"
        }
    }

    /// Reads a predicate without its parentheses, as a command line gives it: `42`, `'k1'`, `OrderID=1,Line=2`.
    ///
    /// - Throws: `InvalidKey`.
    public init(parsing text: String) throws(ODataError) {
        var reader = ExpressionReader("(\(text))", code: .invalidKey)
        self = try reader.keyPredicate()
        try reader.expectEnd()
    }
}
