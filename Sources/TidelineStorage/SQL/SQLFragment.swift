// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A piece of SQL: text and bound values apart to the end, so that no value ever becomes text.
///
///     "\(column) > \(bind: .integer(5))"        t0."price" · > · 5
///
/// Fragments nest; they become text, and parameters get numbers, when the statement is ``rendered(_:outer:)``.
public struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
    // A tree and no text: each fragment goes into several larger ones, and would be copied into each of them.
    private enum Content: Sendable {
        case literal(StaticString)
        case text(String)
        case name(String)
        case column(String, of: String)
        case binding(SQLValue)
        case outer(Int)
        case fragments([SQLFragment])
    }

    private let content: Content

    private init(_ content: Content) { self.content = content }

    public init(stringLiteral text: StaticString) { self.init(.literal(text)) }

    public init(stringInterpolation: StringInterpolation) {
        let fragments = stringInterpolation.fragments
        if fragments.count == 1 { self = fragments[0] } else { self.init(.fragments(fragments)) }
    }

    /// Text made by a program: never by a user.
    public init(raw text: String) { self.init(.text(text)) }

    /// A bound value.
    public init(bind value: SQLValue) { self.init(.binding(value)) }

    /// A parameter that gets its value at each run of the statement, counted from 0.
    public init(outer index: Int) { self.init(.outer(index)) }

    /// Fragments with a separator between them.
    public init(_ fragments: [SQLFragment], separator: SQLFragment) {
        if fragments.count == 1 {
            self = fragments[0]
        } else if case .literal(let text) = separator.content, text.utf8CodeUnitCount == 0 {
            self.init(.fragments(fragments))
        } else {
            var parts: [SQLFragment] = []
            parts.reserveCapacity(2 * fragments.count)
            for fragment in fragments {
                if !parts.isEmpty { parts.append(separator) }
                parts.append(fragment)
            }
            self.init(.fragments(parts))
        }
    }

    /// A quoted name of a table or column.
    public static func identifier(_ name: String) -> SQLFragment { SQLFragment(.name(name)) }

    /// The column of a table with an alias.
    static func column(_ name: String, of alias: String) -> SQLFragment { SQLFragment(.column(name, of: alias)) }

    /// The text with numbered parameters, and the values of those after the first `outer`.
    ///
    /// - Parameter outer: how many parameters get their values at each run; they are the first.
    package func rendered(_ dialect: some SQLDialect, outer: Int = 0) -> (text: String, bindings: [SQLValue]) {
        var text: [UInt8] = []
        text.reserveCapacity(250)
        var bindings: [SQLValue] = []
        append(to: &text, &bindings, dialect, outer)
        return (String(decoding: text, as: UTF8.self), bindings)
    }

    private func append(
        to text: inout [UInt8],
        _ bindings: inout [SQLValue],
        _ dialect: some SQLDialect,
        _ outer: Int
    ) {
        switch content {
        case .literal(let part): part.withUTF8Buffer { unsafe text.append(contentsOf: $0) }
        case .text(let part): text.append(contentsOf: part.utf8)
        case .name(let name): name.appendQuoted(by: "\"", to: &text)
        case .column(let name, let alias):
            text.append(contentsOf: alias.utf8)
            text.append(UInt8(ascii: "."))
            name.appendQuoted(by: "\"", to: &text)
        case .outer(let index): text.append(contentsOf: dialect.outer(index).utf8)
        case .binding(let value):
            bindings.append(value)
            text.append(contentsOf: dialect.sigil.utf8)
            text.append(contentsOf: String(outer + bindings.count).utf8)
            text.append(contentsOf: dialect.parameterCast(for: value).utf8)
        case .fragments(let fragments):
            // A span lends its elements, where an array copies them.
            let parts = fragments.span
            for place in parts.indices { parts[place].append(to: &text, &bindings, dialect, outer) }
        }
    }

    /// What string interpolation builds a fragment from.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var fragments: [SQLFragment] = []

        /// Begins an empty fragment.
        public init(literalCapacity: Int, interpolationCount: Int) {
            fragments.reserveCapacity(2 * interpolationCount + 1)
        }

        /// Takes over SQL text as it stands.
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { fragments.append(SQLFragment(stringLiteral: literal)) }
        }

        /// A fragment, with its bindings.
        public mutating func appendInterpolation(_ fragment: SQLFragment) { fragments.append(fragment) }

        /// A bound value.
        public mutating func appendInterpolation(bind value: SQLValue) { fragments.append(SQLFragment(bind: value)) }

        /// A quoted name.
        public mutating func appendInterpolation(name: String) { fragments.append(.identifier(name)) }
    }
}

extension SQLFragment: Hashable {
    /// The text with the parameters apart: what fragments are compared by, however they were put together.
    private struct Flat: Hashable {
        enum Part: Hashable {
            case text([UInt8])
            case binding(SQLValue)
            case outer(Int)
        }

        private(set) var parts: [Part] = []

        init(_ fragment: SQLFragment) { append(fragment) }

        private mutating func append(_ fragment: SQLFragment) {
            switch fragment.content {
            case .binding(let value): parts.append(.binding(value))
            case .outer(let index): parts.append(.outer(index))
            case .fragments(let fragments): for fragment in fragments { append(fragment) }
            case .literal(let text): append(text.withUTF8Buffer { unsafe Array($0) })
            case .text(let text): append(Array(text.utf8))
            case .name(let name): append(Array(name.quoted(by: "\"").utf8))
            case .column(let name, let alias): append(Array("\(alias).\(name.quoted(by: "\""))".utf8))
            }
        }

        private mutating func append(_ text: [UInt8]) {
            guard !text.isEmpty else { return }
            if case .text(let before)? = parts.last {
                parts[parts.count - 1] = .text(before + text)
            } else {
                parts.append(.text(text))
            }
        }
    }

    public static func == (left: SQLFragment, right: SQLFragment) -> Bool { Flat(left) == Flat(right) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Flat(self)) }
}
