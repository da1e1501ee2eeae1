// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text between two quotes, each quote within it doubled: as SQL and OData write strings, and SQL names.
    ///
    /// By bytes and never by `Character`: a quote before a combining mark is one character with it, and would stay single.
    ///
    /// - Parameter quote: `'` or `"`.
    package func quoted(by quote: Unicode.Scalar) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 2)
        appendQuoted(by: quote, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what ``quoted(by:)`` gives.
    package func appendQuoted(by quote: Unicode.Scalar, to bytes: inout [UInt8]) {
        let mark = UInt8(ascii: quote)
        bytes.append(mark)
        let start = bytes.count
        bytes.append(contentsOf: utf8)
        var place = start
        while place < bytes.count, bytes[place] != mark { place += 1 }
        if place < bytes.count {
            bytes.removeSubrange(start...)
            for byte in utf8 {
                if byte == mark { bytes.append(mark) }
                bytes.append(byte)
            }
        }
        bytes.append(mark)
    }
}
