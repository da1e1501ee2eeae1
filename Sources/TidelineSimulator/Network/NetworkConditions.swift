// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How well a device reaches the service for a while.
package struct NetworkConditions: Hashable, Sendable {
    /// No way at all.
    package var isPartitioned = false
    /// So many of a thousand exchanges meet a fault.
    package var faultsPerMille = 0
    /// The time that a request or an answer takes.
    package var least: Duration
    package var most: Duration

    package init(
        isPartitioned: Bool = false,
        faultsPerMille: Int = 0,
        least: Duration = .milliseconds(5),
        most: Duration = .milliseconds(80)
    ) {
        self.isPartitioned = isPartitioned
        self.faultsPerMille = faultsPerMille
        self.least = least
        self.most = most
    }

    /// What every exchange meets at the end of a run.
    package static let good = NetworkConditions()

    static func drawn(_ chance: inout Chance) -> NetworkConditions {
        switch chance.below(8) {
        case 0: NetworkConditions(isPartitioned: true)
        case 1: .good
        case 2, 3: NetworkConditions(faultsPerMille: 100, most: .seconds(2))
        case 4, 5: NetworkConditions(faultsPerMille: 300, least: .milliseconds(20), most: .seconds(20))
        case 6: NetworkConditions(faultsPerMille: 500)
        default: NetworkConditions(faultsPerMille: 50, least: .milliseconds(1), most: .seconds(3 * 86_400))
        }
    }
}

extension NetworkConditions: CustomStringConvertible {
    package var description: String {
        isPartitioned ? "no network" : "\(faultsPerMille) faults in 1000, \(least) to \(most)"
    }
}
