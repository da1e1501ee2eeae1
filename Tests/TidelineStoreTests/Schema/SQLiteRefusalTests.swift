// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineStore

/// What SQLite reports, as the errors of a device's store.
struct SQLiteRefusalTests {
    /// The extended codes of SQLite: https://sqlite.org/rescode.html.
    @Test(
        arguments: [
            (13, .full), (18, .full), (4874, .full), (5, .busy), (261, .busy), (11, .corrupt), (26, .foreignFile),
            (14, .io),
            (8, .io), (10, .io), (778, .io), (1555, .duplicateKey), (2579, .duplicateKey), (9, .io), (1, .invalidSQL),
        ] as [(Int32, LocalStoreError.Code)]
    )
    func `each code has its error`(code: Int32, expected: LocalStoreError.Code) {
        #expect(SQLiteRefusal.error(code, "words").code == expected)
    }

    @Test(arguments: [("not an error", "disk I/O error"), ("", "disk I/O error"), ("words", "words")])
    func `a failure is told by its code where the message says that nothing failed`(message: String, words: String) {
        #expect(
            SQLiteRefusal.error(778, message)
                == LocalStoreError(.io, message: "Reading or writing the store's file failed: \(words).")
        )
    }
}
