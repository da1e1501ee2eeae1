// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// What is the same for all users of the same roles, made once for each: a domain has a few.
final class ByRights<Made: Sendable>: Sendable {
    /// What access depends on, see ``PolicySet/access(_:to:for:)``.
    private struct Rights: Hashable {
        var isSomebody: Bool
        var roles: [String]
    }

    private let kept = BoundedCache<Rights, Made>()

    /// What was made for a user with the same rights, or what `make` makes now.
    func value(for user: UserContext, make: () -> Made) -> Made {
        kept.value(for: Rights(isSomebody: !user.id.isNull, roles: user.roles), make: make)
    }
}
