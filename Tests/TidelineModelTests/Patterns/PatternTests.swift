// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineModel

struct PatternTests {
    @Test(arguments: [
        ("a|b", "xbx", true), ("^a$", "ab", false), ("^(?:ab)+$", "ababab", true), ("^a{2,3}$", "aaaa", false),
        ("^a{2,}$", "aaaa", true), ("\\d{4}-\\d\\d", "on 2024-02", true), ("[^\\s]+", " \t", false),
        ("^[\\w-]+$", "a-b_9", true), ("a.c", "a\nc", false), ("a[^]c", "a\nc", true), ("\\bcat\\b", "a cat!", true),
        ("\\bcat\\b", "concat", false), ("^$", "", true), ("x*", "", true), ("\\u00e4", "ä", true),
        ("^.$", "😀", true), ("\\ud83d\\ude00", "😀", true), ("(a*)*$", "b", true), ("[a-c-]", "-", true),
        ("\\cJ", "\n", true), ("a??b", "ab", true),
    ])
    func `a pattern matches anywhere in the text`(pattern: String, text: String, expected: Bool) throws {
        #expect(try Pattern(pattern).matches(text) == expected)
    }

    @Test func `what takes a backtracking machine years takes this one a moment`() throws {
        let pattern = try Pattern("^(a+)+$")
        #expect(!pattern.matches(String(repeating: "a", count: 20_000) + "b"))
    }

    @Test(arguments: [
        "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(a)\\1", "\\k<a>", "\\p{L}", "a{256}", "((a{200}){200}){200}",
    ])
    func `what is beyond the subset is said to be`(text: String) {
        let error = #expect(throws: Pattern.Failure.self) { try Pattern(text) }
        guard case .unsupported? = error else {
            Issue.record("\(text): \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        "(", ")", "[", "]", "{", "*", "a**", "a{2,1}", "[b-a]", "[\\d-z]", "\\", "\\q", "\\u12", "a{", "{1}",
    ])
    func `what is no pattern is refused`(text: String) {
        let error = #expect(throws: Pattern.Failure.self) { try Pattern(text) }
        guard case .invalid? = error else {
            Issue.record("\(text): \(String(describing: error))")
            return
        }
    }

    @Test func `PostgreSQL gets ranges and nothing of the text`() throws {
        #expect(
            try Pattern("^A.\\d$").postgresText
                == "***:\\A[\\u0041][\\u0001-\\u0009\\u000b-\\u000c\\u000e-\\u2027\\u202a-\\ud7ff\\ue000-\\U0010ffff][\\u0030-\\u0039]\\Z"
        )
    }
}
