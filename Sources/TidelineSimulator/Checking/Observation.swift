// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// What is shown to the checks.
enum Observation: Sendable {
    /// The service, after it changed.
    case service(NodeState)
    /// A device, between two transactions.
    case device(name: String, NodeState)
    /// The service went back to an older state.
    case restored
    /// Everything is quiet: all is sent and received. The devices' rows, and which of the service's each may see.
    case quiet(service: NodeState, devices: [QuietDevice])

    /// A device at the end.
    struct QuietDevice: Sendable {
        var name: String
        var state: NodeState
        /// The service's rows in the device's scope.
        var expected: NodeState
        /// Transactions that were not sent, though nothing kept them.
        var pending: Int

        init(name: String, state: NodeState, expected: NodeState, pending: Int) {
            self.name = name
            self.state = state
            self.expected = expected
            self.pending = pending
        }
    }
}
