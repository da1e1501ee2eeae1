// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import CTidelineSQLite

/// What a program that has SQLite to itself settles before it uses it; a library in somebody's app does not.
package enum SQLiteProcess {
    /// Has SQLite not count the memory that it takes: to count it, threads wait for each other at each piece.
    ///
    /// Source: SQLite, `SQLITE_CONFIG_MEMSTATUS`.
    ///
    /// - Returns: false where SQLite was used before: it goes on counting.
    @discardableResult
    package static func leaveMemoryUncounted() -> Bool {
        tideline_sqlite_leave_memory_uncounted() == CTidelineSQLite.SQLITE_OK
    }
}
