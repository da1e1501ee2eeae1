// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Where signs come from that a sync may find something to do: the service's event stream, the system's look at the
/// network.
package protocol SyncSignals: Sendable {
    /// Waits for the next sign.
    ///
    /// - Returns: `nil` when none will come any more, and when the task is cancelled.
    func next() async -> SyncSign?
}
