// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Pushes into a sink and counts the bytes.
struct SinkOutput: ColumnOutput {
    let sink: any RowSink
    var bytes = 0

    init(_ sink: any RowSink) { self.sink = sink }

    @inline(__always)
    mutating func null() {
        bytes &+= 4
        sink.null()
    }
    @inline(__always)
    mutating func boolean(_ value: Bool) {
        bytes &+= 5
        sink.boolean(value)
    }
    @inline(__always)
    mutating func integer(_ value: Int64) {
        bytes &+= 8
        sink.integer(value)
    }
    @inline(__always)
    mutating func double(_ value: Double) {
        bytes &+= 8
        sink.double(value)
    }
    @inline(__always)
    mutating func text(_ utf8: UnsafeRawBufferPointer) {
        bytes &+= utf8.count
        unsafe sink.text(utf8)
    }
    @inline(__always)
    mutating func binary(_ value: UnsafeRawBufferPointer) {
        bytes &+= value.count
        unsafe sink.binary(value)
    }
    mutating func exception(_ held: String?) {
        bytes &+= 4 &+ (held?.utf8.count ?? 0)
        sink.exception(held)
    }
}

/// Hashes the values of one entity.
struct HashOutput: ColumnOutput {
    var hasher: ETagHasher
    var place = 0

    @inline(__always)
    mutating func null() {}
    @inline(__always)
    mutating func boolean(_ value: Bool) { hasher.boolean(value, at: place) }
    @inline(__always)
    mutating func integer(_ value: Int64) { hasher.integer(value, at: place) }
    @inline(__always)
    mutating func double(_ value: Double) { hasher.double(value, at: place) }
    @inline(__always)
    mutating func text(_ utf8: UnsafeRawBufferPointer) { unsafe hasher.text(utf8, at: place) }
    @inline(__always)
    mutating func binary(_ bytes: UnsafeRawBufferPointer) { unsafe hasher.binary(bytes, at: place) }
    mutating func exception(_ held: String?) { hasher.exception(held, at: place) }
}

/// Pushes and hashes in one pass.
struct TeeOutput: ColumnOutput {
    var sink: SinkOutput
    var hash: HashOutput

    @inline(__always)
    mutating func null() { sink.null() }
    @inline(__always)
    mutating func boolean(_ value: Bool) {
        sink.boolean(value)
        hash.boolean(value)
    }
    @inline(__always)
    mutating func integer(_ value: Int64) {
        sink.integer(value)
        hash.integer(value)
    }
    @inline(__always)
    mutating func double(_ value: Double) {
        sink.double(value)
        hash.double(value)
    }
    @inline(__always)
    mutating func text(_ utf8: UnsafeRawBufferPointer) {
        unsafe sink.text(utf8)
        unsafe hash.text(utf8)
    }
    @inline(__always)
    mutating func binary(_ bytes: UnsafeRawBufferPointer) {
        unsafe sink.binary(bytes)
        unsafe hash.binary(bytes)
    }
    mutating func exception(_ held: String?) {
        sink.exception(held)
        hash.exception(held)
    }
}

/// Makes a ``Value``; `value` stays `nil` where canonical text is out of the type's range.
struct ValueOutput: ColumnOutput {
    let type: PrimitiveType
    var value: Value?

    init(type: PrimitiveType) { self.type = type }

    mutating func null() { value = .null }
    mutating func boolean(_ value: Bool) { self.value = .boolean(value) }
    mutating func integer(_ value: Int64) { self.value = .integer(value) }
    mutating func double(_ value: Double) { self.value = .double(value) }
    mutating func binary(_ bytes: UnsafeRawBufferPointer) { value = unsafe .binary([UInt8](bytes)) }
    mutating func text(_ utf8: UnsafeRawBufferPointer) { value = unsafe TypedText.value(utf8, of: type) }
}

/// Canonical text of a type that is not a string, as a value.
enum TypedText {
    /// - Returns: `nil` when the text is no value of the type.
    static func value(_ utf8: UnsafeRawBufferPointer, of type: PrimitiveType) -> Value? {
        var cursor = unsafe TextCursor(utf8)
        switch type {
        case .string:
            return unsafe isWellFormedUTF8(utf8) ? .string(String(decoding: utf8, as: UTF8.self)) : nil
        case .decimal:
            guard let (coefficient, scale) = cursor.decimal(), cursor.isAtEnd else { return nil }
            return .decimal(EdmDecimal(coefficient: coefficient, scale: scale))
        case .guid:
            guard let (high, low, _, _) = cursor.guid(), cursor.isAtEnd else { return nil }
            return .guid(GUID(high: high, low: low))
        case .date:
            guard let days = cursor.date(), cursor.isAtEnd else { return nil }
            return .date(CalendarDate(daysSinceEpoch: Int32(days)))
        case .timeOfDay:
            guard let (nanoseconds, _) = cursor.time(), cursor.isAtEnd else { return nil }
            return .timeOfDay(TimeOfDay(nanoseconds: nanoseconds))
        case .dateTimeOffset:
            guard let days = cursor.date(), cursor.skip("T"), let (nanoseconds, _) = cursor.time(),
                let offset = cursor.offset(isOptional: false), cursor.isAtEnd
            else { return nil }
            let seconds = days * 86_400 + nanoseconds / 1_000_000_000 - offset
            return .dateTimeOffset(DateTimeOffset(seconds: seconds, nanoseconds: Int32(nanoseconds % 1_000_000_000)))
        case .duration:
            guard let (seconds, nanoseconds) = cursor.duration() else { return nil }
            return .duration(.seconds(seconds) + .nanoseconds(nanoseconds))
        default:
            guard type.isSpatial, unsafe isWellFormedUTF8(utf8) else { return nil }
            return unsafe Value(text: String(decoding: utf8, as: UTF8.self), as: type)
        }
    }
}
