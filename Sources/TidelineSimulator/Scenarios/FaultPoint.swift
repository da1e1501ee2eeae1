// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A place in a scenario where a disk can fail: one of its operations.
package struct FaultPoint: Hashable, Sendable, CustomStringConvertible {
    /// Whose disk it is.
    package enum Owner: String, Hashable, Sendable {
        case device, service
    }

    /// Counts the points of the scenario from one, those of the device first.
    package var number: Int
    package var owner: Owner
    /// Which operation of the disk, from one.
    package var index: Int
    package var operation: DiskOperation

    package var description: String { "operation \(index) of the \(owner.rawValue): \(operation)" }
}
