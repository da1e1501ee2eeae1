// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineOData

/// Carries what a delta tells out on rows by their key.
final class ChangeCollector: DeltaSink {
    private(set) var rows: [Key: [Value]]
    private let key: [Int]
    private let collector: EntityCollector

    /// - Parameters:
    ///   - rows: those of the moment that the delta counts from, or of one after it.
    ///   - set: that of the rows, with all properties in its order.
    init(_ rows: [Key: [Value]], of set: EntitySet) {
        self.rows = rows
        key = set.type.key
        collector = EntityCollector(columns: RowShape(set).columns)
    }

    func beginRow() { collector.beginRow() }
    func null() { collector.null() }
    func boolean(_ value: Bool) { collector.boolean(value) }
    func integer(_ value: Int64) { collector.integer(value) }
    func double(_ value: Double) { collector.double(value) }
    func text(_ utf8: UnsafeRawBufferPointer) { unsafe collector.text(utf8) }
    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe collector.binary(bytes) }
    func beginExpansion(_ index: Int) {}
    func endExpansion(_ index: Int, count: Int?) {}

    func endRow(etag: ETag?) {
        collector.endRow(etag: etag)
        for row in collector.rows { rows[Key(key.map { row.values[$0] })] = row.values }
        collector.removeAll()
    }

    func removed(key: Key, reason: RemovalReason) { rows[key] = nil }
}
