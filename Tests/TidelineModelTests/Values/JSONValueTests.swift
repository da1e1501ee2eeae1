// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel

/// JSON in a column, as a person reads it.
struct JSONValueTests {
    @Test(
        arguments: [
            (#"["red","green"]"#, "red, green"), ("[38, 40.50]", "38, 40.50"), ("[]", ""), (#"[""]"#, ""),
            (#"["a \"b\" \u00e9",null,true]"#, #"a "b" é, null, true"#), (#"[["a","b"],["c"]]"#, "a, b, c"),
            (#"[{"City":"Oslo"},{"City":"Bergen"}]"#, #"{"City":"Oslo"}, {"City":"Bergen"}"#), (#""text""#, "text"),
        ]
    )
    func `an array reads as its items with commas between`(json: String, plain: String) {
        #expect(JSONValue(json)?.plain == plain)
    }
}
