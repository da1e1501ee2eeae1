// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TidelineStore
@testable import TidelineSync

/// Many transactions that build on each other and meet a conflict each, one a batch.
struct ConflictRoundsTests {
    @Test func `a merge each time and a decision each time: the sync goes on`() {
        var machine = SyncMachine()
        _ = machine.handle(.start)
        var settled = SettleReport()
        settled.rebased = [9]
        settled.accepted = 1
        let verdicts = [Verdict(number: 1, kind: .accepted), Verdict(number: 2, kind: .conflict)]
        for _ in 0...3 * SyncMachine.mostRounds {
            _ = machine.handle(.pending([1, 2], hasMore: false))
            _ = machine.handle(.answered(verdicts, wait: nil, jitter: 0))
            _ = machine.handle(.fetched())
            _ = machine.handle(.settled(settled))
            #expect(machine.state == .reading)
        }
    }
}
