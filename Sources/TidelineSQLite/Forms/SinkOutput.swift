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
    mutating func text(_ utf8: UnsafeRawBufferPointer) { value = unsafe Value(utf8: utf8, as: type) }
}
