// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// A new connection to a store's file, before its first statement.
@safe
public struct StoreConnection {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    /// Runs SQL, for example `PRAGMA key`.
    ///
    /// - Throws: ``LocalStoreError``.
    public func execute(_ sql: String) throws {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw unsafe SQLiteRefusal.error(code, handle) }
    }

    /// Lends SQLite's own handle, for functions that take no SQL, such as `sqlite3_key`.
    ///
    /// It is valid inside of `body` alone.
    public func withHandle<Result>(_ body: (OpaquePointer) throws -> Result) rethrows -> Result {
        try unsafe body(handle)
    }
}
