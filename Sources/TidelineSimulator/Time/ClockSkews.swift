// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How far the clocks of the nodes are from the time of the simulation, in seconds.
final class ClockSkews: Sendable {
    private let seconds = Mutex<[Int: Int64]>([:])

    /// Sets a clock.
    ///
    /// - Parameter device: whose, or `nil` for the service's.
    func jump(_ device: Int?, by jump: Int64) { seconds.withLock { $0[device ?? -1, default: 0] += jump } }

    func skew(of device: Int?) -> Int64 { seconds.withLock { $0[device ?? -1] ?? 0 } }
}
