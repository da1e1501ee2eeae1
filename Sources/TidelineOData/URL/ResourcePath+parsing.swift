// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension ResourcePath {
    /// Reads the percent-encoded path below the service root.
    ///
    /// - Parameters:
    ///   - text: for example `Orders(42)/Client`, with no leading slash or one; empty for the service document.
    ///   - aliases: the texts of parameter aliases by name, for keys such as `Orders(@id)`.
    /// - Throws: `InvalidURL`, `InvalidKey`, `NotFound` for a segment that no service has, `NotSupported`.
    public init(parsing text: Substring, aliases: [String: String] = [:]) throws(ODataError) {
        var text = text
        guard text.utf8.count <= 1 << 16 else { throw ODataError(.tooComplex, "The path is longer than 65536 bytes.") }
        if text.utf8.first == UInt8(ascii: "/") { text = text.dropFirst() }
        guard !text.isEmpty else {
            self.init([])
            return
        }
        var segments: [Segment] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            guard segments.count < 50 else { throw ODataError(.tooComplex, "The path has more than 50 segments.") }
            let decoded = try PercentCoding.decode(part)
            if let last = segments.last, [.count, .value, .ref, .metadata, .batch].contains(last) {
                throw ODataError(.notFound, "Nothing can follow this end of a path.", target: decoded)
            }
            segments.append(try Self.segment(decoded, isFirst: segments.isEmpty, aliases: aliases))
        }
        self.init(segments)
    }

    private static func segment(
        _ text: String,
        isFirst: Bool,
        aliases: [String: String]
    ) throws(ODataError) -> Segment {
        switch text {
        case "$metadata" where isFirst: return .metadata
        case "$batch" where isFirst: return .batch
        case "$count" where !isFirst: return .count
        case "$value" where !isFirst: return .value
        case "$ref" where !isFirst: return .ref
        case "$all", "$crossjoin", "$entity", "$query", "$each", "$root", "$it":
            throw ODataError(.notSupported, "The path segment \(text) is not supported.", target: text)
        case "": throw ODataError(.notFound, "The path has an empty segment.")
        default: break
        }
        if text.hasPrefix("$filter(") || text.hasPrefix("$crossjoin(") {
            throw ODataError(.notSupported, "The path segment \(text.prefix(8)) is not supported.")
        }
        if text.hasPrefix("$") {
            guard isFirst, text.utf8.count > 1 else {
                throw ODataError(.notFound, "There is no \(text).", target: text)
            }
            return .reference(String(text.dropFirst()))
        }
        return try named(text, aliases: aliases)
    }

    private static func named(_ text: String, aliases: [String: String]) throws(ODataError) -> Segment {
        var reader = ExpressionReader(text, code: .invalidKey, aliases: aliases)
        guard let name = reader.text.word() else {
            throw ODataError(.notFound, "There is no \(text.prefix(128)).", target: String(text.prefix(128)))
        }
        if reader.text.next == UInt8(ascii: ".") {
            throw ODataError(.notSupported, "Type casts and qualified names in paths are not supported.", target: text)
        }
        guard !reader.text.isAtEnd else { return .name(name, key: nil) }
        let key = try reader.keyPredicate()
        guard reader.text.isAtEnd else { throw reader.text.error("Something follows the key.") }
        return .name(name, key: key)
    }
}

extension ExpressionReader {
    /// `(42)`, `(OrderID=1,Line=2)`, `(@id)`.
    mutating func keyPredicate() throws(ODataError) -> KeyPredicate {
        guard text.skip("(") else { throw text.error("A key in parentheses was expected.") }
        var pairs: [KeyPredicate.Pair] = []
        text.skipBlanks()
        if text.next == UInt8(ascii: ")") { throw text.error("The key is empty.") }
        repeat {
            text.skipBlanks()
            let start = text.offset
            if let name = text.word() {
                text.skipBlanks()
                if text.skip("=") {
                    text.skipBlanks()
                    pairs.append(KeyPredicate.Pair(name: name, value: try keyValue()))
                    guard pairs.count <= 50 else { throw text.tooComplex("The key has more than 50 properties.") }
                    text.skipBlanks()
                    continue
                }
                text.offset = start
            }
            guard pairs.isEmpty else { throw text.error("Each value of this key needs the name of its property.") }
            let value = try keyValue()
            text.skipBlanks()
            guard text.skip(")") else { throw text.error("The key does not end.") }
            return .positional(value)
        } while text.skip(",")
        guard text.skip(")") else { throw text.error("The key does not end.") }
        return .named(pairs)
    }

    private mutating func keyValue() throws(ODataError) -> Value {
        if text.skip("@") {
            let name = try aliasName()
            guard aliases[name] != nil else { throw text.error("The parameter alias @\(name) has no value.") }
            var inner = try aliasReader(name)
            inner.text.skipBlanks()
            guard let value = try inner.text.literal(), value != .null else {
                throw text.error("The parameter alias @\(name) is no value of a key.")
            }
            inner.text.skipBlanks()
            try inner.expectEnd()
            return value
        }
        guard let value = try text.literal(), value != .null else { throw text.error("A value of the key is missing.") }
        return value
    }
}
