// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Reads what ``PackedWriter`` wrote.
///
/// Each method answers `nil` where the bytes are not what they should be.
struct PackedReader {
    private let content: [UInt8]
    private var offset: Int

    init(_ bytes: [UInt8]) {
        content = bytes
        offset = 0
    }

    var isAtEnd: Bool { offset == content.count }

    mutating func byte() -> UInt8? {
        guard offset < content.count else { return nil }
        offset += 1
        return content[offset - 1]
    }

    mutating func number() -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard let next = byte() else { return nil }
            value |= UInt64(next & 0x7F) << UInt64(shift)
            if next & 0x80 == 0 { return Int(exactly: value) }
        }
        return nil
    }

    mutating func bytes() -> [UInt8]? {
        guard let count = number(), count <= content.count - offset else { return nil }
        defer { offset += count }
        return Array(content[offset..<offset + count])
    }

    mutating func text() -> String? {
        bytes().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func value() -> Value? {
        guard let tag = byte() else { return nil }
        switch tag {
        case 0: return .null
        case 1: return .boolean(false)
        case 2: return .boolean(true)
        case 3: return text().map { .string($0) }
        case 4: return bytes().map { .binary($0) }
        default:
            let place = Int(tag) - 8
            guard PackedWriter.textTypes.indices.contains(place), let text = text() else { return nil }
            return Value(text: text, as: PackedWriter.textTypes[place])
        }
    }
}
