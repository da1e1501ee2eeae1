// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import TidelineModel

/// The reuses of keys that one transaction sees: as a rule none, which is asked once.
final class KeyReuses {
    private let connection: Database
    private var hasAny: Bool?

    init(_ connection: Database) { self.connection = connection }

    /// Those of a set, or `nil` where no key of any was given twice.
    func keys(of statements: SetStatements) throws -> KeyReuse? {
        guard statements.reusesKeys, try isThereAny() else { return nil }
        return try KeyReuse(statements.set.names.database, on: connection)
    }

    /// After a write: triggers and actions of the database may have given a key again.
    func forget() { hasAny = nil }

    private func isThereAny() throws -> Bool {
        if let hasAny { return hasAny }
        let statement = try PreparedStatement.cached(connection, "SELECT 1 FROM tideline_reused LIMIT 1")
        defer { statement.reset() }
        let found = try statement.step()
        hasAny = found
        return found
    }
}
