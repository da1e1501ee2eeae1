// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension Value {
    /// Reads a value from its canonical OData text, as in JSON strings and URLs without quotes or prefix.
    ///
    /// `nil` when the text has another form or is out of the type's range. Any text is a string.
    public init?(text: String, as type: PrimitiveType) {
        if type == .string {
            self = .string(text)
            return
        }
        var copy = text
        let value = copy.withUTF8 { buffer in unsafe Value(utf8: buffer.span, as: type) }
        guard let value else { return nil }
        self = value
    }

    /// Reads a value from its canonical OData text in a buffer; a string must be valid UTF-8.
    public init?(utf8 buffer: UnsafeRawBufferPointer, as type: PrimitiveType) {
        guard let value = unsafe Value(utf8: buffer.assumingMemoryBound(to: UInt8.self).span, as: type) else {
            return nil
        }
        self = value
    }

    /// Reads a value from its canonical OData text; a string must be valid UTF-8.
    public init?(utf8: Span<UInt8>, as type: PrimitiveType) {
        switch type {
        case .string:
            guard let text = unsafe utf8.withUnsafeBufferPointer({ unsafe String(validating: $0, as: UTF8.self) })
            else {
                return nil
            }
            self = .string(text)
        case .boolean:
            switch unsafe utf8.withUnsafeBufferPointer({ unsafe String(decoding: $0, as: UTF8.self) }) {
            case "true": self = .boolean(true)
            case "false": self = .boolean(false)
            default: return nil
            }
        case .byte, .sbyte, .int16, .int32, .int64:
            guard let value = Value.integer(utf8), type.integerRange?.contains(value) == true else { return nil }
            self = .integer(value)
        case .double, .single:
            guard let value = DoubleText.parse(utf8) else { return nil }
            self = .double(value)
        case .decimal:
            guard let value = EdmDecimal(utf8: utf8) else { return nil }
            self = .decimal(value)
        case .binary:
            guard let value = Base64URL.decode(utf8) else { return nil }
            self = .binary(value)
        case .guid:
            guard let value = GUID(utf8: utf8) else { return nil }
            self = .guid(value)
        case .date:
            guard let value = CalendarDate(utf8: utf8) else { return nil }
            self = .date(value)
        case .timeOfDay:
            guard let value = TimeOfDay(utf8: utf8) else { return nil }
            self = .timeOfDay(value)
        case .dateTimeOffset:
            guard let value = DateTimeOffset(utf8: utf8) else { return nil }
            self = .dateTimeOffset(value)
        case .duration:
            guard let value = Duration(utf8: utf8) else { return nil }
            self = .duration(value)
        default:
            guard type.isSpatial, var value = Geography(utf8: utf8) else { return nil }
            value.isFlat = type.isGeometry
            self = .geography(value)
        }
    }

    /// Reads `[sign] digits` within 64 bits.
    static func integer(_ utf8: Span<UInt8>) -> Int64? {
        var position = 0
        let isNegative = ASCII.skip(ASCII.minus, in: utf8, at: &position)
        if !isNegative { _ = ASCII.skip(ASCII.plus, in: utf8, at: &position) }
        guard position < utf8.count else { return nil }
        var value: Int64 = 0
        while position < utf8.count {
            guard let digit = ASCII.digit(utf8[position]) else { return nil }
            // Counted downwards, because the smallest number has no positive twin.
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooMuch) = tens.subtractingReportingOverflow(Int64(digit))
            guard !overflow, !tooMuch else { return nil }
            value = sum
            position += 1
        }
        guard isNegative || value != .min else { return nil }
        return isNegative ? value : -value
    }

    /// Appends the canonical text; nothing for null.
    ///
    /// A string stands as it is, without quotes.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): ASCII.append(value, to: &bytes)
        case .double(let value): DoubleText.append(value, to: &bytes)
        case .decimal(let value): value.append(to: &bytes)
        case .string(let value): bytes.append(contentsOf: value.utf8)
        case .binary(let value): Base64URL.append(value.span, to: &bytes)
        case .guid(let value): value.append(to: &bytes)
        case .date(let value): value.append(to: &bytes)
        case .timeOfDay(let value): value.append(to: &bytes)
        case .dateTimeOffset(let value): value.append(to: &bytes)
        case .duration(let value): value.append(to: &bytes)
        case .geography(let value): value.append(to: &bytes)
        }
    }

    /// The canonical text, or `nil` for null.
    public var text: String? {
        if case .string(let value) = self { return value }
        guard !isNull else { return nil }
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
