// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A piece of SQL: text and bound values apart to the end, so that no value ever becomes text.
///
///     "\(column) > \(bind: .integer(5))"
///
/// Fragments nest; parameters are numbered when the statement is ``rendered(_:outer:)``.
public struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    enum Piece: Hashable, Sendable {
        case text(String)
        case binding(SQLValue)
        case outer(Int)
    }

    var pieces: [Piece]

    public init(stringLiteral text: String) {
        pieces = [.text(text)]
    }

    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    /// Text made by a program: never by a user.
    public init(raw text: String) {
        pieces = [.text(text)]
    }

    /// A bound value.
    public init(bind value: SQLValue) {
        pieces = [.binding(value)]
    }

    /// A parameter that gets its value at each run of the statement, counted from 0.
    public init(outer index: Int) {
        pieces = [.outer(index)]
    }

    /// Fragments with a separator between them.
    public init(_ fragments: [SQLFragment], separator: String) {
        pieces = []
        for (place, fragment) in fragments.enumerated() {
            if place > 0 { pieces.append(.text(separator)) }
            pieces.append(contentsOf: fragment.pieces)
        }
    }

    /// A quoted name of a table or column.
    public static func identifier(_ name: String) -> SQLFragment {
        var quoted = "\""
        for character in name.unicodeScalars {
            if character == "\"" { quoted.unicodeScalars.append(character) }
            quoted.unicodeScalars.append(character)
        }
        return SQLFragment(raw: quoted + "\"")
    }

    /// The text with numbered parameters, and the values of those after the first `outer`.
    ///
    /// - Parameter outer: how many parameters get their values at each run; they are the first.
    package func rendered(_ dialect: some SQLDialect, outer: Int = 0) -> (text: String, bindings: [SQLValue]) {
        var text = ""
        var bindings: [SQLValue] = []
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .outer(let index): text += dialect.outer(index)
            case .binding(let value):
                bindings.append(value)
                text += dialect.placeholder(outer + bindings.count, for: value)
            }
        }
        return (text, bindings)
    }

    /// What string interpolation builds a fragment from.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var pieces: [Piece] = []

        /// Begins an empty fragment.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Takes over SQL text as it stands.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.text(literal)) }
        }

        /// A fragment, with its bindings.
        public mutating func appendInterpolation(_ fragment: SQLFragment) {
            pieces.append(contentsOf: fragment.pieces)
        }

        /// A bound value.
        public mutating func appendInterpolation(bind value: SQLValue) {
            pieces.append(.binding(value))
        }

        /// A quoted name.
        public mutating func appendInterpolation(name: String) {
            pieces.append(contentsOf: SQLFragment.identifier(name).pieces)
        }
    }
}
