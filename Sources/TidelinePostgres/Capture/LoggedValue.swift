// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// One value of a key or before-image, as the log holds it.
enum LoggedValue: Equatable {
    case null
    case boolean(Bool)
    case number(String)
    case text(String)
    /// Too long for the log.
    case omitted

    /// Reads a JSON array as PostgreSQL writes `jsonb`: scalars, and `{}` for a value that was not kept.
    ///
    ///     [42, "O\"Hara", null, true, {}]
    static func list(_ text: String) throws -> [LoggedValue] {
        var rest = text.utf8[...]
        var values: [LoggedValue] = []
        guard rest.popFirst() == UInt8(ascii: "[") else { throw damaged }
        skipBlanks(&rest)
        if rest.first == UInt8(ascii: "]") { return [] }
        while true {
            skipBlanks(&rest)
            values.append(try first(&rest))
            skipBlanks(&rest)
            switch rest.popFirst() {
            case UInt8(ascii: ","): continue
            case UInt8(ascii: "]"): return values
            default: throw damaged
            }
        }
    }

    /// Texts out of a list that holds nothing else.
    static func texts(_ list: String) throws -> [String] {
        try self.list(list).map { value in
            guard case .text(let text) = value else { throw damaged }
            return text
        }
    }

    private static var damaged: StorageError {
        StorageError(.corrupt, message: "The change log holds an entry that nobody of ours wrote.")
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private static func first(_ rest: inout Substring.UTF8View) throws -> LoggedValue {
        if rest.first == UInt8(ascii: "\"") {
            rest.removeFirst()
            return .text(try quoted(&rest))
        }
        if rest.starts(with: "{}".utf8) {
            rest.removeFirst(2)
            return .omitted
        }
        let end = rest.firstIndex { [UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: " ")].contains($0) }
        let word = String(Substring(rest[..<(end ?? rest.endIndex)]))
        rest = rest[(end ?? rest.endIndex)...]
        switch word {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            guard let first = word.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first) else {
                throw damaged
            }
            return .number(word)
        }
    }

    private static func quoted(_ rest: inout Substring.UTF8View) throws -> String {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "b"): bytes.append(8)
            case UInt8(ascii: "f"): bytes.append(12)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "u"):
                // PostgreSQL writes control characters so, and nothing beyond: all else stands as it is.
                guard rest.count >= 4, let code = UInt8(String(Substring(rest.prefix(4))), radix: 16), code < 128
                else { throw damaged }
                rest.removeFirst(4)
                bytes.append(code)
            case let other?: bytes.append(other)
            case nil: throw damaged
            }
        }
        throw damaged
    }
}
