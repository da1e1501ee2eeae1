// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// What an engine is about at one moment.
struct SyncActivity: Sendable {
    /// What a schedule does between syncs.
    enum Schedule: Hashable, Sendable {
        /// It waits for something to happen.
        case idle
        /// It tries again at that time.
        case waiting(until: DateTimeOffset)
        case offline(until: DateTimeOffset)
        /// It waits for a person, and asks once more at that time, if any.
        case stopped(until: DateTimeOffset?)
    }

    /// How far the sync under way has come; `nil` where none is.
    var step: SyncProgress?
    /// The end of the pause of that sync.
    var waitsUntil: DateTimeOffset?
    var schedule: Schedule?
    /// Why the last sync failed, where its log does not tell: the disk is full, or a person gave the sign-in up.
    var unnoted: SyncFailure?
    /// Whether the service told of a change that no sync has begun to read.
    var hasNews = false

    /// With what the store says, the state as a reader sees it.
    func status(_ store: StoreStatus) -> SyncStatus {
        var status = SyncStatus(phase: phase(unnoted ?? store.lastFailure), store)
        status.lastFailure = unnoted ?? store.lastFailure
        status.isCaughtUp = status.isCaughtUp && !hasNews && unnoted == nil
        if let step {
            status.set = step.set
            status.done = step.done
            status.expected = step.total
            status.lastFailure = step.failure ?? status.lastFailure
        }
        return status
    }

    private func phase(_ failure: SyncFailure?) -> SyncStatus.Phase {
        // Until the service answers, what is tried again is as far off as it was.
        if let step, !step.hasAnswer, (step.failure ?? failure)?.kind == .offline {
            return .offline(until: step.phase == .waiting ? waitsUntil : nil)
        }
        switch step?.phase {
        case .sending: return .sending
        case .loading: return .loading
        case .receiving: return .receiving
        case .applying: return .applying
        case .waiting: return waitsUntil.map { .waiting(until: $0) } ?? .receiving
        case nil: break
        }
        switch schedule {
        case .idle: return .idle
        case .waiting(let time): return .waiting(until: time)
        case .offline(let time): return .offline(until: time)
        case .stopped(let time): return .stopped(until: time)
        case nil: break
        }
        // Nothing syncs by itself: what the last sync met still holds.
        switch failure?.kind {
        case .offline: return .offline(until: nil)
        case .needsPerson: return .stopped(until: nil)
        case .passing, nil: return .idle
        @unknown default: return .idle
        }
    }
}
