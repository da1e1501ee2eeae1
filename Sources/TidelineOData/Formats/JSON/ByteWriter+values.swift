// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension ByteWriter {
    /// Appends one value as JSON, for bodies that are not rows pushed by a store.
    public func append(value: Value, type: PrimitiveType, format: JSONFormat) {
        switch value {
        case .null: append("null")
        case .boolean(let value): append(value ? "true" : "false")
        case .integer(let value):
            if type == .int64, format.ieee754Compatible {
                append(UInt8(ascii: "\""))
                append(integer: value)
                append(UInt8(ascii: "\""))
            } else {
                append(integer: value)
            }
        case .double(let value): append(double: value)
        case .decimal:
            let text = (value.text ?? "")
            append(text: format.ieee754Compatible ? "\"\(text)\"" : text)
        case .string(let text): appendQuoted(text)
        case .binary(let bytes):
            append(UInt8(ascii: "\""))
            unsafe bytes.withUnsafeBytes { unsafe append(base64URL: $0) }
            append(UInt8(ascii: "\""))
        case .guid, .date, .timeOfDay, .dateTimeOffset, .duration, .geography: appendQuoted((value.text ?? ""))
        }
    }

    /// Appends the base64url digits of `bytes`, without padding.
    func append(base64URL bytes: UnsafeRawBufferPointer) {
        var target = unsafe room((bytes.count + 2) / 3 * 4)
        let start = unsafe target
        var pending: UInt64 = 0
        var bits: UInt64 = 0
        for place in 0..<bytes.count {
            let byte = unsafe bytes[place]
            pending = pending << 8 | UInt64(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                unsafe target.pointee = Base64Digits.digit(pending >> bits)
                unsafe target += 1
            }
            pending &= 0xFF
        }
        if bits > 0 {
            unsafe target.pointee = Base64Digits.digit(pending << (6 - bits))
            unsafe target += 1
        }
        unsafe advance(target - start)
    }
}
