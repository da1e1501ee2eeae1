// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineStore

/// How far a sync has come.
public struct SyncProgress: Hashable, Sendable {
    /// What a sync is doing.
    public enum Phase: String, Hashable, Sendable {
        /// Local transactions are on their way to the service.
        case sending
        /// A set is loaded for the first time, or afresh.
        case loading
        /// The changes since the last sync are read.
        case receiving
        /// What was received becomes the state of the store.
        case applying
        /// The last attempt failed; the sync waits before it tries again. ``SyncProgress/failure`` says why.
        case waiting
    }

    public var phase: Phase
    /// The wire name of the entity set, where one is concerned.
    public var set: String?
    /// Transactions or rows done in this phase.
    public var done: Int
    /// All of them, where it is known.
    public var total: Int?
    /// Why the last attempt of this sync failed, until one succeeds; `nil` where none has failed.
    public var failure: SyncFailure?
    /// Whether the service has answered since the sync began or failed last: what was wrong before is over then.
    var hasAnswer = false

    public init(_ phase: Phase, set: String? = nil, done: Int = 0, total: Int? = nil) {
        self.phase = phase
        self.set = set
        self.done = done
        self.total = total
    }
}
