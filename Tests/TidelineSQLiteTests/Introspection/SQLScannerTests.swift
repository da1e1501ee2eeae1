// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineSQLite

struct SQLScannerTests {
    @Test func `quoted names and comments are told from words, whatever marks follow a quote`() {
        let sql = "CREATE TABLE \"a\u{301}\" (\"\u{301} WITHOUT\" TEXT /* ROWID */, b TEXT -- STRICT\n)"
        #expect(SQLScanner.words(of: sql) == ["CREATE", "TABLE", "TEXT", "B"])
    }
}
