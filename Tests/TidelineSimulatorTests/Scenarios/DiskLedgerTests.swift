// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineSimulator

struct DiskLedgerTests {
    @Test func `a ledger goes on where it ended, and adds up`() throws {
        let path = NSTemporaryDirectory() + "disk-ledger-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try DiskLedger(path: path) == nil)
        var ledger = DiskLedger()
        #expect(ledger.begin("push", points: 2) == DiskLedger.Entry(points: 2))
        #expect(ledger.begin("pull", points: 3) == DiskLedger.Entry(points: 3))
        ledger.add("push", violations: [])
        ledger.add("pull", violations: ["the store is gone"])
        try ledger.save(path: path)

        var later = try #require(try DiskLedger(path: path))
        #expect(later == ledger)
        #expect(later.begin("push", points: 2).plays == 1)
        later.add("push", violations: [])
        #expect(later.total.points == 5)
        #expect(later.total.plays == 3)
        #expect(later.total.allPlays == 30)
        #expect(later.total.violations == ["the store is gone"])
    }

    @Test func `a scenario that has other points than it had is played anew`() {
        var ledger = DiskLedger()
        _ = ledger.begin("push", points: 2)
        ledger.add("push", violations: ["wrong"])
        #expect(ledger.begin("push", points: 4) == DiskLedger.Entry(points: 4))
        #expect(ledger.total.violations == [])
    }
}
