// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Keeps the rows pushed into it as values: for single rows and comparisons, never for a load.
final class RowCollector: RowSink {
    struct Row: Hashable, Sendable {
        var values: [Value]
        var etag: ETag?
    }

    private(set) var rows: [Row] = []
    private let columns: [RowShape.Column]
    private var values: [Value] = []

    init(columns: [RowShape.Column]) {
        self.columns = columns
    }

    /// Forgets the rows.
    func removeAll() { rows.removeAll(keepingCapacity: true) }

    func beginRow() { values.removeAll(keepingCapacity: true) }

    func null() { values.append(.null) }

    func boolean(_ value: Bool) { values.append(.boolean(value)) }

    func integer(_ value: Int64) { values.append(.integer(value)) }

    func double(_ value: Double) { values.append(.double(value)) }

    func text(_ utf8: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: utf8, as: UTF8.self)
        let type = values.count < columns.count ? columns[values.count].type : .string
        values.append(type == .string ? .string(text) : Value(text: text, as: type) ?? .null)
    }

    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe values.append(.binary(Array(bytes))) }

    func beginExpansion(_ index: Int) {}

    func endExpansion(_ index: Int, count: Int?) {}

    func endRow(etag: ETag?) { rows.append(Row(values: values, etag: etag)) }
}
