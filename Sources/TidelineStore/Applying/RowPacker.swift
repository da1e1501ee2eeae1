// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Packs pushed rows in the storage forms of their columns, and hands them on in batches.
final class RowPacker {
    /// Rows of a batch, each behind a byte: 0 a row, else the reason of a removal.
    let buffer = PackedBuffer(capacity: 1 << 16)
    private let set: SetLayout
    private let columns: [Int]
    private let rules: [DeviceColumn.Rule]
    /// Whether a column is part of the key.
    private let isKey: [Bool]
    private let flush: (PackedBuffer) throws -> Void
    private var place = 0
    private var depth = 0
    private var start = 0
    private var batch = 0
    private(set) var rows = 0
    private(set) var failure: (any Error)?
    /// How many values of each property were NaN, which SQLite keeps as null.
    private var unheld: [String: Int] = [:]

    /// A batch is stored when it has so many rows or bytes.
    static let batchRows = 4000
    static let batchBytes = 1 << 19

    init(_ set: SetLayout, _ columns: [Int], flush: @escaping (PackedBuffer) throws -> Void) {
        self.set = set
        self.columns = columns
        rules = columns.map { set.rules[$0] }
        isKey = columns.map(set.key.contains)
        self.flush = flush
    }

    func beginRow() {
        guard depth == 0 else { return }
        start = buffer.count
        place = 0
        buffer.append(byte: 0)
    }

    @inline(__always)
    private func next() -> DeviceColumn.Rule? {
        guard depth == 0, failure == nil else { return nil }
        guard place < rules.count else {
            place += 1
            return nil
        }
        defer { place += 1 }
        return rules[place]
    }

    private func unfit() {
        guard failure == nil, place > 0, place <= columns.count else { return }
        var error = set.columns[columns[place - 1]].refused("that the server sent does not fit its type")
        error.set = set.name
        failure = error
    }

    func null() {
        guard next() != nil else { return }
        guard !isKey[place - 1] else {
            failure = LocalStoreError(.invalidValue, set: set.name, message: "A row arrived without a key.")
            return
        }
        buffer.null()
    }

    func boolean(_ value: Bool) {
        guard let rule = next() else { return }
        guard rule.form == .boolean else { return unfit() }
        buffer.integer(value ? 1 : 0)
    }

    func integer(_ value: Int64) {
        guard let rule = next() else { return }
        switch rule.form {
        case .integer: buffer.integer(value)
        case .double: buffer.double(Double(value))
        case .decimalScaled, .decimalText:
            set.columns[columns[place - 1]].append(.decimal(EdmDecimal(coefficient: Int128(value))), to: buffer)
        default: unfit()
        }
    }

    func double(_ value: Double) {
        guard let rule = next() else { return }
        guard rule.form == .double, !(value.isNaN && isKey[place - 1]) else { return unfit() }
        if value.isNaN { unheld[set.columns[columns[place - 1]].property.names.wire, default: 0] += 1 }
        buffer.double(value)
    }

    func text(_ utf8: UnsafeRawBufferPointer) {
        guard let rule = next() else { return }
        guard unsafe DeviceColumn.append(canonical: utf8, rule, to: buffer) else { return unfit() }
    }

    func binary(_ bytes: UnsafeRawBufferPointer) {
        guard let rule = next() else { return }
        guard rule.form == .binary else { return unfit() }
        unsafe buffer.blob(bytes)
    }

    func beginExpansion() { depth += 1 }
    func endExpansion() { depth -= 1 }

    func endRow(etag: ETag?) {
        guard depth == 0 else { return }
        guard failure == nil, place == rules.count else {
            buffer.truncate(to: start)
            if failure == nil {
                failure = LocalStoreError(
                    .invalidValue,
                    set: set.name,
                    message: "A row of '\(set.name)' arrived with \(place) values."
                )
            }
            return
        }
        if let etag { buffer.text(ETagText.text(etag)) } else { buffer.null() }
        ended()
    }

    func removed(_ key: Key, reason: Int64) {
        guard failure == nil else { return }
        do {
            let values = try Connection.checked(key, set)
            buffer.append(byte: UInt8(reason))
            for (place, value) in zip(set.key, values) { set.columns[place].append(value, to: buffer) }
            ended()
        } catch { failure = error }
    }

    private func ended() {
        rows += 1
        batch += 1
        if batch >= RowPacker.batchRows || buffer.count >= RowPacker.batchBytes { drain() }
    }

    private func drain() {
        guard batch > 0, failure == nil else { return }
        do { try flush(buffer) } catch { failure = error }
        buffer.removeAll()
        batch = 0
    }

    /// The values that were not held since the last call.
    func takeUnheld() -> [String: Int] {
        defer { unheld = [:] }
        return unheld
    }

    func finish() throws {
        drain()
        if let failure { throw failure }
    }
}
