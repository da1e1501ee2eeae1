// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The `if` of a batch's request: an expression that may look at the answers to earlier requests.
///
///     $1/$succeeded eq false and $2/Total gt 100
///
/// Source: OData JSON Format 4.01, section 19.1.
public enum BatchCondition {
    /// The expression with each reference replaced by the literal that it stands for.
    ///
    /// - Parameters:
    ///   - succeeded: whether the request of an id succeeded; `nil` for one that was not decided before.
    ///   - body: the JSON of its answer, or `nil`.
    /// - Throws: `InvalidBatch` for a reference to what is not there, or is no primitive value.
    public static func literal(
        _ text: String,
        succeeded: (String) -> Bool?,
        body: (String) -> [UInt8]?
    ) throws(ODataError) -> String {
        var result = ""
        var rest = text[...]
        while let scalar = rest.unicodeScalars.first {
            let first = Character(scalar)
            if first == "'" {
                // A doubled quote ends one string and begins the next: both are copied as they are.
                let scalars = rest.unicodeScalars
                let end = scalars.dropFirst().firstIndex(of: "'").map { scalars.index(after: $0) } ?? rest.endIndex
                result += rest[..<end]
                rest = rest[end...]
            } else if first == "$" {
                let id = rest.dropFirst().prefix(while: isNamePart)
                rest = rest[id.endIndex...]
                var path: [Substring] = []
                while rest.first == "/" {
                    let name = rest.dropFirst().prefix { isNamePart($0) || $0 == "$" }
                    path.append(name)
                    rest = rest[name.endIndex...]
                }
                result += try value(String(id), path, succeeded, body)
            } else {
                result.unicodeScalars.append(scalar)
                rest = Substring(rest.unicodeScalars.dropFirst())
            }
        }
        return result
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_-.~@".contains(character)
    }

    private static func value(
        _ id: String,
        _ path: [Substring],
        _ succeeded: (String) -> Bool?,
        _ body: (String) -> [UInt8]?
    ) throws(ODataError) -> String {
        guard let success = succeeded(id) else {
            throw ODataError(.invalidBatch, "The condition refers to \(id.prefix(100)), which is not before it.")
        }
        if path == ["$succeeded"] { return success ? "true" : "false" }
        guard success, let bytes = body(id), var tree = try? JSONTree.read(bytes) else { return "null" }
        // The answer about a single property has its value under that name.
        if path.isEmpty, let value = tree["value"] { tree = value }
        for name in path { tree = tree[String(name)] ?? .null }
        switch tree {
        case .null: return "null"
        case .text(let text):
            return text.quoted(by: "'")
        case .integer, .number, .flag: return tree.scalar ?? "null"
        case .list, .object:
            throw ODataError(.invalidBatch, "The condition compares what is no primitive value of \(id.prefix(100)).")
        }
    }
}
