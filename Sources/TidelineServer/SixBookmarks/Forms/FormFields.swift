// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The fields of a form that came in.
///
/// Source: URL Standard, section 5.1, `application/x-www-form-urlencoded` parsing.
struct FormFields: Sendable {
    private var values: [String: String] = [:]

    init() {}

    /// - Returns: `nil` for bytes that are no UTF-8, and for more fields than any form here has.
    init?(_ bytes: some Sequence<UInt8>) {
        for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
            guard values.count < 200 else { return nil }
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]), let value = sides.count > 1 ? Self.decoded(sides[1]) : ""
            else { return nil }
            values[name] = value
        }
    }

    /// The query of a target.
    init(target: String) {
        guard let mark = target.firstIndex(of: "?") else { return }
        self = FormFields(target[mark...].dropFirst().utf8) ?? FormFields()
    }

    /// What was typed, as it was typed; empty where the form has no such field.
    subscript(_ name: String) -> String { values[name] ?? "" }

    /// The same without space at its ends; not for passwords.
    func trimmed(_ name: String) -> String { Self.stripped(self[name][...]) }

    /// A stored text as a form sends it back that showed it in a line, untouched and trimmed.
    ///
    /// Source: HTML, section 4.10.5.1.2, value sanitization: a line has no line breaks.
    static func untouched(_ text: String?) -> String {
        let line = String((text ?? "").unicodeScalars.filter { $0 != "\n" && $0 != "\r" })
        return stripped(line[...])
    }

    private static func stripped(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Whether a box is ticked.
    func isTicked(_ name: String) -> Bool { !self[name].isEmpty }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "%"), place + 1 < bytes.endIndex, let high = digit(bytes[place]),
                let low = digit(bytes[place + 1])
            {
                result.append(high << 4 | low)
                place += 2
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
