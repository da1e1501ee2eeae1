// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TidelineService

/// Text with U+0000, which PostgreSQL cannot hold, in what is asked.
struct NullCharacterTests {
    /// 1 to 4: `a`, `ab`, `b`, null.
    private func stand(_ kind: Stand.Kind) throws -> Stand {
        let stand = try Stand(
            kind,
            tables: #"CREATE TABLE "Words" ("Id" integer NOT NULL PRIMARY KEY, "Word" varchar(10))"#
        )
        for (place, word) in [#""a""#, #""ab""#, #""b""#, "null"].enumerated() {
            #expect(stand.send(.post, "Words", #"{"Id":\#(place + 1),"Word":\#(word)}"#).status == 201)
        }
        return stand
    }

    @Test(arguments: Stand.Kind.allCases)
    func `it compares by its bytes with what is stored, on every store`(kind: Stand.Kind) throws {
        let stand = try stand(kind)
        let cases: [(String, [Int])] = [
            ("Word eq 'a%00'", []), ("Word ne 'a%00'", [1, 2, 3, 4]), ("not (Word eq 'a%00b')", [1, 2, 3, 4]),
            // After `a` and before all that goes on with another character.
            ("Word lt 'a%00b'", [1]), ("Word le 'a%00b'", [1]), ("Word gt 'a%00b'", [2, 3]),
            ("Word ge 'a%00b'", [2, 3]), ("Word gt '%00'", [1, 2, 3]), ("Word lt '%00'", []),
            ("Word in ('a%00','b')", [3]),
        ]
        for (filter, expected) in cases {
            let path = "Words?$orderby=Id&$select=Id&$filter=" + filter.replacing(" ", with: "%20")
            let reply = stand.get(path)
            let keys = reply.text.split(separator: "\"Id\":").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
            #expect(keys == expected, "\(filter): \(reply.text)")
        }
        #expect(stand.get("Words?$filter=contains(Word,'%00')").status == (kind == .postgres ? 400 : 200))
        let refused = stand.send(.post, "Words", #"{"Id":9,"Word":"a\u0000"}"#)
        #expect(refused.status == 400, "\(refused.text)")
    }
}
