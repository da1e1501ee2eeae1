// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// Entity sets by the name that a person gives.
enum SetName {
    static func find(_ name: String, in model: EntityModel) throws -> EntitySet {
        if let set = model[set: name] { return set }
        let names = model.sets.map(\.names.wire)
        let near = names.first { $0.lowercased() == name.lowercased() }
        throw CommandFailure(
            "The store has no set \(name).",
            next: near.map { "Did you mean \($0)?" } ?? "It has: \(names.joined(separator: ", "))."
        )
    }

    /// The failure of a navigation property that a set does not have.
    static func noNavigation(_ name: String, in set: EntitySet) -> CommandFailure {
        let names = set.type.navigationProperties.map(\.names.wire)
        return CommandFailure(
            "\(set.names.wire) has no navigation property \(name).",
            next: names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", "))."
        )
    }
}
