// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStorage

@testable import TidelinePostgres

/// What PostgreSQL says, as errors of the store: what decides about a row, and what may go better the next time.
struct PostgresFailureTests {
    /// Source: PostgreSQL 17, appendix A.
    @Test(
        arguments: [
            ("P0001", .constraint), ("SH001", .constraint), ("P0004", .constraint), ("21000", .constraint),
            ("38000", .constraint),
            ("22P02", .invalidValue), ("54000", .invalidValue), ("23505", .duplicateValue), ("53100", .full),
            ("40001", .busy),
            ("08006", .unavailable), ("57P01", .unavailable), ("42501", .io), ("58030", .io), ("XX000", .io),
        ] as [(String, StorageError.Code)]
    )
    func `each class of codes has its error`(sqlState: String, expected: StorageError.Code) {
        #expect(PostgresFailure(sqlState: sqlState, message: "words").storageError.code == expected)
    }

    @Test func `only what a database's owner raised is told in its words`() {
        func message(_ sqlState: String, _ words: String = "words") -> String {
            PostgresFailure(sqlState: sqlState, message: words).storageError.message
        }
        #expect(message("P0001") == "words" && message("SH001") == "words")
        #expect(message("P0004") == "The database refused the change (P0004).")
        let security = PostgresFailure(
            sqlState: "42501",
            message: "new row violates row-level security policy for table \"t\""
        )
        #expect(security.storageError.code == .constraint)
        #expect(security.storageError.message == "The row security of the database refused the change.")
    }
}
