// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
@testable import TidelineSync

/// What the machine tells of the rows of a load, done and expected.
struct SyncMachineProgressTests {
    private func told(_ commands: [SyncCommand]) -> [[Int?]] {
        commands.compactMap { command in
            if case .report(let step) = command, step.phase == .loading { [step.done, step.total] } else { nil }
        }
    }

    @Test func `the total of the first page stays, is never less than what is there, and ends as what came`() {
        var machine = SyncMachine()
        _ = machine.handle(.start)
        _ = machine.handle(.pending([], hasMore: false))
        #expect(told(machine.handle(.prepared(loads: ["A", "B"], isEmpty: false))) == [[0, nil]])
        #expect(told(machine.handle(.page(rows: 5, total: 9, next: "n"))) == [[5, 9]])
        #expect(machine.state == .loading(set: "A", link: "n", rows: 5, total: 9, rest: ["B"]))
        #expect(told(machine.handle(.page(rows: 5, next: "o"))) == [[10, 10]])
        #expect(told(machine.handle(.page(rows: 1, total: 20, next: nil))) == [[11, 11], [0, nil]])
        #expect(machine.state == .loading(set: "B", link: nil, rows: 0, rest: []))
    }

    @Test func `after a wait the rows and the total of before are told again, after 410 neither`() {
        var machine = SyncMachine()
        for event: SyncEvent in [
            .start, .pending([], hasMore: false), .prepared(loads: ["A"], isEmpty: false),
            .page(rows: 5, total: 8, next: "n"),
            .failed(.transient(ClientError(.unreachable, "No connection.", advice: "Wait.")), jitter: 0),
        ] {
            _ = machine.handle(event)
        }
        #expect(told(machine.handle(.waited)) == [[5, 8]])
        let gone = ClientError(.gone, "Gone.", advice: "", status: 410)
        #expect(told(machine.handle(.failed(Fault(gone), jitter: 0))) == [[0, nil]])
    }
}
