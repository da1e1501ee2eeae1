// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a service tells a device that listens: whether it tells anything now, and where to look.
///
/// A hint and no more: what changed is found by a sync, and a sync from time to time finds it without any signal.
public struct ServiceSignal: Hashable, Sendable {
    /// Whether the service tells of changes from now on.
    public var isConnected: Bool
    /// The names of the sets to look at, those that a policy ties to a change among them; empty for none, `nil` where
    /// nobody knows: any of them may have changed.
    public var sets: Set<String>?
    /// The id of the event that told it, for comparing with `Tideline-Event-ID` of an answer; `nil` where none did.
    public var eventID: String?
    /// Why the service is not connected, where that is known.
    public var error: ClientError?

    public init(isConnected: Bool, sets: Set<String>?, eventID: String? = nil, error: ClientError? = nil) {
        self.isConnected = isConnected
        self.sets = sets
        self.eventID = eventID
        self.error = error
    }

    /// Whether there may be something to pull.
    public var hasNews: Bool { sets != [] }

    /// This one and a later one as one.
    func merged(with later: ServiceSignal) -> ServiceSignal {
        var merged = later
        merged.sets = sets.flatMap { sets in later.sets.map(sets.union) }
        merged.eventID = later.eventID ?? (later.hasNews ? nil : eventID)
        return merged
    }
}
