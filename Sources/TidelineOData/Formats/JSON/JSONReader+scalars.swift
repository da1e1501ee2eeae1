// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
    mutating func null() throws(ODataError) { try literal("null") }

    mutating func boolean() throws(ODataError) -> Bool {
        skipBlanks()
        let isTrue = offset < end && byte(offset) == UInt8(ascii: "t")
        try literal(isTrue ? "true" : "false")
        return isTrue
    }

    private mutating func literal(_ word: StaticString) throws(ODataError) {
        skipBlanks()
        let count = word.utf8CodeUnitCount
        guard offset + count <= end else { throw error("The JSON text ends too early.") }
        for place in 0..<count {
            guard unsafe byte(offset + place) == word.utf8Start[place] else { throw error("A JSON value is missing.") }
        }
        offset += count
    }

    /// A number: where its digits stand.
    mutating func number() throws(ODataError) -> (range: Range<Int>, isInteger: Bool) {
        skipBlanks()
        let start = offset
        var isInteger = true
        if offset < end, byte(offset) == UInt8(ascii: "-") { offset += 1 }
        let digits = offset
        guard skipDigits() > 0 else { throw error("A number has no digits.") }
        guard byte(digits) != 0x30 || offset == digits + 1 else { throw error("A number begins with 0.", at: digits) }
        if offset < end, byte(offset) == UInt8(ascii: ".") {
            offset += 1
            isInteger = false
            guard skipDigits() > 0 else { throw error("A number has no digits after its point.") }
        }
        if offset < end, byte(offset) | 0x20 == UInt8(ascii: "e") {
            offset += 1
            isInteger = false
            if offset < end, byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits() > 0 else { throw error("A number has no digits in its exponent.") }
        }
        return (start..<offset, isInteger)
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while offset < end, byte(offset) &- 0x30 < 10 { offset += 1 }
        return offset - start
    }

    /// A string: where it stands between its quotes.
    ///
    /// Its escapes are checked.
    @inline(__always)
    mutating func text() throws(ODataError) -> Text {
        skipBlanks()
        guard offset < end, byte(offset) == UInt8(ascii: "\"") else { throw error("A string is missing.") }
        let start = offset + 1
        var place = start
        while place < end {
            let byte = byte(place)
            if byte == UInt8(ascii: "\"") {
                offset = place + 1
                return Text(start: start, end: place, hasEscapes: false)
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            place += 1
        }
        return try escapedText(from: start, at: place)
    }

    @inline(never)
    private mutating func escapedText(from start: Int, at first: Int) throws(ODataError) -> Text {
        var place = first
        while place < end {
            switch byte(place) {
            case UInt8(ascii: "\""):
                offset = place + 1
                return Text(start: start, end: place, hasEscapes: true)
            case 0..<0x20: throw error("A string has a control character that is not escaped.", at: place)
            case UInt8(ascii: "\\"): place += try JSONEscape.read(self, at: place, limit: end).length
            default: place += 1
            }
        }
        throw error("A string does not end.", at: start - 1)
    }

    /// Appends the text of a string with its escapes undone.
    func append(_ text: Text, to bytes: inout [UInt8]) throws(ODataError) {
        var place = text.start
        while place < text.end {
            let byte = byte(place)
            if byte == UInt8(ascii: "\\") {
                let (scalar, length) = try JSONEscape.read(self, at: place, limit: end)
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                place += length
            } else {
                bytes.append(byte)
                place += 1
            }
        }
    }

    /// The text of a string.
    func string(_ text: Text) throws(ODataError) -> String {
        guard text.hasEscapes else { return unsafe String(decoding: raw(text.start, text.end), as: UTF8.self) }
        var bytes: [UInt8] = []
        try append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The next value, which must be a string.
    mutating func stringValue() throws(ODataError) -> String { try string(try text()) }
}
