// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Passes rows on and notes, of each outermost row, its key and its version.
final class NotingSink: RowSink {
    private let inner: any RowSink
    /// For each column, its place in the key, or -1.
    private let keyPlaces: [Int]
    private let types: [PrimitiveType]
    private let receive: (Key, ETag?) -> Void
    private var depth = 0
    private var column = 0
    private var key: [Value]
    /// The key of the outermost row, once its columns came.
    var current: Key { Key(key) }

    /// - Parameters:
    ///   - columns: the places of the plan's columns; every key property is among them.
    ///   - receive: called when a row has ended.
    init(_ inner: any RowSink, _ type: EntityType, columns: [Int], receive: @escaping (Key, ETag?) -> Void) {
        self.inner = inner
        self.receive = receive
        keyPlaces = columns.map { type.key.firstIndex(of: $0) ?? -1 }
        types = columns.map { type.properties[$0].type }
        key = Array(repeating: .null, count: type.key.count)
    }

    func beginRow() {
        if depth == 0 { column = 0 }
        depth += 1
        inner.beginRow()
    }

    /// The place in the key of the column whose value comes, or -1; steps on to the next column.
    @inline(__always)
    private func place() -> Int {
        guard depth == 1 else { return -1 }
        column += 1
        return column <= keyPlaces.count ? keyPlaces[column - 1] : -1
    }

    func null() {
        _ = place()
        inner.null()
    }

    func boolean(_ value: Bool) {
        let place = place()
        if place >= 0 { key[place] = .boolean(value) }
        inner.boolean(value)
    }

    func integer(_ value: Int64) {
        let place = place()
        if place >= 0 { key[place] = .integer(value) }
        inner.integer(value)
    }

    func double(_ value: Double) {
        _ = place()
        inner.double(value)
    }

    func text(_ utf8: UnsafeRawBufferPointer) {
        let place = place()
        if place >= 0 {
            let text = unsafe String(decoding: utf8, as: UTF8.self)
            let type = types[column - 1]
            key[place] = type == .string ? .string(text) : Value(text: text, as: type) ?? .null
        }
        unsafe inner.text(utf8)
    }

    func binary(_ bytes: UnsafeRawBufferPointer) {
        _ = place()
        unsafe inner.binary(bytes)
    }

    func exception(_ held: String?) {
        _ = place()
        inner.exception(held)
    }

    func beginExpansion(_ index: Int) { inner.beginExpansion(index) }
    func moreFollow(after place: [Value]) { inner.moreFollow(after: place) }
    func endExpansion(_ index: Int, count: Int?) { inner.endExpansion(index, count: count) }

    func endRow(etag: ETag?) {
        inner.endRow(etag: etag)
        depth -= 1
        if depth == 0 { receive(Key(key), etag) }
    }
}
