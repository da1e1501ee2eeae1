// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension JSONTree {
    /// A text as a number, where JSON can say it as one.
    static func numeral(_ text: String) -> JSONTree? {
        if let number = Int(text), !text.hasPrefix("+") { return .integer(number) }
        var digits = text.utf8[...]
        if digits.first == UInt8(ascii: "-") { digits.removeFirst() }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let whole = digits.prefix(while: isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
        digits = digits.dropFirst(whole.count)
        if digits.first == UInt8(ascii: ".") {
            digits.removeFirst()
            let fraction = digits.prefix(while: isDigit)
            guard !fraction.isEmpty else { return nil }
            digits = digits.dropFirst(fraction.count)
        }
        if digits.first == UInt8(ascii: "e") || digits.first == UInt8(ascii: "E") {
            digits.removeFirst()
            if digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-") { digits.removeFirst() }
            guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
            return .number(text)
        }
        return digits.isEmpty ? .number(text) : nil
    }
}
