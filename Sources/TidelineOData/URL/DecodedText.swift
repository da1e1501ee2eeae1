// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A part of a URL with its percent-encoding undone, and where each of its bytes stood.
///
///     %27O''Neil'  ──►  'O''Neil'     byte 1 stood at place 3
struct DecodedText {
    let bytes: [UInt8]
    /// The place of each byte in the encoded part, the part's length last; `nil` when nothing was encoded.
    private let origins: [Int32]?
    /// Where the part begins in the whole text.
    private let base: Int?

    /// Text that was never encoded.
    init(_ text: String) {
        bytes = Array(text.utf8)
        origins = nil
        base = nil
    }

    /// The absence of text at a place of the whole URL.
    init(endAt place: Int) {
        bytes = []
        origins = nil
        base = place
    }

    /// - Parameter base: where the part begins in the whole URL, in UTF-8 bytes.
    /// - Throws: `InvalidURL` for a `%` without two digits and for bytes that are not UTF-8.
    init(encoded: Substring, base: Int = 0) throws(ODataError) {
        self.base = base
        guard encoded.utf8.contains(UInt8(ascii: "%")) else {
            bytes = Array(encoded.utf8)
            origins = nil
            return
        }
        var bytes: [UInt8] = []
        var origins: [Int32] = []
        bytes.reserveCapacity(encoded.utf8.count)
        origins.reserveCapacity(encoded.utf8.count + 1)
        var place: Int32 = 0
        var rest = encoded.utf8.makeIterator()
        while let byte = rest.next() {
            origins.append(place)
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                place += 1
                continue
            }
            guard let high = rest.next().flatMap(PercentCoding.hexValue),
                let low = rest.next().flatMap(PercentCoding.hexValue)
            else {
                var error = ODataError(
                    .invalidURL,
                    "A % is not followed by two hexadecimal digits.",
                    at: Int(place)
                )
                error.position = base + Int(place)
                throw error
            }
            bytes.append(high << 4 | low)
            place += 3
        }
        origins.append(place)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ODataError(.invalidURL, "The URL is not UTF-8.")
        }
        self.bytes = bytes
        self.origins = origins
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Where a byte stood in the whole URL; `nil` for text that was in none.
    func position(of offset: Int) -> Int? {
        guard let base else { return nil }
        guard let origins else { return base + min(offset, bytes.count) }
        return base + Int(origins[min(offset, bytes.count)])
    }

    /// Whether a byte was percent-encoded.
    func isEncoded(at offset: Int) -> Bool {
        guard let origins, offset < bytes.count else { return false }
        return origins[offset + 1] - origins[offset] == 3
    }
}
