// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// What SQLite says of a failure.
package enum SQLiteWords {
    /// What it says of calls that did not fail.
    private static let noFailure: Set = ["", "not an error", "another row available", "no more rows available"]

    /// The message of a failure, or what its code means where the message tells of none.
    ///
    /// A connection has the message of its last call: where a failure was not one of that call (a backup's, say, or one that
    /// was rolled back since), it is `not an error`.
    ///
    /// - Parameter code: the result code, extended or not.
    package static func of(_ code: Int32, _ message: String?) -> String {
        // What a trigger raises may be any text, none too.
        let isRaised = code == SQLITE_CONSTRAINT | (7 << 8)
        if let message, isRaised || !noFailure.contains(message) { return message }
        return unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) } ?? ""
    }

    /// The code of a failed call.
    ///
    /// - Parameter last: the extended code that the connection has, which is that of a call since then if it is no failure.
    package static func code(_ code: Int32, last: Int32) -> Int32 {
        [SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(last) ? code : last
    }
}
