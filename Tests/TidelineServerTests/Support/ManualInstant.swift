// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An instant that the test moves.
final class ManualInstant: Sendable {
    private let instant = Mutex(ContinuousClock().now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func pass(_ time: Duration) { instant.withLock { $0 = $0 + time } }
}
