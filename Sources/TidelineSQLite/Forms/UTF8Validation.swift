// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Whether bytes are well-formed UTF-8.
///
/// Runs of ASCII, the usual case, are passed eight bytes at a time.
///
/// Source: The Unicode Standard 16.0, table 3-7.
func isWellFormedUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    let count = bytes.count
    while position < count {
        if position &+ 8 <= count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if word & 0x8080_8080_8080_8080 == 0 {
                position &+= 8
                continue
            }
        }
        let first = unsafe bytes[position]
        position &+= 1
        if first < 0x80 { continue }
        let length: Int
        var range: ClosedRange<UInt8> = 0x80...0xbf
        switch first {
        case 0xc2...0xdf: length = 1
        case 0xe0:
            length = 2
            range = 0xa0...0xbf
        case 0xed:
            length = 2
            range = 0x80...0x9f
        case 0xe1...0xef: length = 2
        case 0xf0:
            length = 3
            range = 0x90...0xbf
        case 0xf4:
            length = 3
            range = 0x80...0x8f
        case 0xf1...0xf3: length = 3
        default: return false
        }
        guard position &+ length <= count else { return false }
        for _ in 0..<length {
            guard unsafe range.contains(bytes[position]) else { return false }
            range = 0x80...0xbf
            position &+= 1
        }
    }
    return true
}
