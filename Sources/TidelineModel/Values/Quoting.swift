// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text between two quotes, each quote within it doubled: as SQL and OData write strings, and SQL names.
    ///
    /// By bytes and never by `Character`: a quote before a combining mark is one character with it, and would stay single.
    ///
    /// - Parameter quote: `'` or `"`.
    package func quoted(by quote: Unicode.Scalar) -> String {
        let mark = UInt8(ascii: quote)
        guard utf8.contains(mark) else {
            // Nearly every name and text: nothing but the two marks is added.
            var text = ""
            text.reserveCapacity(utf8.count + 2)
            text.unicodeScalars.append(quote)
            text += self
            text.unicodeScalars.append(quote)
            return text
        }
        var bytes: [UInt8] = [mark]
        bytes.reserveCapacity(utf8.count + 2)
        for byte in utf8 {
            if byte == mark { bytes.append(mark) }
            bytes.append(byte)
        }
        bytes.append(mark)
        return String(decoding: bytes, as: UTF8.self)
    }
}
