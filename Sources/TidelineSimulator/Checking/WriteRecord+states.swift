// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension WriteRecord {
    /// Notes what a transaction did to the rows of its device.
    mutating func note(from before: NodeState, to after: NodeState, _ model: EntityModel) {
        seen = Set(OnceCheck.marks(Regatta.events, before, model).compactMap { WrittenValue.event(of: $0.text) })
        for (index, set) in model.sets.enumerated() {
            let places = WrittenValue.places(of: set.type)
            let (old, new) = (before.sets[index], after.sets[index])
            guard old != new else { continue }
            for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
                for place in places {
                    let (was, now) = (old[key]?[place].text, new[key]?[place].text)
                    guard was != now else { continue }
                    if let was { replaced.insert(was) }
                    if let now { texts.insert(now) }
                    if let was, let now { overwrote[now] = was }
                }
            }
        }
    }
}
