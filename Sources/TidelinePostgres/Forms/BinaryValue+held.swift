// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension BinaryValue {
    /// What a column holds that is no value of its type, as PostgreSQL writes it, where it has a text.
    static func held(_ row: PostgresRow, _ column: Int) -> String? {
        guard !row.isNull(column) else { return nil }
        let bytes = unsafe row.bytes(column)
        switch row.type(column) {
        case ColumnReader.TypeID.int2, ColumnReader.TypeID.int4, ColumnReader.TypeID.int8:
            return unsafe integer(bytes).map { "\($0)" }
        case ColumnReader.TypeID.numeric:
            guard bytes.count >= 6 else { return nil }
            return switch unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) {
            case 0xC000: "NaN"
            case 0xD000: "Infinity"
            case 0xF000: "-Infinity"
            default: nil
            }
        case ColumnReader.TypeID.date, ColumnReader.TypeID.timestamp, ColumnReader.TypeID.timestamptz:
            guard let value = unsafe integer(bytes) else { return nil }
            if value == (bytes.count == 4 ? Int64(Int32.max) : .max) { return "infinity" }
            return value == (bytes.count == 4 ? Int64(Int32.min) : .min) ? "-infinity" : nil
        case ColumnReader.TypeID.time: return "24:00:00"
        case let type where ColumnReader.TypeID.text.contains(type): return unsafe ExceptionText.text(bytes)
        default: return nil
        }
    }
}
