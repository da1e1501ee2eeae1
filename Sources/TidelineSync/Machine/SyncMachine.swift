// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineStore

/// The course of one sync as a pure function: a state and an event give the next state and the commands.
///
/// No clock, no network, no SQL: the engine carries the commands out and hands back what happened.
///
///     | state      | event                     | next state | command                                    |
///     |------------|---------------------------|------------|--------------------------------------------|
///     | idle       | start                     | reading    | readPending                                |
///     | reading    | pending, some             | sending    | send                                       |
///     | reading    | pending, none             | preparing  | prepare                                    |
///     | sending    | answered, no conflict     | settling   | settle                                     |
///     | sending    | answered, conflicts       | fetching   | fetchCurrent                               |
///     | sending    | answered, a row missing   | settling   | settle; conflicts wait for the pull        |
///     | sending    | failed, too large, many   | reading    | readPending with half the limit            |
///     | sending    | failed, too large, else   | settling   | quarantineTooLarge                         |
///     | fetching   | fetched                   | settling   | settle                                     |
///     | settling   | settled, all that waited  | preparing  | prepare                                    |
///     | settling   | settled, more wait        | reading    | readPending                                |
///     | settling   | settled, some merged      | reading    | readPending                                |
///     | settling   | settled, some undecided   | waiting    | wait, then reading                         |
///     | settling   | settled, a row missing    | preparing  | prepare, once the others are sent          |
///     | settling   | settled, too many merges  | failed     | fail (keepsChanging)                       |
///     | preparing  | prepared, no subscription | finished   | finish, or read on where a row was missing |
///     | preparing  | prepared, sets to load    | loading    | loadPage of the first set                  |
///     | preparing  | prepared, none to load    | receiving  | fetchDeltas                                |
///     | loading    | page, next link           | loading    | loadPage of that link                      |
///     | loading    | page, last, more sets     | loading    | loadPage of the next set                   |
///     | loading    | page, last of all         | receiving  | fetchDeltas                                |
///     | loading    | failed, gone              | loading    | loadPage of the same set from its start    |
///     | loading    | cannot be read, more      | loading    | loadPage of the next set                   |
///     | loading    | cannot be read, the last  | receiving  | fetchDeltas                                |
///     | receiving  | staged                    | applying   | apply                                      |
///     | receiving  | expired                   | forgetting | forget                                     |
///     | forgetting | forgotten                 | preparing  | prepare                                    |
///     | applying   | applied                   | finished   | finish                                     |
///     | applying   | applied, a row missing    | reading    | readPending                                |
///     | applying   | applied, without a set    | waiting    | wait, then preparing, or fail              |
///     | waiting    | waited                    | before     | the command of that state again            |
///     | any        | failed, transient         | waiting    | wait, or fail when patience is over        |
///     | sending    | failed, overtaken         | reading    | readPending, or fail after too many        |
///     | any        | failed, overtaken         | preparing  | prepare, or fail after too many            |
///     | any        | failed, else              | failed     | fail                                       |
///
/// What the smallest limit gives may hold several transactions that cannot be parted. A set cannot be read where the service
/// fails at its first page (500, 501), or goes on to fail at any page until patience is over, and where it is not what it
/// was when the store was made or is refused as the store asks for it, which nobody waits for: the others come without it.
///
/// Writes are sent first, so that the pull brings their final form; a transaction without a decision is never passed
/// over by a later one, because the service decides in the order of numbers. One that the service fails of at each try,
/// at its limit of time or otherwise, would stop all others for ever: at the last try that is a refusal. A row that is
/// missing may be deleted or out of the user's sight: what names it waits until the pull has told.
struct SyncMachine {
    /// The most transactions of a batch.
    static let fullBatch = 100

    private(set) var state = SyncState.idle
    private(set) var report = SyncReport()
    private var patience: SyncPatience
    private var limit = SyncMachine.fullBatch
    /// Whether more waited when the outbox was read than the batch at hand takes: what is written since waits for the next
    /// sync, for an app that never stops writing must not keep one from its end.
    private var hasMore = false
    /// Whether a transaction of the last batch names a row that the service does not have: it is sent again after the pull.
    private var isMissing = false
    /// Whether a pull has come between for that, and whether it brought all sets.
    private var (hasPulled, isTold) = (false, false)
    private var conflictRounds = 0
    private var (reloads, overtaken) = (0, 0)
    /// How often something was applied without a set.
    private var rounds = 0
    /// Why the service did not give the first set whole that it did not give.
    private var lacking: Fault?

    init(retry: RetryPolicy = RetryPolicy()) {
        patience = SyncPatience(retry)
    }

    /// Takes one event.
    mutating func handle(_ event: SyncEvent) -> [SyncCommand] {
        if case .failed(let fault, let jitter) = event { return failed(fault, jitter: jitter) }
        switch (state, event) {
        case (.idle, .start): return go(.reading)
        case (.reading, .pending(let numbers, let hasMore)):
            self.hasMore = hasMore
            return go(numbers.isEmpty ? .preparing : .sending(count: numbers.count))
        case (.sending, .answered(let verdicts, let wait, let reason, let jitter)):
            self.reason = reason
            return answered(verdicts, asked: wait, jitter: jitter)
        case (.fetching, .fetched(let isMissing)):
            self.isMissing = self.isMissing || isMissing && !isTold
            return go(.settling(wait: pendingWait))
        case (.settling(let wait), .settled(let settled)): return self.settled(settled, wait: wait)
        case (.preparing, .prepared(let loads, let isEmpty)): return prepared(loads, isEmpty: isEmpty)
        case (.loading(let set, _, let rows, let total, let rest), .page(let added, let said, let next)):
            return loaded(set: set, rows: rows + added, total: said ?? total, next: next, rest: rest)
        case (.receiving, .staged):
            // Whether a set is lacking, what is applied tells: until then the next failure is one more in a row.
            patience.answered()
            return go(.applying)
        case (.receiving, .expired(let sets)): return expired(sets)
        case (.forgetting, .forgotten): return go(.preparing)
        case (.applying, .applied(let applied, let failure, let jitter)):
            report.count(applied)
            let failure = failure ?? lacking
            if isMissing, failure == nil || !hasPulled { return pulledForMissing(isWhole: failure == nil) }
            guard let failure else { return progressed(.finished) }
            // Sets that are read whole come again each time, and are no reason to wait less.
            (patience.failures, rounds) = (rounds, rounds + 1)
            // What it lacks is asked for again; what is there stays.
            state = .preparing
            return failed(failure, jitter: jitter)
        case (.waiting(let before), .waited): return go(before)
        default: preconditionFailure("The engine sent an event that does not answer the last command.")
        }
    }

    // MARK: Push

    /// The wait that the answer at hand asks for, while rows are fetched.
    private var pendingWait: Duration?
    /// What the service said last of transactions that it did not decide.
    private var reason: String?

    private mutating func answered(_ verdicts: [Verdict], asked: Duration?, jitter: Double) -> [SyncCommand] {
        pendingWait = nil
        // Where two send in turns, each goes on.
        overtaken = 0
        isMissing = verdicts.contains { $0.kind == .missing }
        if verdicts.contains(where: { $0.kind == .notBegun }) { hasMore = true }
        if verdicts.contains(where: { $0.kind == .unknown || $0.kind == .failed }) {
            let failure = SyncFailure(Self.noDecision(reason))
            // What was decided is stored all the same, where patience is over; the next round gives up.
            pendingWait = patience.failed(failure, hasAnswer: true, asked: asked, jitter: jitter) ?? patience.tooLong
        } else {
            patience.succeeded()
        }
        return go(verdicts.contains { $0.kind == .conflict } ? .fetching : .settling(wait: pendingWait))
    }

    private mutating func settled(_ settled: SettleReport, wait: Duration?) -> [SyncCommand] {
        report.sent += settled.accepted
        report.merged += settled.merged
        report.conflicts += settled.conflicts.count
        report.quarantined += settled.quarantined.count
        pendingWait = nil
        if let wait {
            guard patience.allows(wait) else { return end(Self.noDecision(reason)) }
            return pause(wait, before: .reading)
        }
        let isDecided = settled.accepted > 0 || !settled.quarantined.isEmpty
        // What it stops has the last numbers now: the others go first.
        if isMissing { return go(hasMore && isDecided ? .reading : .preparing) }
        if settled.rebased.isEmpty {
            conflictRounds = 0
            if !hasMore { return go(.preparing) }
        } else {
            conflictRounds = isDecided ? 0 : conflictRounds + 1
            if conflictRounds > Self.mostRounds { return end(Self.keepsChanging) }
        }
        return go(.reading)
    }

    // MARK: Pull

    private mutating func prepared(_ loads: [String], isEmpty: Bool) -> [SyncCommand] {
        lacking = nil
        if isEmpty { return isMissing ? pulledForMissing(isWhole: true) : go(.finished) }
        return go(.loading(firstOf: loads))
    }

    private mutating func loaded(
        set: String,
        rows: Int,
        total: Int?,
        next: String?,
        rest: [String]
    ) -> [SyncCommand] {
        // Rows may have come since they were counted, or gone: no line says 7 of 5, and the last page is all of it.
        let total = total.map { next == nil ? rows : max($0, rows) }
        if let next { return progressed(.loading(set: set, link: next, rows: rows, total: total, rest: rest)) }
        patience.succeeded()
        return [told(SyncProgress(.loading, set: set, done: rows, total: total))] + progressed(.loading(firstOf: rest))
    }

    private mutating func expired(_ sets: Set<String>) -> [SyncCommand] {
        patience.succeeded()
        reloads += 1
        guard reloads <= Self.mostRounds else { return end(Self.keepsExpiring) }
        state = .forgetting
        return [.forget(sets)]
    }

    /// The pull has told of rows that were missing: what names them is sent again, and waits on where a set did not come.
    private mutating func pulledForMissing(isWhole: Bool) -> [SyncCommand] {
        (isMissing, hasPulled, isTold, lacking) = (false, true, isWhole, nil)
        return progressed(.reading)
    }

    // MARK: Failures

    private mutating func failed(_ fault: Fault, jitter: Double) -> [SyncCommand] {
        switch fault {
        // Who refuses has answered.
        case .tooLarge, .gone, .unfit: patience.answered()
        case .transient, .overtaken, .fatal: break
        }
        switch (state, fault) {
        case (.sending(let count), .tooLarge) where count > 1 && limit > 1:
            limit = max(1, count / 2)
            return go(.reading)
        case (.sending, .tooLarge):
            state = .settling(wait: nil)
            return [.quarantineTooLarge]
        case (.loading(let set, _, _, _, let rest), .gone(let error)):
            reloads += 1
            guard reloads <= Self.mostRounds else {
                return error.code == .gone ? end(Self.keepsExpiring) : goOn(with: rest, without: .transient(error))
            }
            return go(.loading(set: set, link: nil, rows: 0, rest: rest))
        case (.loading(_, nil, _, _, let rest), .transient(let error)) where error.isOfRequest:
            return goOn(with: rest, without: fault)
        case (_, .overtaken):
            overtaken += 1
            return overtaken <= Self.mostRounds ? go(state.renewed) : end(fault.cause)
        case (.loading(_, _, _, _, let rest), .unfit): return goOn(with: rest, without: fault)
        case (_, .transient(let error)):
            let failure = SyncFailure(error)
            guard let wait = patience.failed(failure, hasAnswer: false, asked: error.retryAfter, jitter: jitter) else {
                return givenUp(error)
            }
            return pause(wait, before: state.retried)
        default: return end(fault.cause)
        }
    }

    /// Patience with a failure is over.
    private mutating func givenUp(_ error: ClientError) -> [SyncCommand] {
        guard case .loading(_, _, _, _, let rest) = state, error.isOfService else { return end(error) }
        return goOn(with: rest, without: .transient(error))
    }

    /// What the service does not give of one set, it may give of the others.
    private mutating func goOn(with rest: [String], without fault: Fault) -> [SyncCommand] {
        lacking = lacking ?? fault
        patience.answered(SyncFailure(fault.cause))
        return go(.loading(firstOf: rest))
    }

    private mutating func pause(_ wait: Duration, before: SyncState) -> [SyncCommand] {
        patience.wait(wait)
        state = .waiting(before: before)
        return [told(SyncProgress(.waiting)), .wait(wait)]
    }

    private mutating func end(_ error: any Error) -> [SyncCommand] {
        state = .failed
        return [.fail(error)]
    }

    /// Goes on after an exchange that succeeded.
    private mutating func progressed(_ next: SyncState) -> [SyncCommand] {
        patience.succeeded()
        return go(next)
    }

    /// A step for who watches, with what is wrong.
    private func told(_ progress: SyncProgress) -> SyncCommand {
        var progress = progress
        (progress.failure, progress.hasAnswer) = (patience.trouble, patience.hasAnswer)
        return .report(progress)
    }

    private mutating func go(_ next: SyncState) -> [SyncCommand] {
        state = next
        switch next {
        case .reading: return [.readPending(limit: limit)]
        case .sending(let count):
            let progress = SyncProgress(.sending, done: report.sent, total: report.sent + count)
            return [told(progress), .send(isTold: isTold)]
        case .fetching: return [.fetchCurrent]
        case .settling: return [.settle]
        case .preparing: return [.prepare]
        case .loading(let set, let link, let rows, let total, _):
            return [
                told(SyncProgress(.loading, set: set, done: rows, total: total)), .loadPage(set: set, link: link),
            ]
        case .receiving: return [told(SyncProgress(.receiving)), .fetchDeltas]
        case .applying: return [told(SyncProgress(.applying)), .apply]
        case .finished: return [.finish(report)]
        case .idle, .forgetting, .waiting, .failed: return []
        }
    }
}
