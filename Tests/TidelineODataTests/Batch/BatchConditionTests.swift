// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineOData

struct BatchConditionTests {
    private func literal(_ text: String) throws -> String {
        try BatchCondition.literal(
            text,
            succeeded: { ["1": true, "2": false][$0] },
            body: { $0 == "1" ? Array(#"{"Name":"O'\u0301Neil","Age":7}"#.utf8) : nil }
        )
    }

    @Test func `references become literals, and what stands in strings stays`() throws {
        #expect(try literal("$1/$succeeded and not $2/$succeeded") == "true and not false")
        #expect(try literal("$1/Age eq 7 and '$1/Age' eq ''") == "7 eq 7 and '$1/Age' eq ''")
        #expect(try literal("$2/Age eq null") == "null eq null")
    }

    @Test func `a quote before a combining mark is doubled and ends strings like any other`() throws {
        let value = try literal("$1/Name eq '\u{301}$1/Age'")
        #expect(Array(value.unicodeScalars) == Array("'O''\u{301}Neil' eq '\u{301}$1/Age'".unicodeScalars))
    }
}
