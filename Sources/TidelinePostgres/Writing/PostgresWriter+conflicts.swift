// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStorage

extension PostgresReader {
    func conflicts(_ query: ConflictQuery) throws -> [LoggedConflict] {
        try named { try ConflictLog(connection: connection).entries(query) }
    }
}

extension PostgresWriter {
    func log(_ conflict: LoggedConflict) throws {
        try named { try ConflictLog(connection: connection).add(conflict) }
    }

    func close(conflict id: Int64) throws {
        try named { try ConflictLog(connection: connection).close(id) }
    }

    func remove(conflict id: Int64) throws {
        try named { try ConflictLog(connection: connection).remove(id) }
    }

    func setRestored(conflict id: Int64, at time: Int64) throws {
        try named { try ConflictLog(connection: connection).setRestored(id, at: time) }
    }
}
