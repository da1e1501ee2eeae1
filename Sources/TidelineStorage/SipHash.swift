// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// SipHash-2-4 with an output of 128 bits, fed piece by piece.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", section 2; the reference implementation
/// `siphash.c` (2022) for the long output.
package struct SipHash: Sendable {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64
    /// Bytes not yet hashed, the first one lowest.
    private var tail: UInt64 = 0
    private var tailLength = 0
    private var length: UInt64 = 0

    /// - Parameters:
    ///   - key0: the first eight bytes of the key, little-endian.
    ///   - key1: the last eight bytes of the key, little-endian.
    package init(key0: UInt64, key1: UInt64) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v2 &+= v3
        v1 = (v1 &<< 13 | v1 &>> 51) ^ v0
        v3 = (v3 &<< 16 | v3 &>> 48) ^ v2
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v1
        v0 &+= v3
        v1 = (v1 &<< 17 | v1 &>> 47) ^ v2
        v3 = (v3 &<< 21 | v3 &>> 43) ^ v0
        v2 = v2 &<< 32 | v2 &>> 32
    }

    @inline(__always)
    private mutating func compress(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    /// Feeds eight bytes, little-endian.
    ///
    /// Whole words only, or ``combine(bytes:)`` only: a word does not join a tail.
    @inline(__always)
    package mutating func combine(word: UInt64) {
        length &+= 8
        compress(word)
    }

    /// Feeds bytes.
    package mutating func combine(bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var position = 0
        if tailLength == 0 {
            while position &+ 8 <= bytes.count {
                compress(unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
                position &+= 8
            }
        }
        while position < bytes.count {
            tail |= unsafe UInt64(bytes[position]) &<< UInt64(tailLength * 8)
            tailLength += 1
            position += 1
            if tailLength == 8 {
                compress(tail)
                tail = 0
                tailLength = 0
            }
        }
    }

    /// Feeds bytes and zeros after them up to a whole word; the caller feeds the length itself.
    @inline(__always)
    package mutating func combine(padded bytes: UnsafeRawBufferPointer) {
        var position = 0
        let count = bytes.count
        while position &+ 8 <= count {
            combine(word: unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            position &+= 8
        }
        guard position < count else { return }
        var word: UInt64 = 0
        var shift: UInt64 = 0
        while position < count {
            word |= unsafe UInt64(bytes[position]) &<< shift
            shift &+= 8
            position &+= 1
        }
        combine(word: word)
    }

    /// The hash of all that was fed: its first eight bytes and its last eight, little-endian.
    package func finish() -> (first: UInt64, second: UInt64) {
        var state = self
        state.compress(length &<< 56 | tail)
        state.v2 ^= 0xee
        for _ in 0..<4 { state.round() }
        let first = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        state.v1 ^= 0xdd
        for _ in 0..<4 { state.round() }
        return (first, state.v0 ^ state.v1 ^ state.v2 ^ state.v3)
    }
}
