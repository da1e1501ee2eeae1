// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// JSON strings and numbers as bytes.
enum JSONText {
    /// For each byte what stands after the backslash, `u` for a `\u00XX`, or 0 when it stands for itself.
    static let escapes: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 256)
        for control in 0..<0x20 { table[control] = UInt8(ascii: "u") }
        table[0x08] = UInt8(ascii: "b")
        table[0x09] = UInt8(ascii: "t")
        table[0x0A] = UInt8(ascii: "n")
        table[0x0C] = UInt8(ascii: "f")
        table[0x0D] = UInt8(ascii: "r")
        table[0x22] = 0x22
        table[0x5C] = 0x5C
        return table
    }()

    /// Two digits for each number below 100.
    static let pairs: [UInt8] = {
        var pairs: [UInt8] = []
        for number: UInt8 in 0..<100 {
            pairs.append(0x30 + number / 10)
            pairs.append(0x30 + number % 10)
        }
        return pairs
    }()

    /// A JSON string with its quotes.
    static func quoted(_ text: String) -> String {
        let writer = ByteWriter(capacity: text.utf8.count + 16)
        writer.appendQuoted(text)
        return writer.text
    }
}

extension ByteWriter {
    /// Appends a JSON string with its quotes.
    public func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { unsafe appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Appends valid UTF-8 as a JSON string with its quotes.
    func appendQuoted(_ utf8: UnsafeRawBufferPointer) {
        // Most strings have nothing to escape: they are copied while they are looked at.
        let start = unsafe room(utf8.count * 6 + 2)
        var target = unsafe start
        unsafe target.pointee = UInt8(ascii: "\"")
        unsafe target += 1
        unsafe JSONText.escapes.withUnsafeBufferPointer { escapes in
            for place in 0..<utf8.count {
                let byte = unsafe utf8[place]
                let escape = unsafe escapes[Int(byte)]
                if escape == 0 {
                    unsafe target.pointee = byte
                    unsafe target += 1
                } else {
                    unsafe target[0] = UInt8(ascii: "\\")
                    unsafe target[1] = escape
                    unsafe target += 2
                    if escape == UInt8(ascii: "u") {
                        unsafe target[0] = UInt8(ascii: "0")
                        unsafe target[1] = UInt8(ascii: "0")
                        unsafe target[2] = UInt8(ascii: "0") + (byte >> 4)
                        unsafe target[3] = byte & 0xF < 10 ? 0x30 + (byte & 0xF) : 0x57 + (byte & 0xF)
                        unsafe target += 4
                    }
                }
            }
        }
        unsafe target.pointee = UInt8(ascii: "\"")
        unsafe advance(target - start + 1)
    }

    /// Appends an integer in decimal digits.
    public func append(integer value: Int64) {
        let start = unsafe room(20)
        var target = unsafe start
        if value < 0 {
            unsafe target.pointee = UInt8(ascii: "-")
            unsafe target += 1
        }
        var rest = value.magnitude
        var length = 1
        var bound: UInt64 = 10
        while length < 20, rest >= bound {
            length += 1
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { break }
            bound = next
        }
        var place = length
        unsafe JSONText.pairs.withUnsafeBufferPointer { pairs in
            while rest >= 100 {
                let pair = Int(rest % 100) * 2
                rest /= 100
                place -= 2
                unsafe target[place] = pairs[pair]
                unsafe target[place + 1] = pairs[pair + 1]
            }
            if rest >= 10 {
                unsafe target[0] = pairs[Int(rest) * 2]
                unsafe target[1] = pairs[Int(rest) * 2 + 1]
            } else {
                unsafe target[0] = 0x30 + UInt8(truncatingIfNeeded: rest)
            }
        }
        unsafe advance(target - start + length)
    }

    /// Appends a double as JSON writes it: shortest digits that read back, `"INF"`, `"-INF"`, `"NaN"` as strings.
    public func append(double value: Double) {
        if value.isFinite {
            // `description` gives `5.0`, `1e+20`, `1e-07`: all JSON numbers. A whole one drops its `.0`.
            if let whole = Int64(exactly: value), whole.magnitude < 1 << 53, whole != 0 || value.sign == .plus {
                append(integer: whole)
            } else {
                append(text: value.description)
            }
        } else if value.isNaN {
            append("\"NaN\"")
        } else {
            append(value < 0 ? "\"-INF\"" : "\"INF\"")
        }
    }
}
