// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// Hashes the typed values of an entity to its ``ETag``.
///
///     for each property that is not null, in the order of the type:   head word, value words…
///     head word:   place (16 bits) | type tag (8 bits) | length in bytes (40 bits)
///
/// The key is made with the store, so an ETag tells nothing about values to who does not have the key.
/// Every method takes what the ``RowSink`` method of the same name takes, so a store hashes what it pushes.
public struct ETagHasher: Sendable {
    private let initial: SipHash
    private var state: SipHash

    /// - Parameter key: 16 bytes; missing ones count as zero.
    public init(key: [UInt8]) {
        var words: (UInt64, UInt64) = (0, 0)
        for (place, byte) in key.prefix(16).enumerated() {
            if place < 8 {
                words.0 |= UInt64(byte) << UInt64(place * 8)
            } else {
                words.1 |= UInt64(byte) << UInt64(place * 8 - 64)
            }
        }
        initial = SipHash(key0: words.0, key1: words.1)
        state = initial
    }

    /// Begins the next entity.
    @inline(__always)
    public mutating func begin() { state = initial }

    @inline(__always)
    private static func head(_ place: Int, _ tag: UInt64, _ length: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: place) & 0xffff | tag &<< 16 | UInt64(truncatingIfNeeded: length) &<< 24
    }

    /// Adds the Boolean value of the property at `place`.
    @inline(__always)
    public mutating func boolean(_ value: Bool, at place: Int) {
        state.combine(word: Self.head(place, value ? 2 : 1, 0))
    }

    /// Adds a value of an integer type.
    @inline(__always)
    public mutating func integer(_ value: Int64, at place: Int) {
        state.combine(word: Self.head(place, 3, 8))
        state.combine(word: UInt64(bitPattern: value))
    }

    /// Adds a floating-point value; minus zero counts as zero.
    @inline(__always)
    public mutating func double(_ value: Double, at place: Int) {
        state.combine(word: Self.head(place, 4, 8))
        state.combine(word: value == 0 ? 0 : value.bitPattern)
    }

    /// Adds a string, or the canonical text of a value.
    @inline(__always)
    public mutating func text(_ utf8: UnsafeRawBufferPointer, at place: Int) {
        state.combine(word: Self.head(place, 5, utf8.count))
        unsafe state.combine(padded: utf8)
    }

    /// Adds a binary value.
    @inline(__always)
    public mutating func binary(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        state.combine(word: Self.head(place, 6, bytes.count))
        unsafe state.combine(padded: bytes)
    }

    /// Adds what a column holds that is no value of its type, as far as it can be told: it is neither null nor another one.
    public mutating func exception(_ held: String?, at place: Int) {
        var held = held ?? ""
        held.withUTF8 { utf8 in
            state.combine(word: Self.head(place, 7, utf8.count))
            unsafe state.combine(padded: UnsafeRawBufferPointer(utf8))
        }
    }

    /// The version of the entity whose values were added since ``begin()``.
    @inline(__always)
    public func finish() -> ETag {
        let (first, second) = state.finish()
        let isMarked = second >> 32 == ETag.reuseMark
        return ETag(high: first, low: isMarked ? ~second : second)
    }
}
