// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Turns the rows of a query into cells; related entities become JSON inside their row.
final class RowPrinter: RowSink {
    /// A row that is being received, and the rows of its expansions.
    private struct Frame {
        var shape: RowShape
        var cells: [Output.Cell] = []
        /// The rows of the expansion at hand, each as JSON.
        var nested: [String] = []
    }

    private(set) var rows: [[Output.Cell]] = []
    private var frames: [Frame]
    private let shape: RowShape

    init(shape: RowShape) {
        self.shape = shape
        frames = [Frame(shape: shape)]
    }

    /// The names of the columns: the properties, then the expansions.
    var columns: [String] { shape.columns.map(\.name) + shape.expansions.map(\.name) }

    func beginRow() { frames[frames.count - 1].cells.removeAll() }
    func null() { append(.null) }
    func boolean(_ value: Bool) { append(.boolean(value)) }
    func integer(_ value: Int64) { append(.integer(value)) }

    func double(_ value: Double) {
        append(value.isFinite ? .number(DoubleText.text(value)) : .text(DoubleText.text(value)))
    }

    func text(_ utf8: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: utf8, as: UTF8.self)
        let frame = frames[frames.count - 1]
        let place = frame.cells.count
        let column = place < frame.shape.columns.count ? frame.shape.columns[place] : nil
        let isStructured = column?.form == .jsonArray || column?.form == .json
        append(ValueCell.cell(text, isStructured: isStructured, isNumber: column?.type == .decimal))
    }

    func binary(_ bytes: UnsafeRawBufferPointer) { unsafe append(.text(Base64URL.text(Array(bytes)))) }

    func beginExpansion(_ index: Int) {
        frames[frames.count - 1].nested = []
        frames.append(Frame(shape: frames[frames.count - 1].shape.expansions[index].shape))
    }

    func endExpansion(_ index: Int, count: Int?) {
        frames.removeLast()
        let frame = frames[frames.count - 1]
        let isCollection = frame.shape.expansions[index].isCollection
        append(.raw(isCollection ? "[" + frame.nested.joined(separator: ",") + "]" : frame.nested.first ?? "null"))
    }

    func endRow(etag: ETag?) {
        let frame = frames[frames.count - 1]
        guard frames.count > 1 else {
            rows.append(frame.cells)
            return
        }
        let names = frame.shape.columns.map(\.name) + frame.shape.expansions.map(\.name)
        frames[frames.count - 2].nested.append(JSONText.object(Array(zip(names, frame.cells))))
    }

    private func append(_ cell: Output.Cell) { frames[frames.count - 1].cells.append(cell) }
}
