// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The text of an ETag: `W/"` + 22 base64url digits + `"`.
extension ETag {
    /// The entity tag as it stands in headers and JSON (there with its quotes escaped).
    public var text: String { "W/\"\(opaque)\"" }

    /// The 22 digits between the quotes.
    public var opaque: String {
        unsafe String(unsafeUninitializedCapacity: 22) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            unsafe write(to: base)
            return 22
        }
    }

    /// Writes the 22 digits.
    func write(to target: UnsafeMutablePointer<UInt8>) {
        // 21 digits of six bits from the top: 10 of the high word, one across, 10 of the low word. The last digit holds
        // the two bits that remain.
        for place in 0..<10 {
            let shift = UInt64(truncatingIfNeeded: 58 &- 6 &* place)
            unsafe target[place] = Base64Digits.digit(high &>> shift)
            unsafe target[place &+ 11] = Base64Digits.digit(low &>> (shift &- 2))
        }
        unsafe target[10] = Base64Digits.digit(high &<< 2 | low &>> 62)
        unsafe target[21] = Base64Digits.digit(low &<< 4)
    }

    /// Reads an entity tag, weak or strong; `nil` for one that no Tideline service made.
    public init?(text: String) {
        var text = Substring(text)
        if text.hasPrefix("W/") { text = text.dropFirst(2) }
        guard text.utf8.count == 24, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        self.init(opaque: text.dropFirst().dropLast().utf8)
    }

    /// Reads the 22 digits; `nil` for anything else.
    init?(opaque digits: some Collection<UInt8>) {
        guard digits.count == 22 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (place, byte) in digits.enumerated() {
            guard let value = Base64Digits.value(byte) else { return nil }
            if place < 21 {
                high = high << 6 | low >> 58
                low = low << 6 | UInt64(value)
            } else {
                guard value & 0xF == 0 else { return nil }
                high = high << 2 | low >> 62
                low = low << 2 | UInt64(value >> 4)
            }
        }
        self.init(high: high, low: low)
    }
}
