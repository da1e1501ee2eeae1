// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Collects pushed rows and their expansions as values.
final class RowCollector: RowSink {
    /// The rows of one plan that are being received.
    private struct Frame {
        let plan: ReadPlan
        var rows: [ExpandedRow] = []
        var row = ExpandedRow(values: [:])
        /// The place of the next column in the plan's.
        var column = 0
    }

    private var frames: [Frame]
    private var unreadable: LocalStoreError?

    init(_ plan: ReadPlan) { frames = [Frame(plan: plan)] }

    /// The rows received.
    func finish() throws -> [ExpandedRow] {
        if let unreadable { throw unreadable }
        return frames[0].rows
    }

    func beginRow() {
        frames[frames.count - 1].row = ExpandedRow(values: [:])
        frames[frames.count - 1].column = 0
    }

    func null() { append { _ in .null } }
    func boolean(_ value: Bool) { append { _ in .boolean(value) } }
    func integer(_ value: Int64) { append { _ in .integer(value) } }
    func double(_ value: Double) { append { _ in .double(value) } }
    func binary(_ bytes: UnsafeRawBufferPointer) { append { _ in unsafe .binary([UInt8](bytes)) } }

    func text(_ utf8: UnsafeRawBufferPointer) {
        append { type in
            type == .string ? unsafe .string(String(decoding: utf8, as: UTF8.self)) : unsafe Value(utf8: utf8, as: type)
        }
    }

    func beginExpansion(_ index: Int) {
        frames.append(Frame(plan: frames[frames.count - 1].plan.expansions[index].plan))
    }

    func endExpansion(_ index: Int, count: Int?) {
        let related = RelatedRows(rows: frames.removeLast().rows, count: count)
        let plan = frames[frames.count - 1].plan
        let navigation = plan.set.type.navigationProperties[plan.expansions[index].navigation]
        frames[frames.count - 1].row.related[navigation.names.wire] = related
    }

    func endRow(etag: ETag?) { frames[frames.count - 1].rows.append(frames[frames.count - 1].row) }

    private func append(_ value: (PrimitiveType) -> Value?) {
        let frame = frames[frames.count - 1]
        frames[frames.count - 1].column += 1
        guard frame.column < frame.plan.columns.count else { return }
        let property = frame.plan.set.type.properties[frame.plan.columns[frame.column]]
        guard let value = value(property.type) else {
            let name = property.names.wire
            unreadable = LocalStoreError(
                .corrupt,
                set: frame.plan.set.names.wire,
                properties: [name],
                message: "The file holds a value of '\(name)' that is no \(property.type.rawValue)."
            )
            return
        }
        frames[frames.count - 1].row.values[property.names.wire] = value
    }
}
