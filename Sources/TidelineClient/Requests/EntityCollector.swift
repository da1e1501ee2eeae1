// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
package import TidelineOData

/// Keeps the rows pushed into it as values: for single rows and comparisons, never for a load.
package final class EntityCollector: RowSink {
    package struct Row: Hashable, Sendable {
        package var values: [Value]
        package var etag: ETag?
    }

    package private(set) var rows: [Row] = []
    private let columns: [RowShape.Column]
    private var values: [Value] = []

    package init(columns: [RowShape.Column]) {
        self.columns = columns
    }

    /// Forgets the rows.
    package func removeAll() { rows.removeAll(keepingCapacity: true) }

    package func beginRow() { values.removeAll(keepingCapacity: true) }

    package func null() { values.append(.null) }

    package func boolean(_ value: Bool) { values.append(.boolean(value)) }

    package func integer(_ value: Int64) { values.append(.integer(value)) }

    package func double(_ value: Double) { values.append(.double(value)) }

    package func text(_ utf8: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: utf8, as: UTF8.self)
        let type = values.count < columns.count ? columns[values.count].type : .string
        values.append(type == .string ? .string(text) : Value(text: text, as: type) ?? .null)
    }

    package func binary(_ bytes: UnsafeRawBufferPointer) { unsafe values.append(.binary(Array(bytes))) }

    package func beginExpansion(_ index: Int) {}

    package func endExpansion(_ index: Int, count: Int?) {}

    package func endRow(etag: ETag?) { rows.append(Row(values: values, etag: etag)) }
}
