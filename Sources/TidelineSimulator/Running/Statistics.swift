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
    /// Times that the service's domain was published anew.
    package var publications = 0
    /// Times that the service got another address.
    package var moves = 0
    /// Times that the service failed to read a set for a while.
    package var brokenSets = 0
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

    /// All numbers, by the names that they have in a ledger.
    private static var parts: [(name: String, path: WritableKeyPath<Statistics, Int>)] {
        [
            ("transactions", \.transactions), ("refused", \.refused), ("syncs", \.syncs),
            ("failedSyncs", \.failedSyncs), ("kills", \.kills), ("restarts", \.restarts), ("directs", \.directs),
            ("suspensions", \.suspensions), ("clockJumps", \.clockJumps), ("compactions", \.compactions),
            ("restores", \.restores), ("copies", \.copies), ("publications", \.publications), ("moves", \.moves),
            ("brokenSets", \.brokenSets),
            ("quarantined", \.quarantined), ("conflicts", \.conflicts), ("merged", \.merged),
            ("exchanges", \.exchanges), ("faults", \.faults), ("looks", \.looks), ("events", \.events),
        ]
    }

    package static func += (total: inout Statistics, run: Statistics) {
        for (_, path) in parts { total[keyPath: path] += run[keyPath: path] }
    }

    /// Reads numbers; those that the program which wrote them did not count are zero.
    package init(from decoder: any Decoder) throws {
        let numbers = try [String: Int](from: decoder)
        for (name, path) in Self.parts { self[keyPath: path] = numbers[name] ?? 0 }
    }

    package func encode(to encoder: any Encoder) throws {
        let numbers = Self.parts.map { ($0.name, self[keyPath: $0.path]) }
        try Dictionary(uniqueKeysWithValues: numbers).encode(to: encoder)
    }
}
