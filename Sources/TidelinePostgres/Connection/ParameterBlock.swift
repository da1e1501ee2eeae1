// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

/// The values of a statement's parameters as libpq takes them: text that ends with a zero byte, bytes for blobs.
///
/// PostgreSQL gives each parameter the type that its place in the statement asks for, and reads its text as that.
struct ParameterBlock {
    private var bytes: [UInt8] = []
    /// Where each value begins, or -1 for null.
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    var count: Int { offsets.count }

    /// - Throws: ``TidelineStorage/StorageError`` for text with U+0000, which PostgreSQL cannot hold.
    init(_ values: [SQLValue]) throws {
        for value in values { try append(value) }
    }

    private mutating func append(_ value: SQLValue) throws {
        switch value {
        case .null:
            offsets.append(-1)
            lengths.append(0)
            formats.append(0)
            return
        case .blob(let value):
            offsets.append(bytes.count)
            lengths.append(Int32(clamping: value.count))
            formats.append(1)
            bytes.append(contentsOf: value)
            // So that an empty blob has an address too.
            bytes.append(0)
            return
        case .integer(let value): add(String(value))
        case .real(let value): add(value.isNaN ? "NaN" : String(value))
        case .text(let value), .typed(let value, _):
            guard !value.utf8.contains(0) else {
                throw StorageError(.unsupportedValue, message: "PostgreSQL holds no text with the character U+0000.")
            }
            add(value)
        }
    }

    private mutating func add(_ text: String) {
        offsets.append(bytes.count)
        lengths.append(0)
        formats.append(0)
        bytes.append(contentsOf: text.utf8)
        bytes.append(0)
    }

    /// Calls libpq with the values, their lengths and their formats.
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = unsafe offsets.map { offset in unsafe offset < 0 ? nil : start.map { unsafe $0 + offset } }
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(
                            Int32(offsets.count),
                            values.baseAddress,
                            lengths.baseAddress,
                            formats.baseAddress
                        )
                    }
                }
            }
        }
    }
}
