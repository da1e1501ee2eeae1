// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes a picture of at most sixteen colours as PNG, not compressed.
///
/// Source: Portable Network Graphics, third edition; RFC 1950 and RFC 1951, section 3.2.4, for the block that is stored.
enum PNGWriter {
    /// The file.
    ///
    /// - Parameters:
    ///   - pixels: places in the palette, row by row from the top; the width is even.
    ///   - palette: colours as `0xRRGGBB`.
    static func bytes(width: Int, height: Int, pixels: [UInt8], palette: [UInt32]) -> [UInt8] {
        var rows: [UInt8] = []
        for row in 0..<height {
            // No filter before the row, then two pixels a byte.
            rows.append(0)
            for column in stride(from: row * width, to: (row + 1) * width, by: 2) {
                rows.append(pixels[column] << 4 | pixels[column + 1])
            }
        }
        precondition(rows.count <= 0xFFFF, "A stored block holds 65535 bytes.")
        let count = UInt16(rows.count)
        // The window and a check of both, the last block, its length and the complement of that.
        var data: [UInt8] = [0x78, 0x01, 0x01]
        for half in [count, ~count] { data += [UInt8(half & 0xFF), UInt8(half >> 8)] }
        data += rows + big(adler(rows))
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] = big(UInt32(width)) + big(UInt32(height)) + [4, 3, 0, 0, 0]
        let colours: [UInt8] = palette.flatMap { big($0).dropFirst() }
        var file = signature
        file += chunk("IHDR", header)
        file += chunk("PLTE", colours)
        file += chunk("IDAT", data)
        file += chunk("IEND", [])
        return file
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(UInt32(data.count)) + body + big(check(body))
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }

    /// CRC-32, as PNG has it.
    private static func check(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// Adler-32.
    ///
    /// Source: RFC 1950, section 9.
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
