// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// Reads the values that most columns hold: numbers and texts as they come.
///
/// It refers to nothing, so that the loop over rows copies it for nothing; a copy of a ``ColumnReader`` counts the
/// references of its property.
struct PlainColumn: Sendable {
    private enum Kind: UInt8, Sendable {
        case other, integer, double, text
    }

    private let kind: Kind
    private let lower: Int64
    private let upper: Int64

    /// - Parameter range: the values of an integer type.
    init(_ property: Property, _ range: ClosedRange<Int64>) {
        (lower, upper) = (range.lowerBound, range.upperBound)
        guard property.storage == .native else {
            kind = .other
            return
        }
        switch property.type {
        case .byte, .sbyte, .int16, .int32, .int64: kind = .integer
        case .double, .single: kind = .double
        case .string: kind = .text
        default: kind = .other
        }
    }

    /// Gives the value of a column to an output.
    ///
    /// - Returns: whether it was one that can be given as it is; nothing is given else.
    @inline(__always)
    func read<Output: ColumnOutput>(_ row: PostgresRow, _ column: Int, to output: inout Output) -> Bool {
        guard kind != .other else { return false }
        guard !row.isNull(column) else {
            output.null()
            return true
        }
        let bytes = unsafe row.bytes(column)
        switch kind {
        case .other: return false
        case .text: unsafe output.text(bytes)
        case .integer:
            guard let value = unsafe BinaryValue.integer(bytes), value >= lower, value <= upper else { return false }
            output.integer(value)
        case .double:
            guard let value = unsafe BinaryValue.double(bytes) else { return false }
            output.double(value)
        }
        return true
    }
}
