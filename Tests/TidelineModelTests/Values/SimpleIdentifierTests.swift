// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

struct SimpleIdentifierTests {
    @Test(arguments: ["a", "_", "Order", "_1", "A1", "Größe", "名前", "Цена", "e\u{301}", "a\u{660}"])
    func `letters of every script make a name`(text: String) {
        #expect(SimpleIdentifier.isName(text))
    }

    // The last three: a mark at the start, a symbol that is alphabetic but no letter, and a space that does not break.
    @Test(arguments: ["", "1a", "a b", "a-b", "a.b", "$a", "a\"", "\u{660}a", "\u{301}e", "Ⓐ", "a\u{A0}b"])
    func `anything else does not`(text: String) {
        #expect(!SimpleIdentifier.isName(text))
    }

    @Test func `a name has at most 128 characters`() {
        #expect(SimpleIdentifier.isName(String(repeating: "ß", count: 128)))
        #expect(!SimpleIdentifier.isName(String(repeating: "ß", count: 129)))
    }
}
