// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Values one after another in memory, in the forms in which SQLite stores them.
///
///     tag  0 null · 1 integer of 1 byte · 2 of 4 · 3 of 8 · 4 double · 5 text, length of 4 bytes · 6 blob, the same
///
/// The outbox, loads and staging hold rows in this form: it is bound to a statement without any copy between.
@safe
final class PackedBuffer {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(byteCount: self.capacity, alignment: 16)
    }

    deinit { unsafe base.deallocate() }

    @inline(__always)
    private func room(_ bytes: Int) -> UnsafeMutableRawPointer {
        if count &+ bytes > capacity { grow(bytes) }
        let place = unsafe base + count
        count &+= bytes
        return unsafe place
    }

    private func grow(_ bytes: Int) {
        let larger = max(capacity * 2, count + bytes)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe moved.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = moved
        capacity = larger
    }

    func append(byte: UInt8) { unsafe room(1).storeBytes(of: byte, as: UInt8.self) }

    func append(word: UInt32) { unsafe room(4).storeBytes(of: word.littleEndian, as: UInt32.self) }

    func null() { append(byte: 0) }

    func integer(_ value: Int64) {
        if let small = Int8(exactly: value) {
            let place = unsafe room(2)
            unsafe place.storeBytes(of: 1, as: UInt8.self)
            unsafe place.storeBytes(of: small, toByteOffset: 1, as: Int8.self)
        } else if let middle = Int32(exactly: value) {
            let place = unsafe room(5)
            unsafe place.storeBytes(of: 2, as: UInt8.self)
            unsafe place.storeBytes(of: middle.littleEndian, toByteOffset: 1, as: Int32.self)
        } else {
            let place = unsafe room(9)
            unsafe place.storeBytes(of: 3, as: UInt8.self)
            unsafe place.storeBytes(of: value.littleEndian, toByteOffset: 1, as: Int64.self)
        }
    }

    func double(_ value: Double) {
        let place = unsafe room(9)
        unsafe place.storeBytes(of: 4, as: UInt8.self)
        unsafe place.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: 1, as: UInt64.self)
    }

    func text(_ utf8: UnsafeRawBufferPointer) { unsafe bytes(utf8, tag: 5) }

    func blob(_ value: UnsafeRawBufferPointer) { unsafe bytes(value, tag: 6) }

    func text(_ value: String) {
        var value = value
        value.withUTF8 { unsafe bytes(UnsafeRawBufferPointer($0), tag: 5) }
    }

    func text(_ value: [UInt8]) { unsafe value.withUnsafeBytes { unsafe bytes($0, tag: 5) } }

    func blob(_ value: [UInt8]) { unsafe value.withUnsafeBytes { unsafe bytes($0, tag: 6) } }

    private func bytes(_ value: UnsafeRawBufferPointer, tag: UInt8) {
        let place = unsafe room(5 + value.count)
        unsafe place.storeBytes(of: tag, as: UInt8.self)
        unsafe place.storeBytes(
            of: UInt32(truncatingIfNeeded: value.count).littleEndian,
            toByteOffset: 1,
            as: UInt32.self
        )
        if let source = value.baseAddress { unsafe (place + 5).copyMemory(from: source, byteCount: value.count) }
    }

    /// Appends part of another buffer.
    func append(_ other: PackedBuffer, from start: Int, to end: Int) {
        let place = unsafe room(end - start)
        unsafe place.copyMemory(from: other.base + start, byteCount: end - start)
    }

    /// Drops everything from an offset on.
    func truncate(to offset: Int) { count = min(offset, count) }

    func removeAll() { count = 0 }

    /// A reader from an offset on; valid until the buffer changes.
    func reader(from offset: Int = 0) -> PackedReader {
        unsafe PackedReader(UnsafeRawBufferPointer(start: base, count: count), at: offset)
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    var bytes: [UInt8] { unsafe withBytes { unsafe [UInt8]($0) } }
}
