// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A signal with the event of the service that it comes from.
package struct SyncSign: Hashable, Sendable {
    package var signal: SyncSignal
    /// The id of the event, for telling whether a sync has read what it tells of; `nil` where it comes from elsewhere.
    package var eventID: String?

    package init(_ signal: SyncSignal, eventID: String? = nil) {
        self.signal = signal
        self.eventID = eventID
    }
}
