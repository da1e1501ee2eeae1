// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads the segments of a path one after the other and keeps in mind what they have led to.
struct ResourcePathReader {
    let aliases: [String: String]
    let names: NameTable?
    private(set) var segments: [ResourcePath.Segment] = []
    private var shape = PathShape.root
    /// Whether the last segment is a cast, after which no other can come.
    private var isCast = false
    /// Whether the last segment is a key value of its own, which others of the same key can follow.
    private var isLiteral = false

    init(aliases: [String: String], names: NameTable?) {
        self.aliases = aliases
        self.names = names
    }

    /// Reads one segment, decoded.
    ///
    /// An error about a key has the segment for its target: who knows the model can say what the key is.
    mutating func read(_ part: DecodedText) throws(ODataError) {
        do throws(ODataError) {
            try segment(part)
        } catch {
            guard error.code == ODataError.Code.invalidKey.rawValue, error.target == nil else { throw error }
            var named = error
            named.target = String(part.string.prefix(256))
            throw named
        }
    }

    private mutating func segment(_ part: DecodedText) throws(ODataError) {
        var reader = ExpressionReader(part, code: .invalidKey, aliases: aliases, names: names)
        if shape == .end { throw reader.notFound("Nothing can follow this end of a path.", part) }
        guard reader.text.next != nil else { throw reader.notFound("The path has an empty segment.", part) }
        if reader.text.next == UInt8(ascii: "$") { return try special(&reader, part) }
        let start = segments.count
        guard let name = reader.text.qualifiedName(), reader.text.isAtEnd || reader.text.next == UInt8(ascii: "(")
        else { return try literal(&reader, part) }
        if reader.text.isAtEnd {
            try plain(name, &reader, part)
        } else {
            try withParentheses(name, &reader, part)
        }
        isLiteral = false
        if case .cast? = segments.last { isCast = true } else { isCast = false }
        if segments.count > start, case .literal? = segments.last { isLiteral = true }
    }

    private mutating func append(_ segment: ResourcePath.Segment, _ next: PathShape) {
        segments.append(segment)
        switch next {
        case .end, .untyped, .queryable, .each: shape = next
        default: shape = names == nil ? .unknown : next
        }
    }

    // MARK: $…

    private mutating func special(_ reader: inout ExpressionReader, _ part: DecodedText) throws(ODataError) {
        let text = part.string
        let isFirst = segments.isEmpty
        isLiteral = false
        isCast = false
        switch text {
        case "$metadata" where isFirst: append(.metadata, .end)
        case "$batch" where isFirst: append(.batch, .end)
        case "$all" where isFirst: append(.all, .untyped)
        case "$entity" where isFirst: append(.entity, .untyped)
        case "$count" where shape.takesCount: append(.count, .end)
        case "$ref" where shape.takesReference: append(.ref, .end)
        case "$value" where shape.takesValue: append(.value, .end)
        case "$each" where shape.takesFilter: append(.each, .each)
        case "$query" where shape.takesQuery: append(.query, .end)
        default:
            if isFirst, text.hasPrefix("$crossjoin(") { return try crossjoin(&reader) }
            if shape.takesFilter, text.hasPrefix("$filter(") { return try filter(&reader, part) }
            guard isFirst, text.utf8.count > 1, !text.utf8.contains(UInt8(ascii: "(")) else {
                throw reader.notFound("There is no \(text.prefix(128)) here.", part)
            }
            append(.reference(String(text.unicodeScalars.dropFirst())), .unknown)
            shape = .unknown
        }
    }

    private mutating func crossjoin(_ reader: inout ExpressionReader) throws(ODataError) {
        reader.text.offset += "$crossjoin(".utf8.count
        var sets: [String] = []
        repeat {
            guard let name = reader.text.word() else {
                throw reader.text.error("The name of an entity set is missing.")
            }
            if let names, !names[name].contains(.entitySet) {
                throw reader.notFound("There is no entity set \(name).", DecodedText(name))
            }
            sets.append(name)
        } while reader.text.skip(",")
        guard reader.text.skip(")"), reader.text.isAtEnd else { throw reader.text.error("$crossjoin does not end.") }
        append(.crossjoin(sets), .queryable)
    }

    private mutating func filter(_ reader: inout ExpressionReader, _ part: DecodedText) throws(ODataError) {
        var inner = ExpressionReader(part, code: .invalidFilter, aliases: aliases, names: names)
        inner.text.offset += "$filter(".utf8.count
        let condition = try inner.expression()
        guard inner.text.skip(")") else { throw inner.text.error("A closing parenthesis is missing.") }
        append(.filter(condition), .entities)
        reader.text.offset = inner.text.offset
        if !reader.text.isAtEnd { try key(&reader) }
    }

    // MARK: Names

    /// A key value or a place of its own.
    private mutating func literal(_ reader: inout ExpressionReader, _ part: DecodedText) throws(ODataError) {
        let text = part.string
        guard let item = isLiteral ? shape : shape.item else {
            if segments.isEmpty, reader.text.offset > 0 {
                throw reader.text.error("A name is followed by a parenthesis or a slash.")
            }
            throw reader.notFound("There is no \(text.prefix(128)) here.", part)
        }
        if let keys = names?.keySegments, shape == .entities || isLiteral, !keys.contains(text) {
            throw reader.notFound("There is no \(text.prefix(128)) here.", part)
        }
        append(.literal(text), item)
        isLiteral = true
        isCast = false
    }

    /// A name alone.
    private mutating func plain(
        _ name: String,
        _ reader: inout ExpressionReader,
        _ part: DecodedText
    ) throws(ODataError) {
        let isQualified = name.utf8.contains(UInt8(ascii: "."))
        if segments.isEmpty, isQualified {
            reader.text.offset = 0
            _ = reader.text.word()
            throw reader.notFound("A path begins with a name that has no namespace.", part)
        }
        guard let names else { return append(isQualified ? .cast(name) : .name(name, key: nil), .unknown) }
        let kinds = names[name]
        if shape == .root {
            if kinds.contains(.entitySet) { return append(.name(name, key: nil), .entities) }
            if kinds.contains(.singleton) { return append(.name(name, key: nil), .entity) }
            if kinds.contains(.actionImport) { return append(.action(name), .end) }
            if !kinds.isDisjoint(with: .functionImport) { return append(.function(name, []), .queryable) }
            throw reader.notFound("There is no \(name) here.", part)
        }
        if !isQualified, shape.takesProperty, let next = PathShape(property: kinds) {
            return append(.name(name, key: nil), next)
        }
        if shape.takesCast(to: kinds), !isCast { return append(.cast(name), shape) }
        if shape.takesOperation, kinds.contains(.action) { return append(.action(name), .end) }
        if shape.takesOperation, !kinds.isDisjoint(with: .function) {
            // Without parentheses the parameters stand in the query, and only that can follow.
            return append(.function(name, []), .queryable)
        }
        try literal(&reader, part)
    }

    /// `Name(…)`, perhaps with a key after the parameters.
    private mutating func withParentheses(
        _ name: String,
        _ reader: inout ExpressionReader,
        _ part: DecodedText
    ) throws(ODataError) {
        let isQualified = name.utf8.contains(UInt8(ascii: "."))
        if segments.isEmpty, isQualified {
            throw reader.notFound("A path begins with a name that has no namespace.", part)
        }
        guard let names else {
            try openName(name, isQualified, &reader)
            if !reader.text.isAtEnd { try key(&reader) }
            return
        }
        let kinds = names[name]
        let functions = shape == .root ? kinds.intersection(.functionImport) : kinds.intersection(.function)
        if !functions.isEmpty, shape == .root || shape.takesOperation, let result = PathShape(function: functions) {
            append(.function(name, try parameters(&reader)), result)
            if !reader.text.isAtEnd { try key(&reader) }
        } else if shape == .root && kinds.contains(.entitySet)
            || shape.takesProperty && !isQualified && kinds.contains(.entityCollectionNavigation)
        {
            let key = try reader.keyPredicate()
            append(.name(name, key: key), .entity)
        } else if shape == .entities, shape.takesCast(to: kinds), !isCast {
            append(.cast(name), .entities)
            try key(&reader)
        } else {
            return try literal(&reader, part)
        }
        guard reader.text.isAtEnd else { throw reader.text.error("Something follows the key.") }
    }

    /// A name with parentheses of which no table says what it is.
    private mutating func openName(
        _ name: String,
        _ isQualified: Bool,
        _ reader: inout ExpressionReader
    ) throws(ODataError) {
        let start = reader.text.offset
        let isCall = try reader.callsFunction(name, known: [])
        if isQualified {
            guard isCall else {
                append(.cast(name), .unknown)
                return try key(&reader)
            }
        } else if !isCall || !reader.isEmptyParentheses {
            do throws(ODataError) {
                return append(.name(name, key: try reader.keyPredicate()), .unknown)
            } catch {
                // What no key can be, such as null or JSON, may be a parameter.
                guard isCall else { throw error }
                reader.text.offset = start
                guard let parameters = try? parameters(&reader) else { throw error }
                return append(.function(name, parameters), .unknown)
            }
        }
        append(.function(name, try parameters(&reader)), .unknown)
    }

    private mutating func key(_ reader: inout ExpressionReader) throws(ODataError) {
        guard shape.takesKey else { throw reader.text.error("No key can stand here.") }
        append(.key(try reader.keyPredicate()), .entity)
        guard reader.text.isAtEnd else { throw reader.text.error("Something follows the key.") }
    }

    /// The parameters of a function: literals, JSON and aliases.
    private func parameters(_ reader: inout ExpressionReader) throws(ODataError) -> [PathArgument] {
        let start = reader.text.offset
        let (arguments, _) = try reader.arguments()
        for argument in arguments where argument.name == nil {
            throw reader.text.error("Each parameter needs its name.", at: start + 1)
        }
        return arguments
    }
}

extension ExpressionReader {
    fileprivate func notFound(_ message: String, _ part: DecodedText) -> ODataError {
        var error = ODataError(.notFound, message, target: String(part.string.prefix(128)))
        error.position = part.position(of: text.offset)
        return error
    }

    fileprivate var isEmptyParentheses: Bool {
        var copy = text
        guard copy.skip("(") else { return false }
        copy.skipBlanks()
        return copy.next == UInt8(ascii: ")")
    }
}
