// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// The rows of one statement.
///
///     let result = try connection.query("SELECT relname, oid FROM pg_class WHERE relkind = $1", [.text("r")])
///     for row in result { print(row.string(0), row.integer(1)) }
@safe
package final class PostgresResult: Sequence {
    /// Freed with this object.
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe PQclear(handle) }

    package var rowCount: Int { Int(unsafe PQntuples(handle)) }

    package var columnCount: Int { Int(unsafe PQnfields(handle)) }

    /// The rows that a statement without result rows changed.
    package var affectedRows: Int {
        Int(unsafe String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// The rows that the command changed; `nil` for one that changes none by itself, such as a query.
    package var changedRows: Int? {
        let tag = commandTag
        return ["INSERT", "UPDATE", "DELETE", "MERGE"].contains(where: tag.hasPrefix) ? affectedRows : nil
    }

    /// The tag of the command that ran: `COMMIT`, `ROLLBACK`.
    package var commandTag: String { unsafe String(cString: PQcmdStatus(handle)) }

    package subscript(row: Int) -> PostgresRow { PostgresRow(self, row: Int32(row)) }

    package func makeIterator() -> AnyIterator<PostgresRow> {
        var next = 0
        return AnyIterator {
            guard next < self.rowCount else { return nil }
            defer { next += 1 }
            return self[next]
        }
    }
}

/// One row of a result, which it keeps.
@safe
package struct PostgresRow {
    private let owner: PostgresResult
    private let handle: OpaquePointer
    private let row: Int32

    init(_ owner: PostgresResult, row: Int32) {
        self.owner = owner
        unsafe handle = owner.handle
        self.row = row
    }

    @inline(__always)
    package func isNull(_ column: Int) -> Bool {
        unsafe PQgetisnull(handle, row, Int32(truncatingIfNeeded: column)) != 0
    }

    /// The bytes of a column as they came: text, or PostgreSQL's binary form where that was asked for.
    ///
    /// Empty for null. Valid as long as the result is kept.
    @inline(__always)
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        let start = unsafe UnsafeRawPointer(PQgetvalue(handle, row, column))
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, column)))
    }

    /// The object identifier of a column's type; that of the base type for a domain.
    package func type(_ column: Int) -> UInt32 { unsafe PQftype(handle, Int32(truncatingIfNeeded: column)) }

    /// Whether a column came in binary form.
    package func isBinary(_ column: Int) -> Bool { unsafe PQfformat(handle, Int32(truncatingIfNeeded: column)) == 1 }

    /// A column in text form, or `nil` for null.
    package func string(_ column: Int) -> String? {
        guard !isNull(column) else { return nil }
        return unsafe String(decoding: bytes(column), as: UTF8.self)
    }

    /// An integer of any width, in text or binary form; `nil` for null.
    package func integer(_ column: Int) -> Int64? {
        guard !isNull(column) else { return nil }
        guard isBinary(column) else { return string(column).flatMap { Int64($0) } }
        let bytes = unsafe bytes(column)
        switch bytes.count {
        case 8: return unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return unsafe Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return unsafe Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: return unsafe Int64(bytes[0])
        default: return nil
        }
    }

    /// A Boolean in text or binary form; `nil` for null.
    package func boolean(_ column: Int) -> Bool? {
        guard !isNull(column), let first = unsafe bytes(column).first else { return nil }
        return first == UInt8(ascii: "t") || first == 1
    }

    /// A `bytea`, from its hexadecimal text or its binary form; `nil` for null.
    package func blob(_ column: Int) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        let bytes = unsafe bytes(column)
        guard !isBinary(column) else { return unsafe [UInt8](bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2)
        var place = 2
        while place + 1 < bytes.count {
            result.append(unsafe Self.nibble(bytes[place]) << 4 | Self.nibble(bytes[place + 1]))
            place += 2
        }
        return result
    }

    private static func nibble(_ digit: UInt8) -> UInt8 {
        digit <= UInt8(ascii: "9") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
    }
}
