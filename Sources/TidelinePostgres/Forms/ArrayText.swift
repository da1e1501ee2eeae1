// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Arrays of PostgreSQL as text, for parameters that hold many values: `{"a","it\"s",NULL}`.
///
/// Source: PostgreSQL 15, section 8.15.6.
enum ArrayText {
    static func text(_ items: some Sequence<String?>) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for item in items {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            guard let item else {
                bytes.append(contentsOf: "NULL".utf8)
                continue
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in item.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
