// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Receives keys, and behind each whether its row keeps each rule.
final class RuleSink: RowSink {
    private let set: SetLayout
    private var rows: [(key: [Value], verdicts: [Bool])] = []
    private var key: [Value] = []
    private var verdicts: [Bool] = []
    private var isUnreadable = false

    init(_ set: SetLayout) { self.set = set }

    /// The rows received.
    func finish() throws -> [(key: [Value], verdicts: [Bool])] {
        guard !isUnreadable else {
            throw LocalStoreError(
                .corrupt,
                set: set.name,
                message: "The file holds a key of '\(set.name)' that is none."
            )
        }
        return rows
    }

    func beginRow() { (key, verdicts) = ([], []) }

    func null() { take(.null) }
    func boolean(_ value: Bool) { take(.boolean(value)) }
    func integer(_ value: Int64) { take(.integer(value)) }
    func double(_ value: Double) { take(.double(value)) }
    func binary(_ bytes: UnsafeRawBufferPointer) { take(unsafe .binary([UInt8](bytes))) }

    func text(_ utf8: UnsafeRawBufferPointer) {
        guard key.count < set.key.count else { return take(.null) }
        let type = set.columns[set.key[key.count]].property.type
        if type == .string { return take(unsafe .string(String(decoding: utf8, as: UTF8.self))) }
        if let value = unsafe Value(utf8: utf8, as: type) { take(value) } else { isUnreadable = true }
    }

    private func take(_ value: Value) {
        if key.count < set.key.count { key.append(value) } else { verdicts.append(value == .boolean(true)) }
    }

    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}
    func endRow(etag: ETag?) { rows.append((key, verdicts)) }
}
