// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

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
            guard text.skip(")") else {
                let isMore = text.skip(",")
                throw text.error(
                    isMore ? "Of several values each needs the name of its property." : "The key does not end."
                )
            }
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
            guard let value = try inner.keyLiteral() else {
                throw text.error("The parameter alias @\(name) is no value of a key.")
            }
            inner.text.skipBlanks()
            try inner.expectEnd()
            return value
        }
        let isMissing = text.next == nil || text.next == UInt8(ascii: ")") || text.next == UInt8(ascii: ",")
        guard let value = try keyLiteral() else {
            throw text.error(
                isMissing
                    ? "A value of the key is missing." : "This is no value of a key; a text stands in single quotes."
            )
        }
        return value
    }

    /// A literal that is not null; the members of an enumeration as text.
    private mutating func keyLiteral() throws(ODataError) -> Value? {
        let start = text.offset
        if let value = try text.literal() { return value == .null ? nil : value }
        guard text.qualifiedName() != nil, text.next == UInt8(ascii: "'") else {
            text.offset = start
            return nil
        }
        return .string(try text.singleQuoted())
    }
}
