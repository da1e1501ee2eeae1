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
                touched.formUnion(places.compactMap { old[key]?[$0].text })
                if new[key] == nil { deleted.formUnion(places.compactMap { old[key]?[$0].text }) }
                if old[key] == nil { inserted.formUnion(places.compactMap { new[key]?[$0].text }) }
                if let row = new[key], let text = places.compactMap({ row[$0].text }).first {
                    referred[text] = WriteRecord.parents(of: row, in: set, after, model)
                    above[text] = WriteRecord.parents(of: row, in: set, after, model, by: .cascade)
                }
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

    /// The texts of the rows that a row refers to.
    ///
    /// - Parameter rule: that of the references which count, or `nil` for all.
    private static func parents(
        of row: [Value],
        in set: EntitySet,
        _ state: NodeState,
        _ model: EntityModel,
        by rule: NavigationProperty.DeleteRule? = nil
    ) -> Set<String> {
        let texts = set.type.navigationProperties.filter(\.isDependent).flatMap { navigation -> [String] in
            guard rule == nil || navigation.onDelete == rule, let target = model.setIndex(wire: navigation.targetSet),
                let parent = state.sets[target][Key(navigation.constraints.map { row[$0.source] })]
            else { return [] }
            return WrittenValue.places(of: model.sets[target].type).compactMap { parent[$0].text }
        }
        return Set(texts)
    }
}
