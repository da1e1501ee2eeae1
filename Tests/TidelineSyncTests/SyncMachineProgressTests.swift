// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
import TidelineTestSupport
@testable import TidelineStore
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

    @Test func `who refuses a link has answered, though the attempt before did not reach it`() {
        var machine = SyncMachine()
        for event: SyncEvent in [
            .start, .pending([], hasMore: false), .prepared(loads: ["A"], isEmpty: false),
            .failed(.transient(ClientError(.unreachable, "No connection.", advice: "Wait.")), jitter: 0), .waited,
        ] {
            _ = machine.handle(event)
        }
        let gone = ClientError(.gone, "Gone.", advice: "", status: 410)
        #expect(troubles(machine.handle(.failed(Fault(gone), jitter: 0))) == ["loading - true"])
    }

    /// Of each step its phase, what the last attempt failed of, and whether the service has answered.
    private func troubles(_ commands: [SyncCommand]) -> [String] {
        commands.compactMap { command in
            guard case .report(let step) = command else { return nil }
            return "\(step.phase.rawValue) \(step.failure?.code ?? "-") \(step.hasAnswer)"
        }
    }

    @Test(.covers("SB-W17"))
    func `each step says what the last attempt failed of, until the service answers`() {
        let offline = ClientError(.unreachable, "No connection.", advice: "Wait.")
        var machine = SyncMachine()
        _ = machine.handle(.start)
        #expect(troubles(machine.handle(.pending([1], hasMore: false))) == ["sending - false"])
        let failed = SyncEvent.failed(.transient(offline), jitter: 0)
        #expect(troubles(machine.handle(failed)) == ["waiting unreachable false"])
        _ = machine.handle(.waited)
        #expect(troubles(machine.handle(.pending([1], hasMore: false))) == ["sending unreachable false"])
        _ = machine.handle(.answered([Verdict(number: 1, kind: .accepted)], wait: nil, jitter: 0))
        _ = machine.handle(.settled(SettleReport()))
        #expect(troubles(machine.handle(.prepared(loads: [], isEmpty: false))) == ["receiving - true"])
        #expect(troubles(machine.handle(failed)) == ["waiting unreachable false"])
    }

    @Test func `an answer that decides nothing is one, and says what it lacks`() {
        var machine = SyncMachine()
        _ = machine.handle(.start)
        _ = machine.handle(.pending([1], hasMore: false))
        _ = machine.handle(.answered([Verdict(number: 1, kind: .unknown)], wait: nil, jitter: 0))
        #expect(troubles(machine.handle(.settled(SettleReport()))) == ["waiting unexpectedAnswer true"])
    }
}
