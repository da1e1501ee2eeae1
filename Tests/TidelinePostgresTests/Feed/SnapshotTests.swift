// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelinePostgres

struct SnapshotTests {
    @Test(arguments: ["100:107:100,103", "737:737:", "1:18446744073709551615:1,300,70000"])
    func `a snapshot is packed and read again`(text: String) throws {
        let snapshot = try #require(Snapshot(text))
        #expect(snapshot.text == text)
        var bytes: [UInt8] = []
        snapshot.append(to: &bytes)
        var rest = bytes[...]
        #expect(Snapshot(&rest) == snapshot)
        #expect(rest.isEmpty)
        for length in 0..<bytes.count {
            var cut = bytes[..<length]
            #expect(Snapshot(&cut) == nil)
        }
    }

    @Test(arguments: ["", "1:2", "2:1:", "a:b:", "1:2:x", "1:2:3:4"])
    func `what is no snapshot is refused`(text: String) { #expect(Snapshot(text) == nil) }

    @Test func `a snapshot below a transaction sees none from there on`() throws {
        let snapshot = try #require(Snapshot("100:107:100,103"))
        #expect(snapshot.below(102).text == "100:102:100")
        #expect(snapshot.below(100).text == "100:100:")
        #expect(snapshot.below(0).text == "0:0:")
        #expect(snapshot.below(107) == snapshot && snapshot.below(200) == snapshot)
    }

    @Test func `a snapshot sees what was done, and nothing else`() throws {
        let snapshot = try #require(Snapshot("100:107:100,103"))
        #expect([99, 100, 101, 103, 106, 107].map(snapshot.sees) == [true, false, true, false, true, false])
    }
}
