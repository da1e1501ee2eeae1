// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is made once for each key and kept, up to a number of keys; then it begins anew.
///
/// For keys of which there are a few in practice, and more only where somebody means ill.
package final class BoundedCache<Key: Hashable & Sendable, Made: Sendable>: Sendable {
    private let limit: Int
    private let kept = Mutex<[Key: Made]>([:])

    package init(limit: Int = 64) { self.limit = limit }

    /// What was made for a key, or what `make` makes now.
    package func value(for key: Key, make: () -> Made) -> Made {
        if let known = kept.withLock({ $0[key] }) { return known }
        // Made outside the lock: two may make the same at once, which harms nobody.
        let made = make()
        kept.withLock { kept in
            if kept.count >= limit { kept = [:] }
            kept[key] = made
        }
        return made
    }
}
