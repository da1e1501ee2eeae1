// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineStore

/// When the next sync is due, as a pure function: a state and an event give the next state and the commands.
///
/// No clock and no random: the shell waits, syncs, and hands back what happened.
///
///     | state    | event                      | next state | command            |
///     |----------|----------------------------|------------|--------------------|
///     | off      | start                      | syncing    | sync               |
///     | off      | any other                  | off        |                    |
///     | idle     | changed                    | settling   | wait (quiet)       |
///     | idle     | signalled                  | syncing    | endWait, sync      |
///     | idle     | elapsed                    | syncing    | sync               |
///     | settling | changed, up to ten times   | settling   | wait (quiet)       |
///     | settling | changed, more often        | settling   |                    |
///     | settling | signalled                  | settling   |                    |
///     | settling | elapsed                    | syncing    | sync               |
///     | syncing  | changed                    | syncing    |                    |
///     | syncing  | signalled                  | syncing    | (one more wanted)  |
///     | resting  | changed                    | settling   | wait (quiet)       |
///     | resting  | signalled                  | resting    | (one more wanted)  |
///     | resting  | elapsed, wanted            | syncing    | sync               |
///     | resting  | elapsed, not wanted        | idle       | wait (interval)    |
///     | retrying | signalled, was offline     | settling   | wait (quiet)       |
///     | retrying | signalled, else            | retrying   |                    |
///     | retrying | changed                    | retrying   |                    |
///     | retrying | elapsed                    | syncing    | sync               |
///     | stopped  | changed, signalled         | stopped    |                    |
///     | stopped  | elapsed                    | syncing    | sync               |
///     | stopped  | start                      | syncing    | endWait, sync      |
///     | any      | ended, more waits          | settling   | wait (quiet)       |
///     | any      | ended, none waits          | resting    | wait (quiet)       |
///     | any      | failed, passes             | retrying   | wait (ever longer) |
///     | any      | failed, for a person       | stopped    | wait (longest)     |
///     | any      | failed, never retried      | stopped    | endWait            |
///     | others   | start                      | the same   |                    |
///
/// A sync that somebody else asked for counts as one of the schedule. Between two syncs a wait always comes to its end, so
/// that nothing that happens again and again makes it spin; and it never gives up on what passes.
struct ScheduleMachine {
    /// How often a further change begins the wait for quiet again.
    static let mostExtensions = 10

    private(set) var state = ScheduleState.off
    private let schedule: SyncSchedule
    private let retry: RetryPolicy
    /// The failures in a row.
    private var failures = 0

    init(_ schedule: SyncSchedule) {
        self.schedule = schedule
        retry = RetryPolicy(base: schedule.firstRetry, longest: schedule.longestRetry)
    }

    /// Takes one event.
    mutating func handle(_ event: ScheduleEvent) -> [ScheduleCommand] {
        switch event {
        case .start: return started()
        case _ where state == .off: return []
        case .changed: return changed()
        case .signalled: return signalled()
        case .elapsed: return elapsed()
        case .ended(let hasMore, let isAnswered): return ended(hasMore: hasMore, isAnswered: isAnswered)
        case .failed(let kind, let isRetried, let asked, let jitter):
            return failed(kind, isRetried: isRetried, asked: asked, jitter: jitter)
        }
    }

    private mutating func started() -> [ScheduleCommand] {
        switch state {
        case .off: return sync()
        case .stopped: return [.endWait] + sync()
        case .idle, .settling, .syncing, .resting, .retrying: return []
        }
    }

    private mutating func changed() -> [ScheduleCommand] {
        switch state {
        case .idle, .resting: return settle()
        case .settling(let extended) where extended < Self.mostExtensions: return settle(extended: extended + 1)
        // The end of a sync tells whether more waits; the next attempt takes it along.
        case .off, .settling, .syncing, .retrying, .stopped: return []
        }
    }

    private mutating func signalled() -> [ScheduleCommand] {
        switch state {
        case .idle: return [.endWait] + sync()
        case .syncing: state = .syncing(isWanted: true)
        case .resting: state = .resting(isWanted: true)
        // Not at once: the sign may come again and again while every sync fails.
        case .retrying(.offline): return settle()
        // The sync that is due takes it along.
        case .off, .settling, .retrying, .stopped: break
        }
        return []
    }

    private mutating func elapsed() -> [ScheduleCommand] {
        switch state {
        case .idle, .settling, .retrying, .stopped, .resting(isWanted: true): return sync()
        case .resting(isWanted: false):
            state = .idle
            return schedule.interval.map { [.wait($0)] } ?? []
        case .off, .syncing: return []
        }
    }

    private mutating func ended(hasMore: Bool, isAnswered: Bool) -> [ScheduleCommand] {
        failures = 0
        if hasMore { return settle() }
        state = .resting(isWanted: state == .syncing(isWanted: true) && !isAnswered)
        return [.wait(schedule.quiet)]
    }

    private mutating func failed(
        _ kind: SyncFailure.Kind,
        isRetried: Bool,
        asked: Duration?,
        jitter: Double
    ) -> [ScheduleCommand] {
        failures += 1
        guard kind == .needsPerson || !isRetried else {
            state = .retrying(kind)
            return [.wait(retry.pause(failures: failures, jitter: jitter, asked: asked))]
        }
        state = .stopped
        return [isRetried ? .wait(max(schedule.longestRetry, asked ?? .zero)) : .endWait]
    }

    private mutating func settle(extended: Int = 0) -> [ScheduleCommand] {
        state = .settling(extended: extended)
        return [.wait(schedule.quiet)]
    }

    private mutating func sync() -> [ScheduleCommand] {
        state = .syncing(isWanted: false)
        return [.sync]
    }
}
