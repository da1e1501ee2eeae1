// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Passes rows on, the last values of each as the one row of an expansion: what `addnested` aggregates.
///
///     row: 1 "Coffee" | 12 2        ──►        row: 1 "Coffee"  expansion: row: 12 2
final class NestingSink: RowSink {
    /// A value as it was pushed.
    private enum Pushed {
        case null
        case boolean(Bool)
        case integer(Int64)
        case double(Double)
        case text([UInt8])
        case binary([UInt8])
        case exception(String?)
    }

    private let inner: any RowSink
    /// How many columns stay in the row, and how many expansions the plan itself has.
    private let columns: Int
    private let expansions: Int
    /// How many values each further expansion takes.
    private let nested: [Int]
    private var depth = 0
    private var column = 0
    private var held: [Pushed] = []

    init(_ inner: any RowSink, _ plan: ReadPlan, _ nested: [Int]) {
        self.inner = inner
        self.nested = nested
        columns = plan.columns.count + plan.computed.count - nested.reduce(0, +)
        expansions = plan.expansions.count
    }

    func beginRow() {
        if depth == 0 {
            column = 0
            held.removeAll(keepingCapacity: true)
        }
        depth += 1
        inner.beginRow()
    }

    /// Whether the value that comes is held back; steps on to the next column.
    private func isHeld() -> Bool {
        guard depth == 1 else { return false }
        column += 1
        return column > columns
    }

    func null() { if isHeld() { held.append(.null) } else { inner.null() } }
    func boolean(_ value: Bool) { if isHeld() { held.append(.boolean(value)) } else { inner.boolean(value) } }
    func integer(_ value: Int64) { if isHeld() { held.append(.integer(value)) } else { inner.integer(value) } }
    func double(_ value: Double) { if isHeld() { held.append(.double(value)) } else { inner.double(value) } }

    func text(_ utf8: UnsafeRawBufferPointer) {
        if isHeld() { held.append(.text(unsafe Array(utf8))) } else { unsafe inner.text(utf8) }
    }

    func binary(_ bytes: UnsafeRawBufferPointer) {
        if isHeld() { held.append(.binary(unsafe Array(bytes))) } else { unsafe inner.binary(bytes) }
    }

    func exception(_ held: String?) {
        if isHeld() { self.held.append(.exception(held)) } else { inner.exception(held) }
    }

    func beginExpansion(_ index: Int) {
        depth += 1
        inner.beginExpansion(index)
    }

    func moreFollow(after place: [Value]) { inner.moreFollow(after: place) }

    func endExpansion(_ index: Int, count: Int?) {
        inner.endExpansion(index, count: count)
        depth -= 1
    }

    func endRow(etag: ETag?) {
        depth -= 1
        if depth == 0 {
            var rest = held[...]
            for (place, count) in nested.enumerated() {
                inner.beginExpansion(expansions + place)
                inner.beginRow()
                for value in rest.prefix(count) { push(value) }
                inner.endRow(etag: nil)
                inner.endExpansion(expansions + place, count: nil)
                rest = rest.dropFirst(count)
            }
        }
        inner.endRow(etag: etag)
    }

    private func push(_ value: Pushed) {
        switch value {
        case .null: inner.null()
        case .boolean(let value): inner.boolean(value)
        case .integer(let value): inner.integer(value)
        case .double(let value): inner.double(value)
        case .text(let bytes): unsafe bytes.withUnsafeBytes { unsafe inner.text($0) }
        case .binary(let bytes): unsafe bytes.withUnsafeBytes { unsafe inner.binary($0) }
        case .exception(let held): inner.exception(held)
        }
    }
}
