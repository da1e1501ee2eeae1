// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How much happened in a run, or in many.
package struct Statistics: Hashable, Sendable, Codable {
    /// Local transactions that were committed on devices.
    package var transactions = 0
    /// Local transactions that a store refused.
    package var refused = 0
    package var syncs = 0
    package var failedSyncs = 0
    package var kills = 0
    package var restarts = 0
    package var directs = 0
    /// Times that a device was switched off for days.
    package var suspensions = 0
    /// Times that a clock jumped.
    package var clockJumps = 0
    /// Times that the service's change log lost entries.
    package var compactions = 0
    /// Times that the service went back to a copy of it.
    package var restores = 0
    /// Times that a device got the file of another one.
    package var copies = 0
    /// Transactions that came into a quarantine.
    package var quarantined = 0
    package var conflicts = 0
    package var merged = 0
    /// Requests that devices sent.
    package var exchanges = 0
    /// Exchanges that met a fault of the network.
    package var faults = 0
    /// Times that a node was shown to the checks.
    package var looks = 0
    /// Lines of the trace.
    package var events = 0

    package init() {}

    package static func += (total: inout Statistics, run: Statistics) {
        let parts: [WritableKeyPath<Statistics, Int>] = [
            \.transactions, \.refused, \.syncs, \.failedSyncs, \.kills, \.restarts, \.directs, \.suspensions,
            \.clockJumps, \.compactions, \.restores, \.copies, \.quarantined,
            \.conflicts, \.merged, \.exchanges, \.faults, \.looks, \.events,
        ]
        for part in parts { total[keyPath: part] += run[keyPath: part] }
    }
}
