// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Pushes one JSON value at a time into a sink, checked against its column's type and in canonical form.
struct ValueReader<Sink: RowSink> {
    private let sink: Sink
    private var scratch: [UInt8] = []

    init(sink: Sink) {
        self.sink = sink
    }

    @inline(__always)
    mutating func push(_ reader: inout JSONReader, _ column: ReadableShape.Column) throws(ODataError) {
        switch try reader.kind() {
        case .null:
            try reader.null()
            sink.null()
        case .string: try pushText(&reader, column)
        case .number: try pushNumber(&reader, column)
        case .boolean:
            guard column.type == .boolean else { throw wrong(column, reader.offset) }
            sink.boolean(try reader.boolean())
        case .object where column.type.isSpatial && !column.isJSON:
            let property = Property(names: Names(wire: String(decoding: column.name, as: UTF8.self)), type: column.type)
            pushCanonical(.geography(try GeoJSONReader(property: property).shape(&reader)))
        case .object, .array:
            guard column.isJSON else { throw wrong(column, reader.offset) }
            let range = try reader.skipValueRange()
            unsafe sink.text(reader.raw(range.lowerBound, range.upperBound))
        }
    }

    private func wrong(_ column: ReadableShape.Column, _ offset: Int) -> ODataError {
        let name = String(decoding: column.name, as: UTF8.self)
        return ODataError(
            .invalidValue,
            "The value of \(name) is no \(column.type.rawValue).",
            target: name,
            at: offset
        )
    }

    private mutating func pushNumber(
        _ reader: inout JSONReader,
        _ column: ReadableShape.Column
    ) throws(ODataError) {
        let (range, isInteger) = try reader.number()
        let digits = unsafe reader.raw(range.lowerBound, range.upperBound)
        switch column.type {
        case .byte, .sbyte, .int16, .int32, .int64:
            guard isInteger, let value = unsafe Self.integer(digits), column.type.integerRange?.contains(value) == true
            else { throw wrong(column, range.lowerBound) }
            sink.integer(value)
        case .decimal:
            guard range.count <= 40, unsafe !digits.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
                guard range.count <= 1000, let value = unsafe Value(utf8: digits, as: .decimal) else {
                    throw wrong(column, range.lowerBound)
                }
                pushCanonical(value)
                return
            }
            unsafe sink.text(digits)
        case .double, .single:
            guard range.count <= 1000, case .double(let value)? = unsafe Value(utf8: digits, as: column.type) else {
                throw wrong(column, range.lowerBound)
            }
            sink.double(value)
        default: throw wrong(column, range.lowerBound)
        }
    }

    /// The number of `[-]digits`, or `nil` when it has more than 64 bits.
    private static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = unsafe digits[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        var place = isNegative ? 1 : 0
        guard digits.count - place <= 19 else { return nil }
        while place < digits.count {
            // Counted downwards, because the smallest number has no positive twin.
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooMuch) = unsafe product.subtractingReportingOverflow(Int64(digits[place] &- 0x30))
            guard !overflow, !tooMuch else { return nil }
            value = sum
            place += 1
        }
        guard isNegative || value != .min else { return nil }
        return isNegative ? value : -value
    }

    private mutating func pushText(
        _ reader: inout JSONReader,
        _ column: ReadableShape.Column
    ) throws(ODataError) {
        let text = try reader.text()
        guard text.hasEscapes else {
            return try unsafe push(reader.raw(text.start, text.end), column, at: text.start)
        }
        var unescaped = scratch
        unescaped.removeAll(keepingCapacity: true)
        try reader.append(text, to: &unescaped)
        // The scratch is given away while it is used: pushing may need one of its own.
        scratch = []
        let result = unsafe unescaped.withUnsafeBytes { buffer -> ODataError? in
            do throws(ODataError) {
                unsafe try push(buffer, column, at: text.start)
                return nil
            } catch {
                return error
            }
        }
        scratch = unescaped
        if let result { throw result }
    }

    private mutating func push(
        _ text: UnsafeRawBufferPointer,
        _ column: ReadableShape.Column,
        at offset: Int
    ) throws(ODataError) {
        if let enumeration = column.enumeration {
            guard let value = unsafe enumeration.value(of: String(decoding: text, as: UTF8.self)) else {
                throw wrong(column, offset)
            }
            return sink.integer(value)
        }
        switch column.type {
        case .string: return unsafe sink.text(text)
        case .binary:
            guard case .binary(let bytes)? = unsafe Value(utf8: text, as: .binary) else { throw wrong(column, offset) }
            return unsafe bytes.withUnsafeBytes { unsafe sink.binary($0) }
        case .boolean, .byte, .sbyte, .int16, .int32: throw wrong(column, offset)
        case .int64:
            guard case .integer(let value)? = unsafe Value(utf8: text, as: .int64) else { throw wrong(column, offset) }
            return sink.integer(value)
        case .double, .single:
            guard case .double(let value)? = unsafe Value(utf8: text, as: column.type), !value.isFinite else {
                throw wrong(column, offset)
            }
            return sink.double(value)
        default: break
        }
        guard let value = unsafe Value(utf8: text, as: column.type) else { throw wrong(column, offset) }
        if unsafe Self.isCanonical(text, column.type) {
            unsafe sink.text(text)
        } else {
            pushCanonical(value)
        }
    }

    /// Whether a text that was read already is certainly the canonical one.
    private static func isCanonical(_ text: UnsafeRawBufferPointer, _ type: PrimitiveType) -> Bool {
        switch type {
        case .guid: unsafe !text.contains { $0 >= 0x41 && $0 <= 0x46 }
        case .date: text.count == 10
        // Whole seconds in UTC: `2026-11-21T13:31:00Z`, the form without a fraction.
        case .dateTimeOffset: unsafe text.count == 20 && text[19] == UInt8(ascii: "Z") && text[10] == UInt8(ascii: "T")
        case .timeOfDay: text.count == 8
        default: false
        }
    }

    private mutating func pushCanonical(_ value: Value) {
        scratch.removeAll(keepingCapacity: true)
        value.append(to: &scratch)
        unsafe scratch.withUnsafeBytes { unsafe sink.text($0) }
    }
}
