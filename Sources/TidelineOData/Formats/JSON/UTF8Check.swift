// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Checks that bytes are UTF-8: no overlong forms, no surrogates, nothing cut off.
///
/// Source: RFC 3629, section 4.
enum UTF8Check {
    /// The offset of the first byte that is wrong, or `nil` when all are right.
    static func firstError(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let raw = unsafe UnsafeRawPointer(base)
        let count = bytes.count
        var place = 0
        while place < count {
            // Eight ASCII bytes at a time: most of every body.
            while place + 8 <= count,
                unsafe raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                place += 8
            }
            guard place < count else { return nil }
            let byte = unsafe base[place]
            if byte < 0x80 {
                place += 1
                continue
            }
            let length: Int
            var lowest: UInt8 = 0x80
            var highest: UInt8 = 0xBF
            switch byte {
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF:
                length = 3
                if byte == 0xE0 { lowest = 0xA0 }
                if byte == 0xED { highest = 0x9F }
            case 0xF0...0xF4:
                length = 4
                if byte == 0xF0 { lowest = 0x90 }
                if byte == 0xF4 { highest = 0x8F }
            default: return place
            }
            guard place + length <= count else { return place }
            for distance in 1..<length {
                let next = unsafe base[place + distance]
                guard next >= lowest, next <= highest else { return place }
                lowest = 0x80
                highest = 0xBF
            }
            place += length
        }
        return nil
    }
}
