// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import TidelineModel
package import TidelineStorage

/// Collects pushed rows and their expansions as values.
package final class RowCollector: RowSink {
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

    package init(_ plan: ReadPlan) { frames = [Frame(plan: plan)] }

    /// The rows received.
    package func finish() throws -> [ExpandedRow] {
        if let unreadable { throw unreadable }
        return frames[0].rows
    }

    package func beginRow() {
        frames[frames.count - 1].row = ExpandedRow(values: [:])
        frames[frames.count - 1].column = 0
    }

    package func null() { append { _ in .null } }
    package func boolean(_ value: Bool) { append { _ in .boolean(value) } }
    package func integer(_ value: Int64) { append { _ in .integer(value) } }
    package func double(_ value: Double) { append { _ in .double(value) } }
    package func binary(_ bytes: UnsafeRawBufferPointer) { append { _ in unsafe .binary([UInt8](bytes)) } }

    package func text(_ utf8: UnsafeRawBufferPointer) {
        append { type in
            type == .string ? unsafe .string(String(decoding: utf8, as: UTF8.self)) : unsafe Value(utf8: utf8, as: type)
        }
    }

    package func beginExpansion(_ index: Int) {
        frames.append(Frame(plan: frames[frames.count - 1].plan.expansions[index].plan))
    }

    package func endExpansion(_ index: Int, count: Int?) {
        let related = RelatedRows(rows: frames.removeLast().rows, count: count)
        let plan = frames[frames.count - 1].plan
        let navigation = plan.set.type.navigationProperties[plan.expansions[index].navigation]
        frames[frames.count - 1].row.related[navigation.names.wire] = related
    }

    package func endRow(etag: ETag?) { frames[frames.count - 1].rows.append(frames[frames.count - 1].row) }

    private func append(_ value: (PrimitiveType) -> Value?) {
        let frame = frames[frames.count - 1]
        frames[frames.count - 1].column += 1
        guard let (name, type) = frame.plan.column(frame.column) else { return }
        guard let value = value(type) else {
            unreadable = LocalStoreError(
                .corrupt,
                set: frame.plan.set.names.wire,
                properties: [name],
                message: "The file holds a value of '\(name)' that is no \(type.rawValue)."
            )
            return
        }
        frames[frames.count - 1].row.values[name] = value
    }
}

extension ReadPlan {
    /// What is pushed at a place: a property, or a computed value that has a name; `nil` for one without.
    fileprivate func column(_ place: Int) -> (name: String, type: PrimitiveType)? {
        guard place >= columns.count else {
            let property = set.type.properties[columns[place]]
            return (property.names.wire, property.type)
        }
        let turn = place - columns.count
        guard turn < computedNames.count, turn < computed.count else { return nil }
        return (computedNames[turn], computed[turn].type ?? .string)
    }
}
