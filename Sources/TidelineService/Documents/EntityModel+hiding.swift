// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension EntityModel {
    /// The same model, place for place, in which no request can name other sets than these.
    ///
    /// What leads to one of the others has a name that nobody can guess, also what leads over a table of links that is
    /// among them. So whoever asks gets the answer for a name that does not exist, by whatever way, while policies still
    /// look through these sets.
    ///
    /// - Parameter mask: gives a name for a name: always the same, and not to be guessed.
    func hiding(allBut names: Set<String>, _ mask: (String) -> String) -> EntityModel {
        var changed = sets
        for place in changed.indices {
            for step in changed[place].type.navigationProperties.indices {
                let navigation = changed[place].type.navigationProperties[step]
                let isShown =
                    names.contains(navigation.targetSet)
                    && (navigation.link.map { names.contains($0.set) } ?? true)
                if isShown { continue }
                changed[place].type.navigationProperties[step].names.wire = mask(navigation.names.wire)
            }
        }
        var model = replacing(sets: changed)
        model.singletons = singletons.filter { names.contains($0.set) }
        model.unnamedSets = Set(sets.map(\.names.wire)).subtracting(names)
        return model
    }
}
