// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineStorage

struct LogAgesTests {
    private func note(_ ages: inout LogAges, _ seconds: Int64, _ entry: Int64) -> Int64? {
        ages.note(.init(seconds: seconds, entry: entry, transaction: UInt64(entry) * 10), keeping: 1_000)?.entry
    }

    @Test func `what is old is where the log ended so long ago`() {
        var ages = LogAges()
        #expect(note(&ages, 0, 5) == nil)
        #expect(note(&ages, 999, 8) == nil)
        #expect(note(&ages, 1_000, 9) == 5)
        #expect(note(&ages, 1_998, 9) == 5)
        #expect(note(&ages, 1_999, 9) == 8)
    }

    @Test func `a hundred moments are kept at most, and two of the end`() {
        var ages = LogAges()
        for second in 0..<5_000 { _ = note(&ages, Int64(second), Int64(second)) }
        // One each ten seconds, of the last thousand and one before them.
        #expect(ages.moments.count == 101)
        #expect(ages.moments.first?.seconds == 3_990)
        #expect(ages.moments.last?.seconds == 4_990)
    }

    @Test func `the text is read again as it was`() {
        var ages = LogAges()
        _ = note(&ages, 100, 1)
        _ = note(&ages, 200, 2)
        #expect(ages.text == "100 1 10;200 2 20")
        #expect(LogAges(text: ages.text) == ages)
        #expect(LogAges(text: "") == LogAges())
        #expect(LogAges(text: "100 1 10;nonsense;200 2 20") == ages)
    }

    @Test func `a clock that was set back makes nothing old`() {
        var ages = LogAges()
        _ = note(&ages, 5_000, 1)
        #expect(note(&ages, 100, 2) == nil)
        #expect(note(&ages, 1_050, 3) == nil)
        #expect(note(&ages, 1_100, 4) == 2)
    }
}
