// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// When an engine syncs by itself.
public struct SyncSchedule: Hashable, Sendable {
    /// How long after a local change a sync begins, so that changes in quick succession go together; and the least time
    /// between two syncs.
    ///
    /// A further change meanwhile begins the wait again, ten times at the most.
    public var quiet: Duration
    /// How long nothing happens before the service is asked all the same, or `nil` for never.
    public var interval: Duration?
    /// The longest first wait after a sync that failed; each further one may be twice as long.
    public var firstRetry: Duration
    /// The longest wait of all, and the one after a failure that needs a person.
    public var longestRetry: Duration
    /// Whether the service is listened to, so that its changes come at once; one without events is asked at intervals.
    public var listens: Bool

    public init(
        quiet: Duration = .milliseconds(300),
        interval: Duration? = .seconds(60),
        firstRetry: Duration = .seconds(1),
        longestRetry: Duration = .seconds(300),
        listens: Bool = true
    ) {
        self.quiet = quiet
        self.interval = interval
        self.firstRetry = firstRetry
        self.longestRetry = longestRetry
        self.listens = listens
    }
}
