// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// SQL that makes a database as an application would: for demos and tests.
package enum SQLiteScript {
    /// Runs statements in one transaction on a file, which is made when it is missing.
    ///
    /// - Throws: the error of the database; nothing is changed then.
    package static func run(_ sql: String, path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
