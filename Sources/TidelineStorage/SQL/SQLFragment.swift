// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A piece of SQL: text and bound values apart to the end, so that no value ever becomes text.
///
///     "\(column) > \(bind: .integer(5))"        t0."price" > ·        5
///
/// Fragments nest; parameters get numbers when the statement is ``rendered(_:outer:)``. Equal are those that render alike,
/// however they were put together.
public struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text as UTF-8; where a parameter stands, a byte that no UTF-8 has, see ``Mark``.
    private var text: [UInt8]
    /// The bound values in the order of their marks.
    private var bindings: [SQLValue]

    private enum Mark {
        /// The place of a bound value.
        static let binding: UInt8 = 0xFF
        /// The place of a parameter that gets its value at each run: the digits of its index between two such bytes.
        static let outer: UInt8 = 0xFE
    }

    private init(text: [UInt8], bindings: [SQLValue] = []) {
        self.text = text
        self.bindings = bindings
    }

    /// Nothing yet, with room for so many bytes of text.
    init(capacity: Int = 0) {
        self.init(text: [])
        text.reserveCapacity(capacity)
    }

    public init(stringLiteral text: StaticString) {
        self.init(text: text.withUTF8Buffer { unsafe Array($0) })
    }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    /// Text made by a program: never by a user.
    public init(raw text: String) { self.init(text: Array(text.utf8)) }

    private static let bound = [Mark.binding]

    /// A bound value.
    public init(bind value: SQLValue) { self.init(text: Self.bound, bindings: [value]) }

    /// A parameter that gets its value at each run of the statement, counted from 0.
    public init(outer index: Int) { self.init(text: [Mark.outer] + String(index).utf8 + [Mark.outer]) }

    /// Fragments with a separator between them.
    public init(_ fragments: [SQLFragment], separator: StaticString) {
        guard fragments.count != 1 else {
            self = fragments[0]
            return
        }
        self.init()
        append(fragments, separator: separator)
    }

    /// A quoted name of a table or column.
    public static func identifier(_ name: String) -> SQLFragment {
        var fragment = SQLFragment(capacity: name.utf8.count + 2)
        fragment.append(name: name)
        return fragment
    }

    /// The column of a table with an alias.
    static func column(_ name: String, of alias: String) -> SQLFragment {
        var fragment = SQLFragment(capacity: alias.utf8.count + name.utf8.count + 3)
        fragment.text.append(contentsOf: alias.utf8)
        fragment.text.append(UInt8(ascii: "."))
        fragment.append(name: name)
        return fragment
    }

    /// Appends SQL text as it stands.
    mutating func append(literal: StaticString) {
        literal.withUTF8Buffer { unsafe text.append(contentsOf: $0) }
    }

    /// Appends a fragment, with its bindings.
    mutating func append(_ fragment: SQLFragment) {
        text.append(contentsOf: fragment.text)
        if bindings.isEmpty {
            bindings = fragment.bindings
        } else if !fragment.bindings.isEmpty {
            bindings.append(contentsOf: fragment.bindings)
        }
    }

    /// Appends fragments with a separator between them.
    mutating func append(_ fragments: [SQLFragment], separator: StaticString) {
        for place in fragments.indices {
            if place > 0 { append(literal: separator) }
            append(fragments[place])
        }
    }

    private mutating func append(name: String) { name.appendQuoted(by: "\"", to: &text) }

    /// The text with numbered parameters, and the values of those after the first `outer`.
    ///
    /// - Parameter outer: how many parameters get their values at each run; they are the first.
    package func rendered(_ dialect: some SQLDialect, outer: Int = 0) -> (text: String, bindings: [SQLValue]) {
        var rendered: [UInt8] = []
        rendered.reserveCapacity(text.count + 20 * bindings.count)
        var number = outer
        var start = 0
        while let mark = nextMark(from: start) {
            rendered.append(contentsOf: text[start..<mark])
            start = mark + 1
            if text[mark] == Mark.binding {
                dialect.appendParameter(number + 1, for: bindings[number - outer], to: &rendered)
                number += 1
            } else {
                var index = 0
                while text[start] != Mark.outer {
                    index = 10 * index + Int(text[start] - UInt8(ascii: "0"))
                    start += 1
                }
                start += 1
                rendered.append(contentsOf: dialect.outer(index).utf8)
            }
        }
        rendered.append(contentsOf: text[start...])
        return (String(decoding: rendered, as: UTF8.self), bindings)
    }

    private func nextMark(from start: Int) -> Int? {
        let bytes = text.span
        var place = start
        while place < bytes.count, bytes[place] < Mark.outer { place += 1 }
        return place < bytes.count ? place : nil
    }

    /// What string interpolation builds a fragment from.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var fragment: SQLFragment

        /// Begins an empty fragment.
        public init(literalCapacity: Int, interpolationCount: Int) {
            fragment = SQLFragment(capacity: literalCapacity + 32 * interpolationCount)
        }

        /// Takes over SQL text as it stands.
        public mutating func appendLiteral(_ literal: StaticString) {
            if literal.utf8CodeUnitCount > 0 { fragment.append(literal: literal) }
        }

        /// A fragment, with its bindings.
        public mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }

        /// Text made by a program: never by a user.
        public mutating func appendInterpolation(raw text: String) { fragment.text.append(contentsOf: text.utf8) }

        /// SQL text that is one of several.
        public mutating func appendInterpolation(literal: StaticString) { fragment.append(literal: literal) }

        /// A bound value.
        public mutating func appendInterpolation(bind value: SQLValue) {
            fragment.text.append(Mark.binding)
            fragment.bindings.append(value)
        }

        /// A quoted name.
        public mutating func appendInterpolation(name: String) { fragment.append(name: name) }
    }
}
