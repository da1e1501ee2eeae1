// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// The callback by which GRDB learns what each compiled statement reads and writes.
///
/// SQLite calls it for each column that a statement names, and GRDB makes sets of texts of that, for observers of
/// tables. Nothing of ours is one: changes are told by the log and by commits. It took half of the time in which a
/// statement is compiled.
package enum SQLiteAuthorizer {
    /// Takes the callback away, before the first statement of a connection.
    ///
    /// What is left to GRDB of its knowledge of a statement is what SQLite itself says: whether it only reads, and
    /// whether a transaction is open.
    ///
    /// - Parameter connection: the `sqlite3*` handle.
    package static func remove(from connection: OpaquePointer) {
        unsafe _ = sqlite3_set_authorizer(connection, nil, nil)
    }
}
