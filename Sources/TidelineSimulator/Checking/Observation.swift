// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// What is shown to the checks.
enum Observation: Sendable {
    /// The service, after it changed.
    case service(NodeState)
    /// A request of a device, which may change the service; how that is then is shown next, where it changed.
    case request(of: String)
    /// A device, between two transactions, and the sets that the last sync may have left out: those without a delta link.
    case device(name: String, NodeState, behind: Set<String> = [])
    /// The service is about to go back to an older state: the texts that wait on devices.
    case goingBack(waiting: Set<String>)
    /// The service went back to an older state.
    case restored
    /// The service forgot its record of changes, of clients and of keys that were given, and has the same rows.
    case publishedAnew
    /// A device begins to sync, or has synced.
    case syncing(device: String, isDone: Bool)
    /// The change log of the service lost its oldest entries.
    case compacted
    /// A device has a copy of the file of another one now.
    case replaced(device: String, by: String)
    /// A person sent transactions again from the quarantine of a device, by their events.
    case retried(device: String, events: Set<Int>)
    /// What lies in the quarantine of a device, by its code.
    case held(device: String, codes: Set<String>)
    /// Everything is quiet: all is sent and received. The devices' rows, and which of the service's each may see.
    case quiet(service: NodeState, devices: [QuietDevice])
    /// An answer on its way to a device of a user.
    case sent(to: String, user: Value, bytes: [UInt8])
    /// The keys of a live list of a device, kept by its batches alone, and those that a fetch finds.
    case list(device: String, folded: [Key], fresh: [Key])
    /// What a delta link of the past leads to, when everything is quiet.
    case replayed(LinkReplay)

    /// A device at the end.
    struct QuietDevice: Sendable {
        var name: String
        var state: NodeState
        /// The service's rows in the device's scope.
        var expected: NodeState
        /// Transactions that were not sent, though nothing kept them.
        var pending: Int
        var conflicts: [Conflict] = []
        /// What its file holds that is of no use any more, in words.
        var leftovers: [String] = []

        init(name: String, state: NodeState, expected: NodeState, pending: Int) {
            self.name = name
            self.state = state
            self.expected = expected
            self.pending = pending
        }
    }
}
