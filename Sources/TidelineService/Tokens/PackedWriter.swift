// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Packs numbers, bytes and values one after the other, each with its length: what tokens and kept answers are made of.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    /// A number from 0, seven bits a byte.
    mutating func number(_ value: Int) {
        var rest = UInt64(max(0, value))
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func bytes(_ value: some Collection<UInt8>) {
        number(value.count)
        bytes.append(contentsOf: value)
    }

    mutating func text(_ value: String) { bytes(Array(value.utf8)) }

    mutating func value(_ value: Value) {
        switch value {
        case .null: byte(0)
        case .boolean(let flag): byte(flag ? 2 : 1)
        case .string(let text):
            byte(3)
            self.text(text)
        case .binary(let content):
            byte(4)
            bytes(content)
        default:
            byte(Self.tag(of: value))
            text(value.text ?? "")
        }
    }

    static let textTypes: [PrimitiveType] = [
        .int64, .double, .decimal, .guid, .date, .timeOfDay, .dateTimeOffset, .duration,
    ]

    /// The place in ``textTypes``, counted from 8.
    private static func tag(of value: Value) -> UInt8 {
        switch value {
        case .integer: 8
        case .double: 9
        case .decimal: 10
        case .guid: 11
        case .date: 12
        case .timeOfDay: 13
        case .dateTimeOffset: 14
        default: 15
        }
    }
}
