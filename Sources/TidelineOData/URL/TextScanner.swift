// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A cursor over the bytes of decoded URL text: blanks, names, numbers, quoted text.
struct TextScanner {
    let bytes: [UInt8]
    private let source: DecodedText
    var offset = 0
    /// The code of the errors that are noticed here.
    let code: ODataError.Code
    /// Where the identifier ends that was last looked at, and where it begins: a literal looks before a name is taken.
    private var lastWord: (start: Int, end: Int?) = (-1, nil)

    init(_ text: String, code: ODataError.Code) {
        self.init(DecodedText(text), code: code)
    }

    init(_ source: DecodedText, code: ODataError.Code) {
        self.source = source
        bytes = source.bytes
        self.code = code
    }

    var isAtEnd: Bool { offset == bytes.count }
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func byte(_ distance: Int) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    // MARK: Errors

    func error(_ message: String, at place: Int? = nil) -> ODataError {
        located(ODataError(code, message, at: place ?? offset))
    }

    func notSupported(_ message: String) -> ODataError { located(ODataError(.notSupported, message, at: offset)) }

    func tooComplex(_ message: String) -> ODataError { located(ODataError(.tooComplex, message, at: offset)) }

    private func located(_ error: ODataError) -> ODataError {
        var error = error
        error.position = error.offset.flatMap(source.position)
        return error
    }

    /// Whether the byte at a distance from here was percent-encoded.
    func isEncoded(_ distance: Int = 0) -> Bool { source.isEncoded(at: offset + distance) }

    // MARK: Parts

    /// Passes over blanks and tabs and says how many there were.
    @discardableResult
    mutating func skipBlanks() -> Int {
        let start = offset
        while let byte = next, byte == 0x20 || byte == 0x09 { offset += 1 }
        return offset - start
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    /// An identifier, or `nil` when none begins here.
    ///
    /// Source: OData ABNF construction rules, `odataIdentifier`: at most 128 characters.
    mutating func word() -> String? {
        guard let end = wordEnd() else { return nil }
        defer { offset = end }
        return String(decoding: bytes[offset..<end], as: UTF8.self)
    }

    /// Where the identifier that begins here ends.
    mutating func wordEnd() -> Int? {
        if lastWord.start == offset { return lastWord.end }
        var end = offset
        var characters = 0
        while end < bytes.count {
            // Letters of ASCII, which names mostly are, without a call for each.
            if Self.isLetter(bytes[end]) {
                end += 1
            } else if let length = Self.identifierCharacter(bytes, at: end, isFirst: end == offset) {
                end += length
            } else {
                break
            }
            characters += 1
        }
        lastWord = (offset, end > offset && characters <= 128 ? end : nil)
        return lastWord.end
    }

    /// A name, perhaps with a namespace: `Sales.Model.Customer`; `nil` when none begins here.
    mutating func qualifiedName() -> String? {
        guard var name = word() else { return nil }
        while next == UInt8(ascii: ".") {
            offset += 1
            guard let part = word() else {
                offset -= 1
                return name
            }
            name += "." + part
        }
        return name
    }

    /// The letters that stand here, at most eight of them, in lower case and packed into a number; 0 for none.
    ///
    /// Nothing is read.
    func keyword() -> (letters: UInt64, end: Int) {
        var place = offset
        var letters: UInt64 = 0
        while place < bytes.count {
            let byte = bytes[place]
            guard Self.isLetter(byte), place - offset < 8 else { break }
            letters = letters << 8 | UInt64(byte | 0x20)
            place += 1
        }
        if place < bytes.count, Self.identifierCharacter(bytes, at: place, isFirst: false) != nil { return (0, offset) }
        return (letters, place)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    /// A word of at most eight letters, packed as ``keyword()`` does; inlined, it is a constant.
    @inline(__always)
    static func packed(_ word: StaticString) -> UInt64 {
        var letters: UInt64 = 0
        for place in 0..<word.utf8CodeUnitCount { letters = unsafe letters << 8 | UInt64(word.utf8Start[place]) }
        return letters
    }

    /// The length of the identifier character at `place`, or `nil`.
    static func identifierCharacter(_ bytes: [UInt8], at place: Int, isFirst: Bool) -> Int? {
        let byte = bytes[place]
        if byte < 0x80 { return SimpleIdentifier.allows(Unicode.Scalar(byte), isFirst: isFirst) ? 1 : nil }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard place + length <= bytes.count,
            let scalar = String(decoding: bytes[place..<place + length], as: UTF8.self).unicodeScalars.first
        else { return nil }
        return SimpleIdentifier.allows(scalar, isFirst: isFirst) ? length : nil
    }

    /// The text between single quotes, where two of them stand for one.
    mutating func singleQuoted() throws(ODataError) -> String {
        let start = offset
        offset += 1
        var text: [UInt8] = []
        var part = offset
        while let byte = next {
            offset += 1
            guard byte == UInt8(ascii: "'") else { continue }
            guard next == UInt8(ascii: "'") else {
                let rest = bytes[part..<offset - 1]
                return String(decoding: text.isEmpty ? rest : (text + rest)[...], as: UTF8.self)
            }
            text += bytes[part..<offset]
            offset += 1
            part = offset
        }
        throw error("The quoted text does not end.", at: start)
    }

    /// A JSON string.
    mutating func doubleQuoted() throws(ODataError) -> String {
        let start = offset
        offset += 1
        while let byte = next, byte != UInt8(ascii: "\"") { offset += byte == UInt8(ascii: "\\") ? 2 : 1 }
        guard offset < bytes.count else { throw error("The quoted text does not end.", at: start) }
        offset += 1
        do {
            return try JSONReader.string(bytes[start..<offset])
        } catch {
            throw self.error("The quoted text is no JSON string.", at: start)
        }
    }
}
