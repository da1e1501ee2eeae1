// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What must not be.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The number of the invariant, such as `V7`.
    package var number: String
    package var message: String
    package var time: SimulatedTime

    package init(_ number: String, _ message: String, at time: SimulatedTime) {
        self.number = number
        self.message = message
        self.time = time
    }

    package var description: String { "\(number) at \(time): \(message)" }
}
