// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStore

/// How a store stands to its service at one moment: what an app shows of sync.
///
///     for await status in engine.status {
///         badge = status.pendingTransactions
///     }
public struct SyncStatus: Hashable, Sendable {
    /// What the engine is doing.
    @nonexhaustive
    public enum Phase: Hashable, Sendable {
        /// Nothing is under way.
        case idle
        /// Local transactions are on their way to the service.
        case sending
        /// A set is loaded for the first time, or afresh.
        case loading
        /// The changes since the last sync are read.
        case receiving
        /// What was received becomes the state of the store.
        case applying
        /// The service answers, but not as it should, or the device is busy; it is tried again at this time of the
        /// device's clock.
        case waiting(until: DateTimeOffset)
        /// The service is not reached, and has not answered since.
        ///
        /// It is tried again at this time of the device's clock; `nil` while it is tried, and where nothing syncs by
        /// itself.
        case offline(until: DateTimeOffset?)
        /// Nothing goes on before a person has done something; ``SyncStatus/lastFailure`` says what.
        ///
        /// At this time of the device's clock the service is asked once more all the same; `nil` where it is not.
        case stopped(until: DateTimeOffset?)
    }

    public var phase: Phase
    /// The wire name of the entity set that is being loaded, or `nil`.
    public var set: String?
    /// Transactions (sending) or rows (else) done in this phase.
    public var done: Int
    /// All of them, where it is known.
    public var expected: Int?
    /// Local transactions that the service has not decided.
    public var pendingTransactions: Int
    /// Transactions that the service refused, and those that build on them.
    public var quarantined: Int
    /// Conflicts that nobody has looked at.
    public var unseenConflicts: Int
    /// When a sync succeeded last, by this device's clock, or `nil`.
    public var lastSuccess: DateTimeOffset?
    /// Why the last sync failed, or the last attempt of the one under way; `nil` when it succeeded, and before the
    /// first.
    public var lastFailure: SyncFailure?
    /// Whether, as far as is known here, both sides have the same: the last sync succeeded, nothing waits to be sent,
    /// and the service has not told of a change since.
    ///
    /// What is in quarantine does not count, the service has decided it; nor what changed there without a word.
    public var isCaughtUp: Bool

    /// A status with what the store says, while the engine does nothing.
    public init(phase: Phase = .idle, _ store: StoreStatus) {
        self.phase = phase
        set = nil
        done = 0
        expected = nil
        pendingTransactions = store.pendingTransactions
        quarantined = store.quarantined
        unseenConflicts = store.unseenConflicts
        lastSuccess = store.lastSuccess
        lastFailure = store.lastFailure
        isCaughtUp = store.pendingTransactions == 0 && store.lastFailure == nil && store.lastSuccess != nil
    }
}
