// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension SQLiteReader {
    func conflicts(_ query: ConflictQuery) throws -> [LoggedConflict] {
        try ConflictLog(connection: connection).entries(query)
    }
}

extension SQLiteWriter {
    func log(_ conflict: LoggedConflict) throws { try ConflictLog(connection: connection).add(conflict) }

    func close(conflict id: Int64) throws { try ConflictLog(connection: connection).close(id) }

    func remove(conflict id: Int64) throws { try ConflictLog(connection: connection).remove(id) }

    func setRestored(conflict id: Int64, at time: Int64) throws {
        try ConflictLog(connection: connection).setRestored(id, at: time)
    }
}
