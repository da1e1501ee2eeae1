// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Keeps all that is pushed as bytes, so that two reads are compared byte by byte.
final class ByteSink: RowSink {
    private(set) var bytes: [UInt8] = []

    private func add(_ mark: Unicode.Scalar, _ word: UInt64) {
        bytes.append(UInt8(ascii: mark))
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(place * 8))) }
    }

    private func add(_ mark: Unicode.Scalar, _ content: UnsafeRawBufferPointer) {
        add(mark, UInt64(content.count))
        unsafe bytes.append(contentsOf: content)
    }

    func beginRow() { bytes.append(UInt8(ascii: "{")) }
    func null() { bytes.append(UInt8(ascii: "n")) }
    func boolean(_ value: Bool) { bytes.append(UInt8(ascii: value ? "t" : "f")) }
    func integer(_ value: Int64) { add("i", UInt64(bitPattern: value)) }
    func double(_ value: Double) { add("d", value.bitPattern) }
    func text(_ utf8: UnsafeRawBufferPointer) { unsafe add("s", utf8) }
    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe add("b", bytes) }
    func beginExpansion(_ index: Int) { add("[", UInt64(index)) }
    func moreFollow(after place: [Value]) {
        add(">", UInt64(place.count))
        for value in place { unsafe Array((value.text ?? "null").utf8).withUnsafeBytes { unsafe add("v", $0) } }
    }
    func endExpansion(_ index: Int, count: Int?) { add("]", UInt64(bitPattern: Int64(count ?? -1))) }
    func endRow(etag: ETag?) {
        add("h", etag?.high ?? 0)
        add("}", etag?.low ?? 0)
    }
}
