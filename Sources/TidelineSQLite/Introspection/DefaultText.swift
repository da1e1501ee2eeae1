// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The text of a DEFAULT clause: a constant, or something that the database computes.
enum DefaultText {
    case value(QuotedValue)
    case computed

    init(_ text: String) {
        var text = text[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        while text.hasPrefix("("), text.hasSuffix(")"), text.count >= 2 { text = text.dropFirst().dropLast() }
        switch text.uppercased() {
        case "NULL": self = .value(.null)
        case "TRUE": self = .value(.integer(1))
        case "FALSE": self = .value(.integer(0))
        default:
            // SQLite takes a quoted name as a text here.
            if text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2, !text.dropFirst().dropLast().contains("\"")
            {
                self = .value(.text(String(text.dropFirst().dropLast())))
                return
            }
            let quoted = text.hasPrefix("x'") ? "X" + text.dropFirst() : text.hasPrefix("+") ? text.dropFirst() : text
            guard quoted != "-", !quoted.hasPrefix("z"), let values = try? QuotedValue.list(quoted.utf8),
                values.count == 1
            else {
                self = .computed
                return
            }
            self = .value(values[0])
        }
    }

    /// The default as a value of a property, or `nil` when it does not fit the property's type.
    static func value(_ quoted: QuotedValue, of property: Property) -> Value? {
        let reader = ColumnReader(property, place: 0)
        return switch quoted {
        case .null, .omitted: nil
        case .integer(let value): try? reader.value(integer: value)
        case .real(let value): try? reader.value(real: value)
        case .text(let value):
            // A numeric column turns a text that is a number into the number.
            property.type.integerRange != nil
                ? Int64(value).flatMap { try? reader.value(integer: $0) } : try? reader.value(text: value)
        case .blob(let value): try? reader.value(blob: value)
        }
    }
}
