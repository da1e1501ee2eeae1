// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Pushes into a sink, or hashes, or both in one pass; counts the bytes of what is pushed.
struct RowOutput: ColumnOutput {
    private let sink: any RowSink
    var hasher: ETagHasher
    /// The place of the property at hand: what ETags are hashed with.
    var place = 0
    var isPushed = true
    var isHashed = false
    var bytes = 0

    init(_ sink: any RowSink, hasher: ETagHasher) {
        self.sink = sink
        self.hasher = hasher
    }

    /// Pushes a computed value.
    mutating func push(_ value: Value) { bytes &+= ComputedOutput.push(value, into: sink) }

    mutating func null() {
        guard isPushed else { return }
        bytes &+= 4
        sink.null()
    }

    mutating func boolean(_ value: Bool) {
        if isHashed { hasher.boolean(value, at: place) }
        guard isPushed else { return }
        bytes &+= 5
        sink.boolean(value)
    }

    mutating func integer(_ value: Int64) {
        if isHashed { hasher.integer(value, at: place) }
        guard isPushed else { return }
        bytes &+= 8
        sink.integer(value)
    }

    mutating func double(_ value: Double) {
        if isHashed { hasher.double(value, at: place) }
        guard isPushed else { return }
        bytes &+= 8
        sink.double(value)
    }

    mutating func text(_ utf8: UnsafeRawBufferPointer) {
        if isHashed { unsafe hasher.text(utf8, at: place) }
        guard isPushed else { return }
        bytes &+= utf8.count
        unsafe sink.text(utf8)
    }

    mutating func binary(_ value: UnsafeRawBufferPointer) {
        if isHashed { unsafe hasher.binary(value, at: place) }
        guard isPushed else { return }
        bytes &+= value.count
        unsafe sink.binary(value)
    }

    mutating func exception(_ held: String?) {
        if isHashed { hasher.exception(held, at: place) }
        guard isPushed else { return }
        bytes &+= 4 &+ (held?.utf8.count ?? 0)
        sink.exception(held)
    }
}

/// Makes a ``TidelineModel/Value`` and hashes it; `value` stays `nil` where text is none of the type.
struct ValueOutput: ColumnOutput {
    let type: PrimitiveType
    var hasher: ETagHasher?
    var place = 0
    var value: Value?

    init(type: PrimitiveType, hasher: ETagHasher? = nil, place: Int = 0) {
        self.type = type
        self.hasher = hasher
        self.place = place
    }

    mutating func null() { value = .null }

    mutating func boolean(_ value: Bool) {
        hasher?.boolean(value, at: place)
        self.value = .boolean(value)
    }

    mutating func integer(_ value: Int64) {
        hasher?.integer(value, at: place)
        self.value = .integer(value)
    }

    mutating func double(_ value: Double) {
        hasher?.double(value, at: place)
        self.value = .double(value)
    }

    mutating func text(_ utf8: UnsafeRawBufferPointer) {
        unsafe hasher?.text(utf8, at: place)
        value = unsafe Value(utf8: utf8, as: type)
    }

    mutating func binary(_ bytes: UnsafeRawBufferPointer) {
        unsafe hasher?.binary(bytes, at: place)
        value = unsafe .binary([UInt8](bytes))
    }

    mutating func exception(_ held: String?) {
        hasher?.exception(held, at: place)
        value = .null
    }
}
