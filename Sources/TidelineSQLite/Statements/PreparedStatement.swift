// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

package import GRDB
import GRDBSQLite
import TidelineModel
import TidelineStorage

/// A statement of SQLite's C interface: compiled once, run many times.
///
/// Not for two threads at once; it belongs to the connection that compiled it and must not outlive it. Text and blobs
/// read from a column are valid until the next ``step()``, ``reset()`` or reading of the same column as another type.
@safe
package final class PreparedStatement {
    /// The handle, for what this type does not offer.
    package let handle: OpaquePointer
    /// The GRDB statement that owns the handle, or `nil` when this object does.
    private let owner: GRDB.Statement?

    /// Compiles one statement.
    ///
    /// - Throws: ``StorageError``.
    package init(_ connection: Database, _ sql: String) throws {
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection.sqliteConnection, sql, -1, &compiled, nil)
        guard code == SQLITE_OK, let compiled = unsafe compiled else {
            throw unsafe SQLiteFailure(code: code, connection: connection.sqliteConnection).storageError
        }
        unsafe handle = compiled
        owner = nil
    }

    private init(_ statement: GRDB.Statement) {
        unsafe handle = statement.sqliteStatement
        owner = statement
    }

    deinit {
        if owner == nil {
            unsafe sqlite3_finalize(handle)
        } else {
            // One that stays at a row keeps its snapshot, and what is bound may be gone.
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
        }
    }

    /// The statement from the connection's cache, or a new one where that one is running.
    package static func cached(_ connection: Database, _ sql: String) throws -> PreparedStatement {
        do {
            let statement = try connection.cachedStatement(sql: sql)
            guard unsafe sqlite3_stmt_busy(statement.sqliteStatement) == 0 else {
                return try PreparedStatement(connection, sql)
            }
            return PreparedStatement(statement)
        } catch let error as DatabaseError {
            throw SQLiteFailure(error).storageError
        }
    }

    /// Goes to the next row.
    ///
    /// - Returns: false when there is none; the statement is then at its start again.
    /// - Throws: ``StorageError``.
    package func step(isChange: Bool = false) throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            unsafe sqlite3_reset(handle)
            return false
        }
        let failure = unsafe SQLiteFailure(code: code, connection: sqlite3_db_handle(handle))
        unsafe sqlite3_reset(handle)
        throw isChange ? failure.rowError : failure.storageError
    }

    /// Runs the statement to its end.
    ///
    /// - Parameter isChange: whether it changes one row, see ``step(isChange:)``.
    package func run(isChange: Bool = false) throws {
        while try step(isChange: isChange) {}
    }

    /// Whether the statement stands at a row.
    package var isRunning: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

    /// Back to the start; bindings stay.
    package func reset() { unsafe sqlite3_reset(handle) }
}

extension PreparedStatement {
    package func bindNull(_ index: Int32) { unsafe sqlite3_bind_null(handle, index) }

    package func bind(_ value: Int64, _ index: Int32) { unsafe sqlite3_bind_int64(handle, index, value) }

    package func bind(_ value: Double, _ index: Int32) { unsafe sqlite3_bind_double(handle, index, value) }

    package func bind(_ value: String, _ index: Int32) {
        var value = value
        value.withUTF8 { unsafe bind(text: UnsafeRawBufferPointer($0), index) }
    }

    package func bind(_ value: [UInt8], _ index: Int32) {
        unsafe value.withUnsafeBytes { unsafe bind(blob: $0, index) }
    }

    /// Binds UTF-8 text; SQLite copies it.
    package func bind(text: UnsafeRawBufferPointer, _ index: Int32) {
        if let base = text.baseAddress {
            unsafe sqlite3_bind_text64(
                handle,
                index,
                base.assumingMemoryBound(to: CChar.self),
                UInt64(text.count),
                transient,
                UInt8(SQLITE_UTF8)
            )
        } else {
            unsafe sqlite3_bind_text(handle, index, "", 0, transient)
        }
    }

    /// Binds bytes; SQLite copies them.
    package func bind(blob: UnsafeRawBufferPointer, _ index: Int32) {
        if let base = blob.baseAddress {
            unsafe sqlite3_bind_blob64(handle, index, base, UInt64(blob.count), transient)
        } else {
            unsafe sqlite3_bind_zeroblob(handle, index, 0)
        }
    }

    private var transient: sqlite3_destructor_type {
        unsafe unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    }
}

extension PreparedStatement {
    /// The storage class of a column's value.
    package enum StorageClass: Sendable {
        case null, integer, real, text, blob
    }

    @inline(__always)
    package func storageClass(_ column: Int32) -> StorageClass {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    @inline(__always)
    package func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    @inline(__always)
    package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    /// The bytes of a text.
    @inline(__always)
    package func text(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = unsafe UnsafeRawPointer(sqlite3_column_text(handle, column))
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The bytes of a blob.
    @inline(__always)
    package func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = unsafe sqlite3_column_blob(handle, column)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The text of a column as a string, or `nil` for null.
    ///
    /// Not for rows of entities.
    package func string(_ column: Int32) -> String? {
        guard storageClass(column) != .null else { return nil }
        return unsafe String(decoding: text(column), as: UTF8.self)
    }

    /// What a column holds, as text, where it has one that is short enough to be told.
    func held(_ column: Int32) -> String? {
        switch storageClass(column) {
        case .null, .blob: nil
        case .integer: "\(integer(column))"
        case .real: "\(real(column))"
        case .text: unsafe ExceptionText.text(text(column))
        }
    }

    package func bytes(_ column: Int32) -> [UInt8]? {
        guard storageClass(column) != .null else { return nil }
        return unsafe [UInt8](blob(column))
    }
}
