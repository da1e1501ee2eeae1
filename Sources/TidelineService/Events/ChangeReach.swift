// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Which changes concern a user: by the set that changed, the sets that the user may read and has to look at again.
///
/// A row shows or goes also when a row changes that its policy looks at: with `Order/OwnerId eq @me` on OrderDetails, a
/// changed order concerns both sets. A set whose changes no log has, such as a view, is to be looked at whenever
/// anything changed. Users of the same roles have the same reach.
public final class ChangeReach: Sendable {
    private let told: [String: Set<String>]

    init(model: EntityModel, policies: PolicySet, user: UserContext) {
        var told: [String: Set<String>] = [:]
        for set in model.sets {
            let name = set.names.wire
            let access = policies.access(.read, to: name, for: user)
            if access == .none { continue }
            let routes = Routes([access.condition], over: set, in: model)
            let causes = set.isReadOnly ? model.sets : [set] + routes.targets(from: set, in: model)
            for cause in causes { told[cause.names.wire, default: []].insert(name) }
        }
        self.told = told
    }

    /// The sets to look at when these have changed.
    public func sets(for changed: Set<String>) -> Set<String> {
        changed.reduce(into: []) { $0.formUnion(told[$1] ?? []) }
    }
}
