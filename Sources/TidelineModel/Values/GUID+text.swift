// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension GUID: CanonicalText {
    public init?(utf8: Span<UInt8>) {
        guard utf8.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var count = 0
        for place in 0..<36 {
            let byte = utf8[place]
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard byte == ASCII.minus else { return nil }
                continue
            }
            guard let digit = ASCII.hexDigit(byte) else { return nil }
            if count < 16 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
            count += 1
        }
        self.init(high: halves.0, low: halves.1)
    }

    public func append(to bytes: inout [UInt8]) {
        append(to: &bytes, letters: UInt8(ascii: "a"))
    }

    /// Appends the text with upper-case digits, as some databases keep it.
    package func appendUpper(to bytes: inout [UInt8]) {
        append(to: &bytes, letters: UInt8(ascii: "A"))
    }

    private func append(to bytes: inout [UInt8], letters: UInt8) {
        bytes.reserveCapacity(bytes.count + 36)
        for place in 0..<32 {
            if place == 8 || place == 12 || place == 16 || place == 20 { bytes.append(ASCII.minus) }
            let half = place < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (place & 15))) & 15
            bytes.append(digit < 10 ? ASCII.zero + digit : letters + digit - 10)
        }
    }

    /// Reads 16 bytes in the order of the text, or `nil` for another count.
    public init?(bytes: Span<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for place in 0..<8 { halves.0 = halves.0 << 8 | UInt64(bytes[place]) }
        for place in 8..<16 { halves.1 = halves.1 << 8 | UInt64(bytes[place]) }
        self.init(high: halves.0, low: halves.1)
    }

    /// The 16 bytes in the order of the text.
    public var bytes: [UInt8] {
        (0..<16).map { place in
            UInt8(truncatingIfNeeded: (place < 8 ? high : low) >> UInt64(56 - 8 * (place & 7)))
        }
    }
}

extension GUID: Comparable {
    public static func < (left: GUID, right: GUID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
