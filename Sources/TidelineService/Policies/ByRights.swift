// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel

/// What is the same for all users of the same roles, made once for each.
final class ByRights<Made: Sendable>: Sendable {
    private struct Rights: Hashable {
        var isSomebody: Bool
        var roles: [String]
    }

    /// So many different rights are kept; a domain has a few roles.
    private let limit = 64
    private let kept = Mutex<[Rights: Made]>([:])

    /// What was made for a user with the same rights, or what `make` makes now.
    func value(for user: UserContext, make: () -> Made) -> Made {
        let rights = Rights(isSomebody: !user.id.isNull, roles: user.roles)
        if let known = kept.withLock({ $0[rights] }) { return known }
        // Made outside the lock: two may make the same at once, which harms nobody.
        let made = make()
        kept.withLock { kept in
            if kept.count >= limit { kept = [:] }
            kept[rights] = made
        }
        return made
    }
}
