// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A growing run of bytes that the writers of this target append to.
///
/// Shared by reference, so that a batch can hand its own bytes to the writer of one answer. A spool takes the bytes out
/// in pieces between rows, with ``drain(_:)``. Used by one thread at a time.
@safe
public final class ByteWriter {
    @unsafe private struct Run {
        var base: UnsafeMutablePointer<UInt8>
        var count = 0
        var capacity: Int
    }

    /// In memory of its own: each use of an object's variable is checked against overlapping ones, and those checks
    /// took a fifth of the time of a row.
    private let run: UnsafeMutablePointer<Run>

    /// The bytes that were written and not drained.
    public private(set) var count: Int {
        @inline(__always) get { unsafe run.pointee.count }
        @inline(__always) set { unsafe run.pointee.count = newValue }
    }

    private var base: UnsafeMutablePointer<UInt8> {
        @inline(__always) get { unsafe run.pointee.base }
    }

    /// An empty writer with room for so many bytes.
    public init(capacity: Int = 4096) {
        let capacity = max(capacity, 64)
        unsafe run = .allocate(capacity: 1)
        unsafe run.initialize(to: Run(base: .allocate(capacity: capacity), capacity: capacity))
    }

    deinit {
        unsafe base.deallocate()
        unsafe run.deallocate()
    }

    /// A copy of the bytes.
    public var bytes: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: base, count: count))
    }

    /// The bytes as text.
    public var text: String {
        unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Hands the bytes over and starts afresh with the same memory.
    ///
    /// Call it between rows only.
    public func drain<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        unsafe try body(UnsafeRawBufferPointer(start: base, count: count))
        count = 0
    }

    /// Forgets everything after the first `count` bytes.
    public func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count, "Only what was written can be cut off.")
        self.count = count
    }

    public func append(_ byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        count += 1
    }

    public func append(_ source: UnsafeRawBufferPointer) {
        guard let start = source.baseAddress, source.count > 0 else { return }
        reserve(source.count)
        unsafe UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: source.count)
        count += source.count
    }

    public func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    public func append(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    public func append(_ text: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the UTF-8 of `text` as it is.
    public func append(text: String) {
        var text = text
        text.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    /// Makes room for `additional` bytes and returns where they go; ``advance(_:)`` says how many were written.
    func room(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
        reserve(additional)
        return unsafe base + count
    }

    func advance(_ written: Int) { count += written }

    /// The bytes of a range that was written before.
    func slice(_ range: Range<Int>) -> [UInt8] {
        precondition(range.upperBound <= count, "Only what was written can be read.")
        return unsafe Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// Appends a range of these bytes to another writer.
    func copy(_ range: Range<Int>, to target: ByteWriter) {
        precondition(range.upperBound <= count && target !== self, "Only what was written can be copied.")
        unsafe target.append(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
    }

    /// Puts bytes in before those from `offset` on.
    func insert(_ bytes: [UInt8], at offset: Int) {
        precondition(offset >= 0 && offset <= count, "Only into what was written can be inserted.")
        reserve(bytes.count)
        unsafe UnsafeMutableRawPointer(base + offset + bytes.count)
            .copyMemory(from: UnsafeRawPointer(base + offset), byteCount: count - offset)
        for (place, byte) in bytes.enumerated() { unsafe base[offset + place] = byte }
        count += bytes.count
    }

    /// Overwrites bytes that were written before.
    func replace(at offset: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        unsafe body(base + offset)
    }

    @inline(__always)
    private func reserve(_ additional: Int) {
        if unsafe run.pointee.capacity - run.pointee.count < additional { grow(additional) }
    }

    @inline(never)
    private func grow(_ additional: Int) {
        let larger = unsafe max(run.pointee.capacity * 2, count + additional)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe moved.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe run.pointee.base = moved
        unsafe run.pointee.capacity = larger
    }
}
