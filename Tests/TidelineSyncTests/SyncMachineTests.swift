// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineClient
@testable import TidelineSync
@testable import TidelineStore

/// The table of the machine: a test a row, named by the row's state and event; `script/check machines` looks.
struct SyncMachineTests {
    private let offline = ClientError(.unreachable, "No connection.", advice: "Wait.")

    /// A machine that has taken these events.
    private func machine(_ events: SyncEvent..., retry: RetryPolicy = RetryPolicy()) -> SyncMachine {
        var machine = SyncMachine(retry: retry)
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private func names(_ commands: [SyncCommand]) -> [String] {
        commands.compactMap { command in
            if case .report = command { return nil }
            return "\(command)".split(separator: "(").first.map(String.init)
        }
    }

    private func answered(_ kinds: Verdict.Kind...) -> SyncEvent {
        .answered(kinds.enumerated().map { Verdict(number: Int64($0 + 1), kind: $1) }, wait: nil, jitter: 0)
    }

    @Test func `idle, start: the outbox is read`() {
        var machine = SyncMachine()
        #expect(names(machine.handle(.start)) == ["readPending"])
        #expect(machine.state == .reading)
    }

    @Test func `reading, pending, some: they are sent`() {
        var machine = machine(.start)
        #expect(names(machine.handle(.pending([1, 2], hasMore: false))) == ["send"])
        #expect(machine.state == .sending(count: 2))
    }

    @Test func `reading, pending, none: the pull begins`() {
        var machine = machine(.start)
        #expect(names(machine.handle(.pending([], hasMore: false))) == ["prepare"])
        #expect(machine.state == .preparing)
    }

    @Test func `sending, answered, no conflict: the outcomes are stored`() {
        var machine = machine(.start, .pending([1, 2, 3], hasMore: false))
        #expect(names(machine.handle(answered(.accepted, .refused, .again))) == ["settle"])
        #expect(machine.state == .settling(wait: nil))
    }

    @Test func `sending, answered, conflicts: the rows are fetched`() {
        var machine = machine(.start, .pending([1, 2], hasMore: false))
        #expect(names(machine.handle(answered(.accepted, .conflict))) == ["fetchCurrent"])
        #expect(machine.state == .fetching)
    }

    @Test func `sending, failed, too large, many: half as many are read`() {
        var machine = machine(.start, .pending(Array(1...10), hasMore: false))
        let tooLarge = ClientError(.tooLarge, "Too large.", advice: "", status: 413)
        let commands = machine.handle(.failed(Fault(tooLarge), jitter: 0))
        guard case .readPending(let limit) = commands.first else {
            Issue.record("\(commands)")
            return
        }
        #expect(limit == 5)
    }

    @Test func `sending, failed, too large, else: it goes to the quarantine`() {
        var machine = machine(.start, .pending([1], hasMore: false))
        let tooLarge = ClientError(.tooLarge, "Too large.", advice: "", status: 413)
        #expect(names(machine.handle(.failed(Fault(tooLarge), jitter: 0))) == ["quarantineTooLarge"])
        #expect(machine.state == .settling(wait: nil))
    }

    @Test func `fetching, fetched: the outcomes are stored`() {
        var machine = machine(.start, .pending([1], hasMore: false), answered(.conflict))
        #expect(names(machine.handle(.fetched())) == ["settle"])
    }

    @Test func `sending, answered, a row missing: the outcomes are stored`() {
        var machine = machine(.start, .pending([1, 2], hasMore: false))
        #expect(names(machine.handle(answered(.accepted, .missing))) == ["settle"])
        #expect(machine.state == .settling(wait: nil))
    }

    @Test func `settling, settled, a row missing: the pull begins, though something was merged and more waits`() {
        var machine = machine(.start, .pending([1], hasMore: true), answered(.missing))
        var settled = SettleReport()
        settled.rebased = [2]
        #expect(names(machine.handle(.settled(settled))) == ["prepare"])
    }

    /// So it is where the rows of a merge were asked for, and one is not there.
    @Test func `applying, applied, a row missing: the outbox is read again, once in a sync`() {
        var machine = machine(
            .start,
            .pending([1], hasMore: false),
            answered(.conflict),
            .fetched(isMissing: true),
            .settled(SettleReport()),
            .prepared(loads: [], isEmpty: false),
            .staged
        )
        #expect(names(machine.handle(.applied(ApplyReport()))) == ["readPending"])
        let sent = machine.handle(.pending([2], hasMore: false))
        guard case .send(isTold: true)? = sent.last else {
            Issue.record("\(sent)")
            return
        }
        _ = machine.handle(answered(.conflict))
        _ = machine.handle(.fetched(isMissing: true))
        var settled = SettleReport()
        settled.rebased = [3]
        #expect(names(machine.handle(.settled(settled))) == ["readPending"])
        _ = machine.handle(.pending([], hasMore: false))
        _ = machine.handle(.prepared(loads: [], isEmpty: false))
        _ = machine.handle(.staged)
        #expect(names(machine.handle(.applied(ApplyReport()))) == ["finish"])
    }

    @Test func `applying, applied without a set, a row was missing: what does not wait for that set is sent`() {
        var machine = machine(
            .start,
            .pending([1], hasMore: true),
            answered(.missing),
            .settled(SettleReport()),
            .prepared(loads: [], isEmpty: false),
            .staged
        )
        let commands = machine.handle(.applied(ApplyReport(), failure: .transient(offline)))
        #expect(names(commands) == ["readPending"])
        // What waits for that set is not decided without it, and no second pull comes between.
        guard case .send(isTold: false)? = machine.handle(.pending([2], hasMore: false)).last else {
            Issue.record("It counts as told.")
            return
        }
        _ = machine.handle(answered(.missing))
        #expect(names(machine.handle(.settled(SettleReport()))) == ["prepare"])
        _ = machine.handle(.prepared(loads: [], isEmpty: false))
        _ = machine.handle(.staged)
        #expect(names(machine.handle(.applied(ApplyReport(), failure: .transient(offline)))) == ["wait"])
    }

    @Test func `settling, settled, a row missing, others decided and more wait: those are read first`() {
        var machine = machine(.start, .pending([1, 2], hasMore: true), answered(.accepted, .missing))
        var settled = SettleReport()
        (settled.accepted, settled.rebased) = (1, [9])
        #expect(names(machine.handle(.settled(settled))) == ["readPending"])
    }

    @Test func `preparing, prepared, no subscription, a row was missing: the outbox is read again`() {
        var machine = machine(
            .start,
            .pending([1], hasMore: false),
            answered(.missing),
            .settled(SettleReport())
        )
        #expect(names(machine.handle(.prepared(loads: [], isEmpty: true))) == ["readPending"])
    }

    @Test func `settling, settled, undecided as the service failed of one: it waits`() {
        var machine = machine(.start, .pending([1, 2], hasMore: false), answered(.failed, .unknown))
        #expect(names(machine.handle(.settled(SettleReport()))) == ["wait"])
        #expect(machine.state == .waiting(before: .reading))
    }

    @Test func `settling, settled, one given up before those that were not begun: these are read at once`() {
        var machine = machine(.start, .pending([1, 2], hasMore: false), answered(.refused, .notBegun))
        var settled = SettleReport()
        settled.quarantined = [1]
        #expect(names(machine.handle(.settled(settled))) == ["readPending"])
    }

    @Test func `settling, settled, more wait: the outbox is read again`() {
        var machine = machine(.start, .pending([1], hasMore: true), answered(.accepted))
        #expect(names(machine.handle(.settled(SettleReport()))) == ["readPending"])
    }

    @Test func `settling, settled, some merged: the outbox is read again, though all was sent`() {
        var machine = machine(.start, .pending([1], hasMore: false), answered(.conflict), .fetched())
        var settled = SettleReport()
        settled.rebased = [2]
        #expect(names(machine.handle(.settled(settled))) == ["readPending"])
        #expect(machine.state == .reading)
    }

    @Test func `settling, settled, all that waited: the pull begins, whatever was written since`() {
        var machine = machine(.start, .pending([1], hasMore: false), answered(.accepted))
        var settled = SettleReport()
        settled.accepted = 1
        #expect(names(machine.handle(.settled(settled))) == ["prepare"])
        #expect(machine.report.sent == 1)
    }

    @Test func `settling, settled, some undecided: a wait, then the outbox is read again`() {
        var machine = machine(.start, .pending([1, 2], hasMore: false), answered(.accepted, .unknown))
        #expect(names(machine.handle(.settled(SettleReport()))) == ["wait"])
        #expect(machine.state == .waiting(before: .reading))
        #expect(names(machine.handle(.waited)) == ["readPending"])
    }

    @Test func `settling, undecided until the patience ends: the sync tells what the service says`() {
        var machine = machine(.start)
        let undecided = [Verdict(number: 1, kind: .unknown)]
        for _ in 0..<100 {
            _ = machine.handle(.pending([1], hasMore: false))
            _ = machine.handle(.answered(undecided, wait: .seconds(60), reason: "The tide is out.", jitter: 0))
            if case .fail(let error)? = machine.handle(.settled(SettleReport())).first {
                let told = error as? SyncError
                #expect(told?.message == "The service did not decide every transaction: The tide is out.")
                // Nothing that a person at the device does brings a domain back that has to be published again.
                #expect(told?.advice.contains("tell the administrator of the service") == true)
                return
            }
            _ = machine.handle(.waited)
        }
        Issue.record("The sync never gave up.")
    }

    @Test func `settling, settled, too many merges: the sync gives up`() {
        var machine = machine(.start)
        var rebased = SettleReport()
        rebased.rebased = [9]
        for _ in 0..<SyncMachine.mostRounds {
            _ = machine.handle(.pending([1], hasMore: false))
            _ = machine.handle(answered(.conflict))
            _ = machine.handle(.fetched())
            #expect(names(machine.handle(.settled(rebased))) == ["readPending"])
        }
        _ = machine.handle(.pending([1], hasMore: false))
        _ = machine.handle(answered(.conflict))
        _ = machine.handle(.fetched())
        #expect(names(machine.handle(.settled(rebased))) == ["fail"])
        #expect(machine.state == .failed)
    }

    @Test func `preparing, prepared, no subscription: the sync is complete`() {
        var machine = machine(.start, .pending([], hasMore: false))
        #expect(names(machine.handle(.prepared(loads: [], isEmpty: true))) == ["finish"])
        #expect(machine.state == .finished)
    }

    @Test func `preparing, prepared, sets to load: the first begins`() {
        var machine = machine(.start, .pending([], hasMore: false))
        #expect(names(machine.handle(.prepared(loads: ["A", "B"], isEmpty: false))) == ["loadPage"])
        #expect(machine.state == .loading(set: "A", link: nil, rows: 0, rest: ["B"]))
    }

    @Test func `preparing, prepared, none to load: the changes are read`() {
        var machine = machine(.start, .pending([], hasMore: false))
        #expect(names(machine.handle(.prepared(loads: [], isEmpty: false))) == ["fetchDeltas"])
        #expect(machine.state == .receiving)
    }

    @Test func `loading, page, next link: the next page`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
        #expect(names(machine.handle(.page(rows: 5, next: "n"))) == ["loadPage"])
        #expect(machine.state == .loading(set: "A", link: "n", rows: 5, rest: ["B"]))
    }

    @Test func `loading, page, last, more sets: the next set`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
        #expect(names(machine.handle(.page(rows: 5, next: nil))) == ["loadPage"])
        #expect(machine.state == .loading(set: "B", link: nil, rows: 0, rest: []))
    }

    @Test func `loading, page, last of all: the changes are read`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A"], isEmpty: false))
        #expect(names(machine.handle(.page(rows: 5, next: nil))) == ["fetchDeltas"])
    }

    @Test func `loading, failed, gone: the set begins again`() {
        var machine = machine(
            .start,
            .pending([], hasMore: false),
            .prepared(loads: ["A"], isEmpty: false),
            .page(rows: 5, next: "n")
        )
        let gone = ClientError(.gone, "Gone.", advice: "", status: 410)
        #expect(names(machine.handle(.failed(Fault(gone), jitter: 0))) == ["loadPage"])
        #expect(machine.state == .loading(set: "A", link: nil, rows: 0, rest: []))
    }

    private let broken = ClientError(.serverFailure, "A: The server failed.", advice: "", status: 500)

    @Test func `loading, cannot be read, more: the next set`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
        #expect(names(machine.handle(.failed(.transient(broken), jitter: 1))) == ["loadPage"])
        #expect(machine.state == .loading(set: "B", link: nil, rows: 0, rest: []))
    }

    @Test func `loading, cannot be read, the last: the changes of the others are read`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A"], isEmpty: false))
        #expect(names(machine.handle(.failed(.transient(broken), jitter: 1))) == ["fetchDeltas"])
        #expect(machine.state == .receiving)
    }

    @Test func `a set that is not what it was is waited for by nobody, and takes no reload away from others`() {
        let unfit = Fault.unfit(SyncError(.setChanged, "The key of A is another.", advice: ""))
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
        #expect(names(machine.handle(.failed(unfit, jitter: 1))) == ["loadPage"])
        #expect(machine.state == .loading(set: "B", link: nil, rows: 0, rest: []))
        _ = machine.handle(.page(rows: 1, next: nil))
        for _ in 1...SyncMachine.mostRounds {
            #expect(names(machine.handle(.expired(["C"]))) == ["forget"])
            _ = machine.handle(.forgotten)
            #expect(names(machine.handle(.prepared(loads: ["A"], isEmpty: false))) == ["loadPage"])
            #expect(names(machine.handle(.failed(unfit, jitter: 1))) == ["fetchDeltas"])
        }
        _ = machine.handle(.staged)
        // What came is there, and the sync ends at once with what did not.
        let last = machine.handle(.applied(ApplyReport(stored: 1), failure: nil, jitter: 1))
        #expect(names(last) == ["fail"])
        for case .fail(let error) in last { #expect((error as? SyncError)?.code == .setChanged) }
        #expect(machine.report.received == 1)
    }

    /// What a machine does whose second page of a load fails until it has waited as long as it will.
    private func impatient(_ error: ClientError) -> (last: [String], state: SyncState, waits: Int) {
        var machine = machine(
            .start,
            .pending([], hasMore: false),
            .prepared(loads: ["A", "B"], isEmpty: false),
            .page(rows: 5, next: "n")
        )
        for waits in 0..<20 {
            let last = names(machine.handle(.failed(.transient(error), jitter: 1)))
            guard last == ["wait"] else { return (last, machine.state, waits) }
            _ = machine.handle(.waited)
        }
        return ([], machine.state, 20)
    }

    @Test func `a load that has begun is gone on with as long as the sync is patient, then the others come`() {
        // Half a second, 1, 2, 4 and 8 seconds: the next would be beyond 20.
        let (last, state, waits) = impatient(broken)
        #expect(last == ["loadPage"] && waits == 5)
        #expect(state == .loading(set: "B", link: nil, rows: 0, rest: []))
    }

    @Test func `a load that nobody answers ends the sync`() {
        let (last, state, waits) = impatient(offline)
        #expect(last == ["fail"] && waits == 5)
        #expect(state == .failed)
    }

    @Test func `what a sync lacks is asked for again after what came is applied, and named in the end`() throws {
        var machine = machine(.start, .pending([], hasMore: false))
        var applied = ApplyReport()
        applied.stored = 7
        // B has no links, and comes whole each time.
        for round in 0..<20 {
            _ = machine.handle(.prepared(loads: ["A", "B"], isEmpty: false))
            _ = machine.handle(.failed(.transient(broken), jitter: 1))
            _ = machine.handle(.page(rows: 7, next: nil))
            #expect(machine.state == .receiving)
            _ = machine.handle(.staged)
            let commands = machine.handle(.applied(applied, jitter: 1))
            applied.stored = 0
            if names(commands) == ["fail"] {
                guard case .fail(let error) = try #require(commands.last) else { return }
                #expect("\(error)" == "A: The server failed.")
                #expect(round == 5)
                #expect(machine.report == SyncReport(received: 7))
                return
            }
            #expect(names(commands) == ["wait"])
            #expect(names(machine.handle(.waited)) == ["prepare"])
        }
        Issue.record("It goes on for ever.")
    }

    @Test func `a service that is away or busy is waited for before the other sets are asked for`() {
        for status in [502, 503, 504] {
            var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
            let error = ClientError(.busy, "Later.", advice: "", status: status)
            #expect(names(machine.handle(.failed(.transient(error), jitter: 1))) == ["wait"])
            #expect(names(machine.handle(.waited)) == ["loadPage"])
            #expect(machine.state == .loading(set: "A", link: nil, rows: 0, rest: ["B"]))
        }
    }

    @Test func `a set whose pages cannot be understood is begun anew, then left out`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
        let error = ClientError(.unreadableAnswer, "A: No JSON.", advice: "", status: nil)
        for _ in 0..<SyncMachine.mostRounds {
            #expect(names(machine.handle(.failed(.gone(error), jitter: 1))) == ["loadPage"])
            #expect(machine.state == .loading(set: "A", link: nil, rows: 0, rest: ["B"]))
        }
        #expect(names(machine.handle(.failed(.gone(error), jitter: 1))) == ["loadPage"])
        #expect(machine.state == .loading(set: "B", link: nil, rows: 0, rest: []))
    }

    @Test func `a set that can be loaded after all is not lacking`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: ["A", "B"], isEmpty: false))
        _ = machine.handle(.failed(.transient(broken), jitter: 1))
        _ = machine.handle(.page(rows: 7, next: nil))
        _ = machine.handle(.expired(["B"]))
        _ = machine.handle(.forgotten)
        _ = machine.handle(.prepared(loads: ["A", "B"], isEmpty: false))
        for _ in 0..<2 { _ = machine.handle(.page(rows: 1, next: nil)) }
        _ = machine.handle(.staged)
        #expect(names(machine.handle(.applied(ApplyReport()))) == ["finish"])
    }

    @Test func `a load that never succeeds ends with why, which is not always a link that is taken back`() {
        func end(_ error: ClientError) -> String? {
            var machine = machine(
                .start,
                .pending([], hasMore: false),
                .prepared(loads: ["A"], isEmpty: false)
            )
            for _ in 0..<20 {
                for case .fail(let error) in machine.handle(.failed(.gone(error), jitter: 0)) { return "\(error)" }
            }
            return nil
        }
        let unreadable = ClientError(.unreadableAnswer, "The value of B is no Edm.Date.", advice: "")
        #expect(end(unreadable) == "The value of B is no Edm.Date.")
        let gone = ClientError(.gone, "Gone.", advice: "", status: 410)
        #expect(end(gone)?.hasPrefix("The service takes its delta links back at once.") == true)
    }

    @Test func `receiving, staged: the checkpoint is applied`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: [], isEmpty: false))
        #expect(names(machine.handle(.staged)) == ["apply"])
        #expect(machine.state == .applying)
    }

    @Test func `receiving, expired: the links are forgotten`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: [], isEmpty: false))
        #expect(names(machine.handle(.expired(["A"]))) == ["forget"])
        #expect(machine.state == .forgetting)
    }

    @Test func `forgetting, forgotten: the sets are looked at again`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: [], isEmpty: false))
        _ = machine.handle(.expired(["A"]))
        #expect(names(machine.handle(.forgotten)) == ["prepare"])
        #expect(machine.state == .preparing)
    }

    @Test func `receiving, expired each time: the sync gives up`() {
        var machine = machine(.start, .pending([], hasMore: false))
        for _ in 0..<SyncMachine.mostRounds {
            _ = machine.handle(.prepared(loads: [], isEmpty: false))
            _ = machine.handle(.expired(["A"]))
            _ = machine.handle(.forgotten)
        }
        _ = machine.handle(.prepared(loads: [], isEmpty: false))
        #expect(names(machine.handle(.expired(["A"]))) == ["fail"])
    }

    @Test func `applying, applied: the sync is complete and says what it did`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: [], isEmpty: false), .staged)
        var applied = ApplyReport()
        applied.stored = 7
        applied.removed = 2
        applied.conflicts = [1]
        #expect(names(machine.handle(.applied(applied))) == ["finish"])
        #expect(machine.report == SyncReport(received: 7, conflicts: 1, removed: 2))
    }

    @Test func `applying, applied, without a set: what was applied counts, and the rest is asked for again`() {
        var machine = machine(.start, .pending([], hasMore: false), .prepared(loads: [], isEmpty: false), .staged)
        var applied = ApplyReport()
        applied.stored = 7
        _ = machine.handle(.applied(applied, failure: .transient(offline)))
        #expect(machine.state == .waiting(before: .preparing))
        #expect(names(machine.handle(.waited)) == ["prepare"])
        _ = machine.handle(.prepared(loads: [], isEmpty: false))
        _ = machine.handle(.staged)
        #expect(names(machine.handle(.applied(ApplyReport(), failure: .fatal(offline)))) == ["fail"])
        #expect(machine.report == SyncReport(received: 7))
    }

    @Test func `applying, applied, without a set again and again: the waits grow, and patience ends`() {
        var machine = machine(.start, .pending([], hasMore: false))
        var waits: [Duration] = []
        for _ in 0..<20 {
            _ = machine.handle(.prepared(loads: [], isEmpty: false))
            _ = machine.handle(.staged)
            for command in machine.handle(.applied(ApplyReport(), failure: .transient(offline), jitter: 0)) {
                if case .wait(let wait) = command { waits.append(wait) }
            }
            guard machine.state != .failed else { break }
            _ = machine.handle(.waited)
        }
        #expect(machine.state == .failed)
        #expect(waits.count > 1 && waits.count < 12 && zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `waiting, waited: the command of the state before is given again`() {
        var machine = machine(.start, .pending([], hasMore: false), .failed(.transient(offline), jitter: 0))
        #expect(machine.state == .waiting(before: .preparing))
        #expect(names(machine.handle(.waited)) == ["prepare"])
        #expect(machine.state == .preparing)
    }

    @Test func `any, failed, transient: a wait, then the same again`() {
        var machine = machine(
            .start,
            .pending([], hasMore: false),
            .prepared(loads: ["A"], isEmpty: false),
            .page(rows: 5, total: 8, next: "n")
        )
        #expect(names(machine.handle(.failed(.transient(offline), jitter: 0.5))) == ["wait"])
        #expect(names(machine.handle(.waited)) == ["loadPage"])
        #expect(machine.state == .loading(set: "A", link: "n", rows: 5, total: 8, rest: []))
    }

    @Test func `a batch without an answer is read again from the outbox, as it was frozen`() {
        var machine = machine(.start, .pending([1], hasMore: false), .failed(.transient(offline), jitter: 0))
        #expect(machine.state == .waiting(before: .reading))
        #expect(names(machine.handle(.waited)) == ["readPending"])
    }

    @Test func `waits grow with the failures, and patience ends`() {
        var machine = machine(
            .start,
            retry: RetryPolicy(base: .seconds(2), longest: .seconds(30), patience: .seconds(20))
        )
        var waits: [Duration] = []
        while waits.count < 20 {
            let commands = machine.handle(.failed(.transient(offline), jitter: 1))
            guard case .wait(let wait)? = commands.last else {
                #expect(names(commands) == ["fail"])
                break
            }
            waits.append(wait)
            _ = machine.handle(.waited)
        }
        #expect(waits == [.seconds(2), .seconds(4), .seconds(8)])
    }

    @Test func `the service's own wait counts when it is longer`() {
        var machine = machine(.start)
        let busy = ClientError(.busy, "Busy.", advice: "", status: 503, retryAfter: .seconds(9))
        let commands = machine.handle(.failed(.transient(busy), jitter: 0))
        guard case .wait(let wait)? = commands.last else {
            Issue.record("\(commands)")
            return
        }
        #expect(wait == .seconds(9))
    }

    @Test func `any, failed, overtaken: the pull begins again, and not for ever`() {
        var machine = machine(
            .start,
            .pending([], hasMore: false),
            .prepared(loads: ["A"], isEmpty: false),
            .page(rows: 5, total: 8, next: "n")
        )
        for _ in 0..<SyncMachine.mostRounds {
            #expect(names(machine.handle(.failed(.overtaken, jitter: 0))) == ["prepare"])
            #expect(machine.state == .preparing)
            _ = machine.handle(.prepared(loads: [], isEmpty: false))
            #expect(machine.state == .receiving)
        }
        let commands = machine.handle(.failed(.overtaken, jitter: 0))
        guard case .fail(let error)? = commands.last else {
            Issue.record("\(commands)")
            return
        }
        #expect((error as? LocalStoreError)?.code == .busy)
        #expect(machine.state == .failed)
    }

    @Test func `sending, failed, overtaken: the outbox is read again, and not for ever`() {
        var machine = machine(.start)
        for _ in 0..<SyncMachine.mostRounds {
            _ = machine.handle(.pending([1, 2], hasMore: false))
            #expect(machine.state == .sending(count: 2))
            #expect(names(machine.handle(.failed(.overtaken, jitter: 0))) == ["readPending"])
            #expect(machine.state == .reading)
        }
        _ = machine.handle(.pending([1, 2], hasMore: false))
        let commands = machine.handle(.failed(.overtaken, jitter: 0))
        guard case .fail(let error)? = commands.last else {
            Issue.record("\(commands)")
            return
        }
        #expect((error as? LocalStoreError)?.code == .busy)
        #expect(machine.state == .failed)
    }

    @Test func `two that send in turns both go on, however often one comes between the other's batches`() {
        var machine = machine(.start)
        var decided = SettleReport()
        decided.accepted = 1
        for _ in 0..<2 * SyncMachine.mostRounds {
            _ = machine.handle(.pending([1, 2], hasMore: true))
            #expect(names(machine.handle(.failed(.overtaken, jitter: 0))) == ["readPending"])
            _ = machine.handle(.pending([1, 2], hasMore: true))
            _ = machine.handle(
                .answered([Verdict(number: 1, kind: .accepted)], wait: nil, reason: nil, jitter: 0)
            )
            _ = machine.handle(.settled(decided))
            #expect(machine.state == .reading)
        }
    }

    @Test func `any, failed, else: the sync ends with its cause`() {
        var machine = machine(.start, .pending([1], hasMore: false))
        let refused = ClientError(.signInRequired, "Who are you?", advice: "Sign in.", status: 401)
        let commands = machine.handle(.failed(Fault(refused), jitter: 0))
        guard case .fail(let error)? = commands.last else {
            Issue.record("\(commands)")
            return
        }
        #expect(error as? ClientError == refused)
        #expect(machine.state == .failed)
    }
}
