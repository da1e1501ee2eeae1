// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A pull parser over the bytes of one JSON text: strict UTF-8, strict grammar, no recursion, nothing built.
///
/// Lives only inside ``read(_:_:)``, which keeps the bytes in place and checks that they are UTF-8.
/// Source: RFC 8259.
@safe
struct JSONReader {
    /// A string or a member's name, between its quotes.
    struct Text {
        var start: Int
        var end: Int
        var hasEscapes: Bool
    }

    /// What a value begins with.
    enum Kind {
        case object, array, string, number, boolean, null
    }

    /// The most levels of arrays and objects, the outermost counted.
    static let depthLimit = 100

    let base: UnsafePointer<UInt8>
    let end: Int
    var offset = 0

    private init(base: UnsafePointer<UInt8>, end: Int) {
        unsafe self.base = base
        self.end = end
    }

    /// Reads a whole JSON text: `body` reads its one value, and nothing may follow.
    static func read<Result>(
        _ bytes: ArraySlice<UInt8>,
        _ body: (inout JSONReader) throws(ODataError) -> Result
    ) throws(ODataError) -> Result {
        let result = unsafe bytes.withUnsafeBufferPointer { buffer -> Swift.Result<Result, ODataError> in
            do throws(ODataError) {
                guard let base = buffer.baseAddress, buffer.count > 0 else {
                    throw ODataError(.invalidJSON, "The body is empty.", at: 0)
                }
                if let place = unsafe UTF8Check.firstError(buffer) {
                    throw ODataError(.invalidJSON, "The body is not UTF-8.", at: place)
                }
                var reader = unsafe JSONReader(base: base, end: buffer.count)
                // A byte order mark may be there (RFC 8259, section 8.1).
                if buffer.count >= 3, unsafe base[0] == 0xEF, unsafe base[1] == 0xBB, unsafe base[2] == 0xBF {
                    reader.offset = 3
                }
                let result = try body(&reader)
                reader.skipBlanks()
                guard reader.offset == reader.end else { throw reader.error("Something follows the JSON value.") }
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The text of a JSON string with its quotes.
    static func string(_ bytes: ArraySlice<UInt8>) throws(ODataError) -> String {
        try read(bytes) { reader throws(ODataError) in try reader.stringValue() }
    }

    // MARK: Errors

    func error(_ message: String, at place: Int? = nil) -> ODataError {
        ODataError(.invalidJSON, message, at: place ?? offset)
    }

    // MARK: Bytes

    @inline(__always)
    func byte(_ place: Int) -> UInt8 { unsafe base[place] }

    /// The bytes of a text or number as they stand in the body.
    @inline(__always)
    func raw(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: base + start, count: end - start)
    }

    /// A copy of the bytes as they stand in the body.
    func copy(_ range: Range<Int>) -> [UInt8] { unsafe Array(raw(range.lowerBound, range.upperBound)) }

    /// Whether the bytes of a name are exactly these.
    @inline(__always)
    func matches(_ text: Text, _ bytes: [UInt8]) -> Bool {
        let count = bytes.count
        guard text.end - text.start == count else { return false }
        var place = 0
        while place < count {
            guard unsafe base[text.start + place] == bytes[place] else { return false }
            place += 1
        }
        return true
    }

    @inline(__always)
    mutating func skipBlanks() {
        while offset < end {
            switch byte(offset) {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    /// The kind of the value that begins here, after blanks.
    mutating func kind() throws(ODataError) -> Kind {
        skipBlanks()
        guard offset < end else { throw error("The JSON text ends too early.") }
        switch byte(offset) {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        default: throw error("A JSON value is missing.")
        }
    }

    // MARK: Structure

    /// Passes over `{`, `[` and the like, after blanks.
    mutating func expect(_ character: Unicode.Scalar, _ message: @autoclosure () -> String) throws(ODataError) {
        skipBlanks()
        guard offset < end, byte(offset) == UInt8(ascii: character) else { throw error(message()) }
        offset += 1
    }

    /// Begins an object; members follow with ``nextName(_:)``.
    mutating func beginObject() throws(ODataError) { try expect("{", "An object is missing.") }

    /// The name of the next member with its colon passed, or `nil` at the end of the object.
    @inline(__always)
    mutating func nextName(_ isFirst: inout Bool) throws(ODataError) -> Text? {
        skipBlanks()
        guard offset < end else { throw error("The object does not end.") }
        if byte(offset) == UInt8(ascii: "}") {
            offset += 1
            return nil
        }
        if isFirst {
            isFirst = false
        } else {
            try expect(",", "A comma is missing.")
            skipBlanks()
        }
        guard offset < end, byte(offset) == UInt8(ascii: "\"") else { throw error("The name of a member is missing.") }
        let name = try text()
        try expect(":", "A colon is missing.")
        return name
    }

    /// Begins an array; elements follow with ``nextElement(_:)``.
    mutating func beginArray() throws(ODataError) { try expect("[", "An array is missing.") }

    /// Whether one more element follows; the reader stands before it.
    mutating func nextElement(_ isFirst: inout Bool) throws(ODataError) -> Bool {
        skipBlanks()
        guard offset < end else { throw error("The array does not end.") }
        if byte(offset) == UInt8(ascii: "]") {
            offset += 1
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            try expect(",", "A comma is missing.")
        }
        return true
    }

    /// Passes over one value of any kind, checking its grammar.
    mutating func skipValue() throws(ODataError) {
        // One bit for each open level: set for an object.
        var levels: UInt128 = 0
        var depth = 0
        while true {
            var isFirst = false
            switch try kind() {
            case .object, .array:
                let isObject = byte(offset) == UInt8(ascii: "{")
                offset += 1
                depth += 1
                guard depth < Self.depthLimit else {
                    throw ODataError(.tooComplex, "The JSON text has more than \(Self.depthLimit) levels.", at: offset)
                }
                levels = levels << 1 | (isObject ? 1 : 0)
                isFirst = true
            case .string: _ = try text()
            case .number: _ = try number()
            case .boolean: _ = try boolean()
            case .null: try null()
            }
            // On to the next value, closing what ends here.
            var needsValue = false
            while depth > 0, !needsValue {
                if levels & 1 == 1 {
                    needsValue = try nextName(&isFirst) != nil
                } else {
                    needsValue = try nextElement(&isFirst)
                }
                if !needsValue {
                    levels >>= 1
                    depth -= 1
                    isFirst = false
                }
            }
            if depth == 0 { return }
        }
    }

    /// Passes over one value and says where it stands.
    mutating func skipValueRange() throws(ODataError) -> Range<Int> {
        skipBlanks()
        let start = offset
        try skipValue()
        return start..<offset
    }
}
