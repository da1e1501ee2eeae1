// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import TidelineModel
import TidelineStorage

/// One call of a function from SQL: its arguments, and where the result goes.
///
/// Without a result the call returns null. Valid during the call only.
@safe
struct SQLiteCall {
    private let context: OpaquePointer
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    let count: Int

    init(context: OpaquePointer, count: Int, values: UnsafeMutablePointer<OpaquePointer?>?) {
        unsafe self.context = context
        unsafe self.values = values
        self.count = count
    }

    private func value(_ index: Int) -> OpaquePointer? {
        guard index < count else { return nil }
        return unsafe values?[index]
    }

    private func type(_ index: Int) -> Int32 {
        guard let value = unsafe value(index) else { return SQLITE_NULL }
        return unsafe sqlite3_value_type(value)
    }

    // MARK: - Arguments

    /// An argument as it is.
    func stored(_ index: Int) -> SQLValue {
        switch type(index) {
        case SQLITE_INTEGER: integer(index).map(SQLValue.integer) ?? .null
        case SQLITE_FLOAT: real(index).map(SQLValue.real) ?? .null
        case SQLITE_TEXT: text(index).map(SQLValue.text) ?? .null
        case SQLITE_BLOB: .blob(blob(index) ?? [])
        default: .null
        }
    }

    /// An INTEGER; `nil` for anything else.
    func integer(_ index: Int) -> Int64? {
        guard type(index) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_value_int64(value(index))
    }

    /// A REAL or INTEGER as a floating-point number; `nil` for anything else.
    func real(_ index: Int) -> Double? {
        guard type(index) == SQLITE_FLOAT || type(index) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_value_double(value(index))
    }

    /// A text; `nil` for null and blobs, a number as SQLite writes it.
    func text(_ index: Int) -> String? {
        guard type(index) != SQLITE_NULL, type(index) != SQLITE_BLOB else { return nil }
        return unsafe withBytes(index) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// A blob; `nil` for anything else.
    func blob(_ index: Int) -> [UInt8]? {
        guard type(index) == SQLITE_BLOB, let value = unsafe value(index) else { return nil }
        let start = unsafe sqlite3_value_blob(value)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    }

    /// A decimal from INTEGER, REAL or TEXT; `nil` when it is none.
    func decimal(_ index: Int) -> EdmDecimal? {
        switch type(index) {
        case SQLITE_INTEGER: return integer(index).map { EdmDecimal(coefficient: Int128($0)) }
        case SQLITE_FLOAT: return real(index).flatMap { EdmDecimal(real: $0) }
        case SQLITE_TEXT: return unsafe withBytes(index) { unsafe EdmDecimal(utf8: $0) } ?? nil
        default: return nil
        }
    }

    /// A computed moment.
    func moment(_ index: Int) -> DateTimeOffset? {
        guard type(index) == SQLITE_TEXT else { return nil }
        return unsafe withBytes(index) { unsafe DateTimeOffset(utf8: $0) } ?? nil
    }

    private func withBytes<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard let value = unsafe value(index), let start = unsafe sqlite3_value_text(value) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        return unsafe body(bytes)
    }

    // MARK: - Results

    func result(_ value: Int64?) {
        if let value { unsafe sqlite3_result_int64(context, value) }
    }

    /// 1 for true and 0 for false, as SQLite has no Booleans.
    func result(_ value: Bool?) {
        if let value { unsafe sqlite3_result_int64(context, value ? 1 : 0) }
    }

    func result(_ value: Double?) {
        if let value { unsafe sqlite3_result_double(context, value) }
    }

    func result(_ value: String?) {
        guard var value else { return }
        value.withUTF8 { buffer in
            // SQLITE_TRANSIENT: SQLite takes a copy.
            let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            unsafe sqlite3_result_text64(
                context,
                UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self),
                sqlite3_uint64(buffer.count),
                copies,
                UInt8(SQLITE_UTF8)
            )
        }
    }

    func result(_ value: [UInt8]) {
        unsafe value.withUnsafeBytes { bytes in
            // SQLITE_TRANSIENT: SQLite takes a copy.
            let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            unsafe sqlite3_result_blob64(context, bytes.baseAddress, sqlite3_uint64(bytes.count), copies)
        }
    }

    func result(_ value: EdmDecimal?) { result(value?.text) }
}
