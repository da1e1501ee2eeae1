// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Which changes may concern a user: by the set that changed, the sets that the user may read and has to look at again.
///
/// A row shows or goes also when a row changes that its policy looks at: with `Order/OwnerId eq @me` on OrderDetails, a
/// changed order concerns both sets. A set whose changes no log has, such as a view, is to be looked at whenever
/// anything changed. Users of the same roles have the same reach.
final class ChangeReach: Sendable {
    /// A set that may be read.
    struct Reached: Sendable {
        var set: EntitySet
        /// Of the rows that may be read, where the log tells of their changes; `nil` for all of them.
        var condition: TypedExpression?
    }

    private let told: [String: Set<String>]
    private let reached: [String: Reached]

    init(model: EntityModel, policies: PolicySet, user: UserContext) {
        var told: [String: Set<String>] = [:]
        var reached: [String: Reached] = [:]
        for set in model.sets {
            let name = set.names.wire
            let access = policies.access(.read, to: name, for: user)
            if access == .none { continue }
            let routes = Routes([access.condition], over: set, in: model)
            let causes = set.isReadOnly ? model.sets : [set] + routes.targets(from: set, in: model)
            for cause in causes { told[cause.names.wire, default: []].insert(name) }
            reached[name] = Reached(set: set, condition: set.isReadOnly ? nil : access.condition)
        }
        self.told = told
        self.reached = reached
    }

    /// The names of the sets to look at when these have changed, whichever rows it was.
    func sets(for changed: Set<String>) -> Set<String> {
        changed.reduce(into: []) { $0.formUnion(told[$1] ?? []) }
    }

    /// A set that may be read, by its name.
    subscript(name: String) -> Reached? { reached[name] }
}
