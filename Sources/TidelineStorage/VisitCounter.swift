// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts visits from any thread.
final class VisitCounter: Sendable {
    private let count = Atomic<Int>(0)

    /// - Returns: the number of this visit, from 1.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
