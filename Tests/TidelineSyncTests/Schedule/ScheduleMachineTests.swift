// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineStore
import TidelineTestSupport

@testable import TidelineSync

/// The table of the schedule, a test a row.
struct ScheduleMachineTests {
    private let schedule = SyncSchedule(
        quiet: .milliseconds(300),
        interval: .seconds(60),
        firstRetry: .seconds(2),
        longestRetry: .seconds(100)
    )
    private let quiet = ScheduleCommand.wait(.milliseconds(300))

    /// A machine that has taken these events.
    private func machine(_ events: ScheduleEvent...) -> ScheduleMachine {
        var machine = ScheduleMachine(schedule)
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private func failed(
        _ kind: SyncFailure.Kind,
        isRetried: Bool = true,
        asked: Duration? = nil,
        jitter: Double = 1
    ) -> ScheduleEvent {
        .failed(kind, isRetried: isRetried, asked: asked, jitter: jitter)
    }

    /// One event of each kind.
    private var all: [ScheduleEvent] {
        [
            .start, .changed, .signalled, .elapsed, .ended(hasMore: true), .ended(hasMore: false),
            .ended(hasMore: false, isAnswered: true), failed(.offline),
        ]
    }

    private var idle: ScheduleMachine { machine(.start, .ended(hasMore: false), .elapsed) }

    // MARK: off

    @Test func `off, start: a sync`() {
        var machine = machine()
        #expect(machine.handle(.start) == [.sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `off, any other: nothing`() {
        for event in all.dropFirst() {
            var machine = machine()
            #expect(machine.handle(event) == [])
            #expect(machine.state == .off)
        }
    }

    // MARK: idle

    @Test func `idle, changed: a wait for quiet`() {
        var machine = idle
        #expect(machine.handle(.changed) == [quiet])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `idle, signalled: a sync at once`() {
        var machine = idle
        #expect(machine.handle(.signalled) == [.endWait, .sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `idle, elapsed: a sync`() {
        var machine = idle
        #expect(machine.handle(.elapsed) == [.sync])
    }

    // MARK: settling

    @Test func `settling, changed, up to ten times: the wait begins again`() {
        var machine = idle
        _ = machine.handle(.changed)
        for time in 1...10 {
            #expect(machine.handle(.changed) == [quiet])
            #expect(machine.state == .settling(extended: time))
        }
    }

    @Test func `settling, changed, more often: the wait comes to its end`() {
        var machine = idle
        for _ in 0...10 { _ = machine.handle(.changed) }
        #expect(machine.handle(.changed) == [])
        #expect(machine.state == .settling(extended: 10))
    }

    @Test func `settling, signalled: the sync that is due takes it along`() {
        var machine = idle
        _ = machine.handle(.changed)
        #expect(machine.handle(.signalled) == [])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `settling, elapsed: a sync`() {
        var machine = idle
        _ = machine.handle(.changed)
        #expect(machine.handle(.elapsed) == [.sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    // MARK: syncing

    @Test func `syncing, changed: the end will tell`() {
        var machine = machine(.start)
        #expect(machine.handle(.changed) == [])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `syncing, signalled: one more after a rest`() {
        var machine = machine(.start)
        #expect(machine.handle(.signalled) == [])
        #expect(machine.state == .syncing(isWanted: true))
        #expect(machine.handle(.ended(hasMore: false)) == [quiet])
        #expect(machine.state == .resting(isWanted: true))
        #expect(machine.handle(.elapsed) == [.sync])
    }

    @Test func `syncing, signalled, ended with all of it read: a rest and no more`() {
        var machine = machine(.start, .signalled)
        #expect(machine.handle(.ended(hasMore: false, isAnswered: true)) == [quiet])
        #expect(machine.state == .resting(isWanted: false))
        #expect(machine.handle(.elapsed) == [.wait(.seconds(60))])
        machine = self.machine(.start, .signalled)
        #expect(machine.handle(.ended(hasMore: true, isAnswered: true)) == [quiet])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `syncing, elapsed of a wait that is over: nothing`() {
        var machine = machine(.start)
        #expect(machine.handle(.elapsed) == [])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `any, ended, more waits: a sync after quiet`() {
        var machine = machine(.start)
        #expect(machine.handle(.ended(hasMore: true)) == [quiet])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `any, ended, none waits: a rest`() {
        var machine = machine(.start)
        #expect(machine.handle(.ended(hasMore: false)) == [quiet])
        #expect(machine.state == .resting(isWanted: false))
    }

    // MARK: resting

    @Test func `resting, changed: a wait for quiet`() {
        var machine = machine(.start, .ended(hasMore: false))
        #expect(machine.handle(.changed) == [quiet])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `resting, signalled: one more when it is over`() {
        var machine = machine(.start, .ended(hasMore: false))
        #expect(machine.handle(.signalled) == [])
        #expect(machine.state == .resting(isWanted: true))
    }

    @Test func `resting, elapsed, wanted: a sync`() {
        var machine = machine(.start, .ended(hasMore: false), .signalled)
        #expect(machine.handle(.elapsed) == [.sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `resting, elapsed, not wanted: the interval begins`() {
        var machine = machine(.start, .ended(hasMore: false))
        #expect(machine.handle(.elapsed) == [.wait(.seconds(60))])
        #expect(machine.state == .idle)
    }

    @Test func `resting, elapsed, without an interval: nothing more is waited for`() {
        var machine = ScheduleMachine(SyncSchedule(interval: nil))
        _ = machine.handle(.start)
        _ = machine.handle(.ended(hasMore: false))
        #expect(machine.handle(.elapsed) == [])
        #expect(machine.state == .idle)
    }

    // MARK: retrying

    @Test func `any, failed, passes: longer waits, with chance, up to the longest, and never the end`() {
        var machine = machine(.start)
        var waits: [ScheduleCommand] = []
        for _ in 1...8 {
            waits += machine.handle(failed(.offline))
            #expect(machine.state == .retrying(.offline))
            #expect(machine.handle(.elapsed) == [.sync])
        }
        #expect(waits == [2, 4, 8, 16, 32, 64, 100, 100].map { .wait(.seconds($0)) })
        #expect(machine.handle(failed(.passing, jitter: 0)) == [.wait(.seconds(50))])
        #expect(machine.state == .retrying(.passing))
    }

    @Test func `any, failed, the service asks for patience: it gets it`() {
        var machine = machine(.start)
        #expect(machine.handle(failed(.passing, asked: .seconds(500))) == [.wait(.seconds(500))])
    }

    @Test func `the first success begins the waits anew`() {
        var machine = machine(.start, failed(.offline), .elapsed, failed(.offline), .elapsed)
        _ = machine.handle(.ended(hasMore: false))
        _ = machine.handle(.elapsed)
        #expect(machine.handle(failed(.offline)) == [.wait(.seconds(2))])
    }

    @Test func `retrying, signalled, was offline: a sync, but not at once`() {
        var machine = machine(.start, failed(.offline))
        #expect(machine.handle(.signalled) == [quiet])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `retrying, signalled, else: the wait goes on`() {
        var machine = machine(.start, failed(.passing))
        #expect(machine.handle(.signalled) == [])
        #expect(machine.state == .retrying(.passing))
    }

    @Test func `retrying, changed: the change goes along with the next attempt`() {
        var machine = machine(.start, failed(.offline))
        #expect(machine.handle(.changed) == [])
        #expect(machine.state == .retrying(.offline))
    }

    @Test func `retrying, elapsed: the next attempt`() {
        var machine = machine(.start, failed(.passing))
        #expect(machine.handle(.elapsed) == [.sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `retrying, ended: somebody else's sync counts`() {
        var machine = machine(.start, failed(.offline))
        #expect(machine.handle(.ended(hasMore: false)) == [quiet])
        #expect(machine.state == .resting(isWanted: false))
    }

    // MARK: stopped

    @Test func `any, failed, for a person: rarely tried again`() {
        var machine = machine(.start)
        #expect(machine.handle(failed(.needsPerson)) == [.wait(.seconds(100))])
        #expect(machine.state == .stopped)
    }

    @Test func `stopped, elapsed: a sync`() {
        var machine = machine(.start, failed(.needsPerson))
        #expect(machine.handle(.elapsed) == [.sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `any, failed, never retried: nothing but a start helps`() {
        var machine = machine(.start)
        #expect(machine.handle(failed(.needsPerson, isRetried: false)) == [.endWait])
        #expect(machine.state == .stopped)
    }

    @Test func `stopped, changed, signalled: nothing`() {
        var machine = machine(.start, failed(.needsPerson, isRetried: false))
        #expect(machine.handle(.changed) == [])
        #expect(machine.handle(.signalled) == [])
        #expect(machine.state == .stopped)
    }

    @Test func `stopped, start: a sync`() {
        var machine = machine(.start, failed(.needsPerson, isRetried: false))
        #expect(machine.handle(.start) == [.endWait, .sync])
        #expect(machine.state == .syncing(isWanted: false))
    }

    @Test func `stopped, ended: somebody signed in and synced`() {
        var machine = machine(.start, failed(.needsPerson, isRetried: false))
        #expect(machine.handle(.ended(hasMore: true)) == [quiet])
        #expect(machine.state == .settling(extended: 0))
    }

    @Test func `others, start: the same`() {
        let others = [
            idle, machine(.start), machine(.start, .ended(hasMore: true)), machine(.start, .ended(hasMore: false)),
            machine(.start, failed(.offline)),
        ]
        for known in others {
            var machine = known
            #expect(machine.handle(.start) == [])
            #expect(machine.state == known.state)
        }
    }

    // MARK: All of it

    @Test func `whatever comes, one sync runs at a time, and a wait ends before the next`() {
        for seed in Seeds.chosen(or: 0..<2_000) {
            let chance = Chance(seed)
            var machine = machine(.start)
            var isSyncing = true
            var isRested = false
            for _ in 0..<60 {
                let event: ScheduleEvent
                switch chance.below(8) {
                case 0: event = .changed
                case 1: event = .signalled
                case 2: event = .start
                case 3 where !isSyncing: event = .elapsed
                case 4 where isSyncing: event = .ended(hasMore: chance.below(2) == 0, isAnswered: chance.below(2) == 0)
                case 5 where isSyncing: event = failed(.offline)
                case 6 where isSyncing: event = failed(.passing)
                case 7 where isSyncing: event = failed(.needsPerson, isRetried: chance.below(2) == 0)
                default: continue
                }
                switch event {
                case .ended, .failed: isSyncing = false
                // A person may ask for a sync at any time.
                case .elapsed: isRested = true
                case .start where machine.state == .stopped: isRested = true
                default: break
                }
                for command in machine.handle(event) {
                    if case .wait(let duration) = command { #expect(duration > .zero, "seed \(seed)") }
                    guard command == .sync else { continue }
                    #expect(!isSyncing && isRested, "seed \(seed)")
                    isSyncing = true
                    isRested = false
                }
            }
        }
    }
}
