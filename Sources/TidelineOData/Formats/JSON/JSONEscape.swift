// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One escape of a JSON string.
enum JSONEscape {
    /// The character that the escape at `place` stands for, and how many bytes it has.
    ///
    /// Two `\u` that are a surrogate pair count as one; a surrogate alone is refused.
    static func read(_ reader: JSONReader, at place: Int, limit: Int) throws(ODataError) -> (
        Unicode.Scalar, length: Int
    ) {
        guard place + 1 < limit else { throw reader.error("A string does not end.", at: place) }
        switch reader.byte(place + 1) {
        case UInt8(ascii: "\""): return ("\"", 2)
        case UInt8(ascii: "\\"): return ("\\", 2)
        case UInt8(ascii: "/"): return ("/", 2)
        case UInt8(ascii: "b"): return ("\u{8}", 2)
        case UInt8(ascii: "f"): return ("\u{C}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u"): break
        default: throw reader.error("A string has an unknown escape.", at: place)
        }
        let unit = try unit(reader, at: place, limit: limit)
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
        guard unit < 0xDC00, place + 7 < limit, reader.byte(place + 6) == UInt8(ascii: "\\"),
            reader.byte(place + 7) == UInt8(ascii: "u")
        else { throw reader.error("A string has half of a surrogate pair.", at: place) }
        let low = try self.unit(reader, at: place + 6, limit: limit)
        guard low >= 0xDC00, low < 0xE000, let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw reader.error("A string has half of a surrogate pair.", at: place) }
        return (scalar, 12)
    }

    private static func unit(_ reader: JSONReader, at place: Int, limit: Int) throws(ODataError) -> UInt32 {
        guard place + 5 < limit else { throw reader.error("A string does not end.", at: place) }
        var unit: UInt32 = 0
        for distance in 2..<6 {
            guard let digit = PercentCoding.hexValue(reader.byte(place + distance)) else {
                throw reader.error("\\u is not followed by four hexadecimal digits.", at: place)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
