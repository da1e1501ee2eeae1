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
}
