// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// A compiled statement of one connection.
///
/// Only for the thread that has the connection.
@safe
final class Statement {
    let handle: OpaquePointer
    /// What keeps it compiled beyond this use, if anything.
    private let owner: GRDB.Statement?

    /// Compiles a statement.
    init(_ connection: Database, _ sql: String) throws {
        owner = nil
        var compiled: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection.sqliteConnection,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &compiled,
            nil
        )
        guard code == SQLITE_OK, let compiled = unsafe compiled else {
            throw unsafe SQLiteRefusal.error(code, connection.sqliteConnection)
        }
        unsafe handle = compiled
    }

    /// The statement that the connection keeps compiled.
    init(keptBy connection: Database, _ sql: String) throws {
        let kept = try connection.cachedStatement(sql: sql)
        owner = kept
        unsafe handle = kept.sqliteStatement
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

    /// Goes to the next row; false at the end, where the statement is reset.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            unsafe sqlite3_reset(handle)
            return false
        }
        let error = unsafe SQLiteRefusal.error(code, sqlite3_db_handle(handle))
        unsafe sqlite3_reset(handle)
        throw error
    }

    func run() throws {
        while try step() {}
    }

    func reset() { unsafe sqlite3_reset(handle) }

    /// The rows that the last change touched.
    var changes: Int { unsafe Int(sqlite3_changes(sqlite3_db_handle(handle))) }

    var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(handle)) }

    var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

    @discardableResult
    func bind(_ value: Double, _ index: Int32) -> Statement {
        unsafe sqlite3_bind_double(handle, index, value)
        return self
    }

    @discardableResult
    func bind(_ value: Int64, _ index: Int32) -> Statement {
        unsafe sqlite3_bind_int64(handle, index, value)
        return self
    }

    @discardableResult
    func bindNull(_ index: Int32) -> Statement {
        unsafe sqlite3_bind_null(handle, index)
        return self
    }

    @discardableResult
    func bind(_ value: String, _ index: Int32) -> Statement {
        var value = value
        value.withUTF8 { utf8 in
            let start = unsafe UnsafeRawPointer(utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            unsafe sqlite3_bind_text(handle, index, start, Int32(clamping: utf8.count), Statement.copies)
        }
        return self
    }

    @discardableResult
    func bind(_ value: String?, _ index: Int32) -> Statement {
        guard let value else { return bindNull(index) }
        return bind(value, index)
    }

    @discardableResult
    func bind(_ value: [UInt8], _ index: Int32) -> Statement {
        if value.isEmpty {
            unsafe sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            unsafe value.withUnsafeBytes {
                _ = unsafe sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count), Statement.copies)
            }
        }
        return self
    }

    /// Binds all bytes of a buffer as one blob, without a copy: it stays as it is until the statement is reset.
    func bind(borrowed buffer: PackedBuffer, _ index: Int32) {
        unsafe buffer.withBytes {
            _ = unsafe sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count), nil)
        }
    }

    /// The value of a column; buffers are valid until the next step.
    @inline(__always)
    func value(_ column: Int32) -> PackedValue { unsafe Statement.value(handle, column) }

    @inline(__always)
    static func value(_ handle: OpaquePointer, _ column: Int32) -> PackedValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return unsafe .double(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            let start = unsafe UnsafeRawPointer(sqlite3_column_text(handle, column))
            let count = unsafe Int(sqlite3_column_bytes(handle, column))
            return unsafe .text(UnsafeRawBufferPointer(start: start, count: count))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(handle, column)
            let count = unsafe Int(sqlite3_column_bytes(handle, column))
            return unsafe .blob(UnsafeRawBufferPointer(start: start, count: count))
        default: return .null
        }
    }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func string(_ column: Int32) -> String? {
        guard !isNull(column) else { return nil }
        guard case .text(let text) = value(column) else { return nil }
        return unsafe String(decoding: text, as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard case .blob(let blob) = value(column) else { return [] }
        return unsafe [UInt8](blob)
    }

    /// Tells SQLite to copy what is bound.
    private static var copies: sqlite3_destructor_type {
        unsafe unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    }
}
