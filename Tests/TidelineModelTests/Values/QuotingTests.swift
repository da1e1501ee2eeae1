// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineModel

struct QuotingTests {
    /// A quote before a combining mark is one `Character` with it.
    @Test func `each quote is doubled, also before a combining mark`() {
        #expect("O'Neil".quoted(by: "'") == "'O''Neil'")
        #expect(Array("'\u{301}".quoted(by: "'").unicodeScalars) == ["'", "'", "'", "\u{301}", "'"])
        #expect("a\"b'c".quoted(by: "\"") == "\"a\"\"b'c\"")
        #expect("".quoted(by: "'") == "''")
    }
}
