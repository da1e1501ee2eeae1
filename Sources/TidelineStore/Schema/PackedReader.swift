// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// Reads what a ``PackedBuffer`` holds.
///
/// Reading past the end, or bytes that are no value, make ``isDamaged`` true.
@safe
struct PackedReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private(set) var isDamaged = false

    /// - Parameter bytes: stay where they are as long as the reader is used.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
        unsafe self.bytes = unsafe bytes
        self.offset = offset
    }

    var isAtEnd: Bool { unsafe offset >= bytes.count || isDamaged }

    private mutating func take(_ count: Int) -> Int? {
        guard unsafe count >= 0 && offset + count <= bytes.count else {
            isDamaged = true
            return nil
        }
        defer { offset += count }
        return offset
    }

    mutating func byte() -> UInt8 {
        guard let place = take(1) else { return 0 }
        return unsafe bytes[place]
    }

    mutating func word() -> UInt32 {
        guard let place = take(4) else { return 0 }
        return unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    /// Reads the next value as SQLite's storage classes are.
    mutating func next() -> PackedValue {
        switch byte() {
        case 0: return .null
        case 1:
            guard let place = take(1) else { return .null }
            return unsafe .integer(Int64(bytes.load(fromByteOffset: place, as: Int8.self)))
        case 2: return .integer(Int64(Int32(bitPattern: word())))
        case 3:
            guard let place = take(8) else { return .null }
            return unsafe .integer(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)))
        case 4:
            guard let place = take(8) else { return .null }
            let pattern = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            return .double(Double(bitPattern: pattern))
        case 5:
            let count = Int(word())
            guard let place = take(count) else { return .null }
            return unsafe .text(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
        case 6:
            let count = Int(word())
            guard let place = take(count) else { return .null }
            return unsafe .blob(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
        default:
            isDamaged = true
            return .null
        }
    }

    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = next() }
    }

    /// Binds the next value.
    ///
    /// The bytes are not copied: they stay until the statement is reset.
    @inline(__always)
    mutating func bind(_ statement: OpaquePointer, _ index: Int32) {
        switch next() {
        case .null: unsafe sqlite3_bind_null(statement, index)
        case .integer(let value): unsafe sqlite3_bind_int64(statement, index, value)
        case .double(let value): unsafe sqlite3_bind_double(statement, index, value)
        case .text(let text):
            unsafe sqlite3_bind_text(
                statement,
                index,
                text.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: text.count),
                nil
            )
        case .blob(let blob):
            if unsafe blob.isEmpty {
                unsafe sqlite3_bind_zeroblob(statement, index, 0)
            } else {
                unsafe sqlite3_bind_blob(statement, index, blob.baseAddress, Int32(clamping: blob.count), nil)
            }
        }
    }
}

/// A value as SQLite stores it.
///
/// Buffers belong to the reader or statement that it came from.
@safe
enum PackedValue {
    case null
    case integer(Int64)
    case double(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
}
