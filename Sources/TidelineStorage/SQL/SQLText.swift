// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel

/// SQL of an app's own with a question mark for each value: text and values stay apart.
package struct SQLText: Hashable, Sendable {
    package var text: String
    package var parameters: [Value]

    package init(_ text: String, _ parameters: [Value]) {
        self.text = text
        self.parameters = parameters
    }

    /// The text with its values in their places; `nil` where there are not as many as plain question marks.
    package var fragment: SQLFragment? {
        let parts = pieces
        // A number after the mark would name another value than the next.
        guard parts.count == parameters.count + 1, parts.dropFirst().allSatisfy({ $0.first?.isNumber != true }) else {
            return nil
        }
        var fragments = [SQLFragment(raw: parts[0])]
        for (value, part) in zip(parameters, parts.dropFirst()) {
            fragments.append(SQLFragment(bind: Self.stored(value)))
            fragments.append(SQLFragment(raw: part))
        }
        return SQLFragment(fragments, separator: "")
    }

    /// How many values the text wants.
    package var parameterCount: Int { pieces.count - 1 }

    /// A value as SQLite takes it where no column says more.
    package static func stored(_ value: Value) -> SQLValue {
        switch value {
        case .null: .null
        case .boolean(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .double(let value): .real(value)
        case .binary(let value): .blob(value)
        default: .text(value.text ?? "")
        }
    }

    /// The text between the question marks that stand for values: those in quotes and comments are text.
    private var pieces: [String] {
        var pieces: [String] = []
        var piece: [UInt8] = []
        var closing: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first {
            if !closing.isEmpty {
                if bytes.starts(with: closing) {
                    piece += closing
                    bytes = bytes.dropFirst(closing.count)
                    closing = []
                    continue
                }
            } else if byte == UInt8(ascii: "?") {
                pieces.append(String(decoding: piece, as: UTF8.self))
                piece = []
                bytes = bytes.dropFirst()
                continue
            } else {
                closing = Self.closing(bytes)
            }
            piece.append(byte)
            bytes = bytes.dropFirst()
        }
        // A comment that goes to the end of the text would take what follows it along.
        if closing == Array("\n".utf8) { piece += closing }
        return pieces + [String(decoding: piece, as: UTF8.self)]
    }

    /// What ends the text or comment that begins here; nothing where none begins.
    private static func closing(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch bytes.first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): Array(bytes.prefix(1))
        case UInt8(ascii: "["): Array("]".utf8)
        default:
            bytes.starts(with: "--".utf8) ? Array("\n".utf8) : bytes.starts(with: "/*".utf8) ? Array("*/".utf8) : []
        }
    }
}
