// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// One value of a key or before-image, as the log holds it.
enum QuotedValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// Too long for the log, or a text that is no UTF-8.
    case omitted

    /// Reads values written by SQLite's `quote()`, with commas between them.
    ///
    ///     42,'O''Hara',X'00FF',NULL,-1.5e10,-
    ///
    /// `-` alone is a value that was not kept; `z` and digits is a text with U+0000.
    /// Source: SQLite, "Built-In Scalar SQL Functions", quote(X).
    static func list(_ text: some Collection<UInt8>) throws -> [QuotedValue] {
        var values: [QuotedValue] = []
        var rest = Array(text)[...]
        while true {
            values.append(try first(&rest))
            guard let separator = rest.popFirst() else { return values }
            guard separator == UInt8(ascii: ",") else { throw damaged }
        }
    }

    /// Values as one text that ``list(_:)`` reads.
    static func text(_ values: [String]) -> String { values.map(SQLToken.text).joined(separator: ",") }

    /// Texts out of a list that holds nothing else.
    static func texts(_ list: String) throws -> [String] {
        guard !list.isEmpty else { return [] }
        return try self.list(list.utf8).map { value in
            guard case .text(let text) = value else { throw damaged }
            return text
        }
    }

    private static var damaged: StorageError {
        StorageError(.corrupt, message: "The change log holds an entry that nobody of ours wrote.")
    }

    private static func first(_ rest: inout ArraySlice<UInt8>) throws -> QuotedValue {
        switch rest.first {
        case UInt8(ascii: "'"): return text(try quoted(&rest))
        case UInt8(ascii: "X"):
            rest.removeFirst()
            return .blob(try hexadecimal(try quoted(&rest)))
        default:
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let word = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[end...]
            if word == "NULL" { return .null }
            if word == "-" { return .omitted }
            if word.hasPrefix("z") {
                return text(try hexadecimal(Array(word.utf8.dropFirst())))
            }
            if let integer = Int64(word) { return .integer(integer) }
            // SQLite writes infinities as 9.0e+999.
            if let real = Double(word) { return .real(real) }
            throw damaged
        }
    }

    private static func text(_ bytes: [UInt8]) -> QuotedValue {
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .omitted
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
        let quote = UInt8(ascii: "'")
        guard rest.popFirst() == quote else { throw damaged }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                guard rest.first == quote else { return bytes }
                rest.removeFirst()
            }
            bytes.append(byte)
        }
        throw damaged
    }

    private static func hexadecimal(_ digits: [UInt8]) throws -> [UInt8] {
        guard digits.count % 2 == 0 else { throw damaged }
        return try stride(from: 0, to: digits.count, by: 2).map { place in
            guard let high = Character(Unicode.Scalar(digits[place])).hexDigitValue,
                let low = Character(Unicode.Scalar(digits[place + 1])).hexDigitValue
            else { throw damaged }
            return UInt8(high << 4 | low)
        }
    }
}
