// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A piece of SQL: text and bound values apart to the end, so that no value ever becomes text.
///
///     "\(column) > \(bind: .integer(5))"        text  t0."price" >
///                                               holes        ▲ .binding(5) at its end
///
/// Fragments nest; parameters are numbered when the statement is ``rendered(_:outer:)``.
public struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Where a parameter stands.
    struct Hole: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case binding(SQLValue)
            case outer(Int)
        }

        /// The number of UTF-8 bytes of the text before it.
        var place: Int
        let content: Content
    }

    // One run of text: a statement is copied a few times while it grows, but makes few arrays.
    private(set) var text: String
    private(set) var holes: [Hole] = []

    public init(stringLiteral text: String) {
        self.text = text
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.fragment
    }

    /// Text made by a program: never by a user.
    public init(raw text: String) {
        self.text = text
    }

    /// A bound value.
    public init(bind value: SQLValue) {
        text = ""
        holes = [Hole(place: 0, content: .binding(value))]
    }

    /// A parameter that gets its value at each run of the statement, counted from 0.
    public init(outer index: Int) {
        text = ""
        holes = [Hole(place: 0, content: .outer(index))]
    }

    /// Fragments with a separator between them.
    public init(_ fragments: [SQLFragment], separator: String) {
        text = ""
        for (place, fragment) in fragments.enumerated() {
            if place > 0 { text += separator }
            append(fragment)
        }
    }

    /// A quoted name of a table or column.
    public static func identifier(_ name: String) -> SQLFragment {
        SQLFragment(raw: name.quoted(by: "\""))
    }

    private mutating func append(_ fragment: SQLFragment) {
        let shift = text.utf8.count
        text += fragment.text
        for hole in fragment.holes { holes.append(Hole(place: hole.place + shift, content: hole.content)) }
    }

    /// The text with numbered parameters, and the values of those after the first `outer`.
    ///
    /// - Parameter outer: how many parameters get their values at each run; they are the first.
    package func rendered(_ dialect: some SQLDialect, outer: Int = 0) -> (text: String, bindings: [SQLValue]) {
        guard !holes.isEmpty else { return (text, []) }
        var result = ""
        result.reserveCapacity(text.utf8.count + 4 * holes.count)
        var bindings: [SQLValue] = []
        var start = text.startIndex
        for hole in holes {
            let end = text.utf8.index(text.startIndex, offsetBy: hole.place)
            result += text[start..<end]
            start = end
            switch hole.content {
            case .outer(let index): result += dialect.outer(index)
            case .binding(let value):
                bindings.append(value)
                result += dialect.placeholder(outer + bindings.count, for: value)
            }
        }
        result += text[start...]
        return (result, bindings)
    }

    /// What string interpolation builds a fragment from.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var fragment = SQLFragment(raw: "")

        /// Begins an empty fragment.
        public init(literalCapacity: Int, interpolationCount: Int) {
            if literalCapacity + 8 * interpolationCount > 15 {
                fragment.text.reserveCapacity(literalCapacity + 16 * interpolationCount)
            }
        }

        /// Takes over SQL text as it stands.
        public mutating func appendLiteral(_ literal: String) {
            fragment.text += literal
        }

        /// A fragment, with its bindings.
        public mutating func appendInterpolation(_ fragment: SQLFragment) {
            self.fragment.append(fragment)
        }

        /// A bound value.
        public mutating func appendInterpolation(bind value: SQLValue) {
            fragment.append(SQLFragment(bind: value))
        }

        /// A quoted name.
        public mutating func appendInterpolation(name: String) {
            fragment.append(.identifier(name))
        }
    }
}
