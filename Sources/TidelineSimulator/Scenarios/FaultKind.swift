// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What goes wrong at a point of a scenario; all of them are played at each point.
package enum FaultKind: String, CaseIterable, Hashable, Sendable {
    /// The process is killed: the disk keeps all that it wrote.
    case killed
    /// The power fails, and nothing is left of what was not synced.
    case unsynced
    /// The power fails, and some of what was not synced is left, chosen by the number of the point.
    case some
    /// The power fails in the middle of the newest write.
    case torn
    /// The disk is full from here on.
    case full
    /// The operation fails with an I/O error.
    case failing

    var fault: (Int) -> DiskFault {
        switch self {
        case .killed: { _ in .crash(.all) }
        case .unsynced: { _ in .crash(.synced) }
        case .some: { .crash(.some(seed: UInt64($0))) }
        case .torn: { _ in .crash(.torn) }
        case .full: { _ in .full }
        case .failing: { _ in .failure }
        }
    }

    var trouble: ScenarioPlayer.Trouble {
        switch self {
        case .killed: .crash(keepsAll: true)
        case .unsynced, .some, .torn: .crash(keepsAll: false)
        case .full, .failing: .fault
        }
    }
}
