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

    /// Whether one of eight bytes is a control, a quotation mark or a backslash.
    ///
    /// Source: Henry Warren, "Hacker's Delight", section 6-1 (finding a byte that is zero, or less than another).
    @inline(__always)
    static func mustEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let slashes = word ^ (ones &* 0x5C)
        let controls = (word &- ones &* 0x20) & ~word
        let others = (quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes
        return (controls | others) & (ones &* 0x80) != 0
    }

    /// The number of decimal digits of a number.
    @inline(__always)
    static func digitCount(_ number: UInt64) -> Int {
        var length = 1
        var bound: UInt64 = 10
        while length < 20, number >= bound {
            length &+= 1
            // Beyond nineteen digits the next bound does not fit, and none is asked for.
            bound = bound &* 10
        }
        return length
    }

    /// Writes so many decimal digits of a number, with zeros in front.
    @inline(__always)
    static func write(_ number: UInt64, _ length: Int, to target: UnsafeMutablePointer<UInt8>) {
        let pairs: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
            5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
            """
        var rest = number
        var place = length
        while place > 1 {
            let pair = Int(truncatingIfNeeded: rest % 100) &* 2
            rest /= 100
            place &-= 2
            unsafe target[place] = pairs.utf8Start[pair]
            unsafe target[place &+ 1] = pairs.utf8Start[pair &+ 1]
        }
        if place == 1 { unsafe target.pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10) }
    }

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
        let count = utf8.count
        var place = 0
        while place < count {
            // Eight bytes at a time: a word with nothing to escape in it goes over as it is.
            if place &+ 8 <= count {
                let word = unsafe utf8.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                if !JSONText.mustEscape(word) {
                    unsafe UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
                    unsafe target += 8
                    place &+= 8
                    continue
                }
            }
            // The word that has something to escape, or what is left, byte by byte.
            let end = min(place &+ 8, count)
            while place < end {
                let byte = unsafe utf8[place]
                place &+= 1
                if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                    unsafe target.pointee = byte
                    unsafe target += 1
                } else {
                    unsafe target += Self.escape(byte, to: target)
                }
            }
        }
        unsafe target.pointee = UInt8(ascii: "\"")
        unsafe advance(target - start + 1)
    }

    /// Writes the escape of a byte that does not stand for itself.
    ///
    /// - Returns: the number of bytes.
    private static func escape(_ byte: UInt8, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let escape = JSONText.escapes[Int(byte)]
        unsafe target[0] = UInt8(ascii: "\\")
        unsafe target[1] = escape
        guard escape == UInt8(ascii: "u") else { return 2 }
        unsafe target[2] = UInt8(ascii: "0")
        unsafe target[3] = UInt8(ascii: "0")
        unsafe target[4] = UInt8(ascii: "0") + (byte >> 4)
        unsafe target[5] = byte & 0xF < 10 ? 0x30 + (byte & 0xF) : 0x57 + (byte & 0xF)
        return 6
    }

    /// Appends an integer in decimal digits.
    public func append(integer value: Int64) {
        let start = unsafe room(20)
        var target = unsafe start
        if value < 0 {
            unsafe target.pointee = UInt8(ascii: "-")
            unsafe target += 1
        }
        let length = JSONText.digitCount(value.magnitude)
        unsafe JSONText.write(value.magnitude, length, to: target)
        unsafe advance(target - start + length)
    }

    /// Appends a double as JSON writes it: shortest digits that read back, `"INF"`, `"-INF"`, `"NaN"` as strings.
    public func append(double value: Double) {
        if value.isFinite {
            // `description` gives `5.0`, `1e+20`, `1e-07`: all JSON numbers. A whole one drops its `.0`.
            if let whole = Int64(exactly: value), whole.magnitude < 1 << 53, whole != 0 || value.sign == .plus {
                append(integer: whole)
            } else if !append(thousandths: value) {
                append(text: value.description)
            }
        } else if value.isNaN {
            append("\"NaN\"")
        } else {
            append(value < 0 ? "\"-INF\"" : "\"INF\"")
        }
    }

    /// Appends a number that is not whole and has at most three decimal places, as prices and measures have.
    ///
    /// Of all texts with at most 15 digits only one reads back as a given double: the one found is the shortest.
    /// - Returns: whether it is such a number.
    private func append(thousandths value: Double) -> Bool {
        guard value.magnitude < 1e12 else { return false }
        let scaled = (value * 1000).rounded()
        guard scaled / 1000 == value else { return false }
        var places = 3
        var coefficient = UInt64(scaled.magnitude)
        while places > 1, coefficient % 10 == 0 {
            coefficient /= 10
            places -= 1
        }
        let divisor: UInt64 = places == 1 ? 10 : places == 2 ? 100 : 1000
        if value.sign == .minus { append(UInt8(ascii: "-")) }
        append(integer: Int64(coefficient / divisor))
        let target = unsafe room(4)
        unsafe target.pointee = UInt8(ascii: ".")
        unsafe JSONText.write(coefficient % divisor, places, to: target + 1)
        advance(places + 1)
        return true
    }
}
