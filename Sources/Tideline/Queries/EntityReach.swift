// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineModel
import TidelineStore

extension Queryable {
    /// The names of this entity's calculated properties, in the order in which a row has them after its columns.
    static var calculatedNames: [String] { entitySet.type.calculatedProperties.map(\.names.wire) }

    /// The model of this entity and of all that it leads to, as the source has it.
    static var sourceModel: EntityModel { EntityModel(namespace: "App", sets: EntityReach.sets(of: self)) }

    /// A model with the calculated properties that the source gives this entity and those that it leads to.
    ///
    /// A store that was cloned from a service knows none: they are the app's own.
    static func calculating(_ model: EntityModel) -> EntityModel {
        let missing = EntityReach.sets(of: self).filter { set in
            guard !set.type.calculatedProperties.isEmpty, let known = model[set: set.names.wire] else { return false }
            return known.type.calculatedProperties != set.type.calculatedProperties
        }
        guard !missing.isEmpty else { return model }
        var sets = model.sets
        for set in missing {
            guard let place = model.setIndex(wire: set.names.wire) else { continue }
            let own = set.type.calculatedProperties
            let names = Set(own.map(\.names.wire))
            sets[place].type.calculatedProperties.removeAll { names.contains($0.names.wire) }
            sets[place].type.calculatedProperties += own
        }
        return model.replacing(sets: sets)
    }

    /// Reads entities from values at hand: the stored properties, then the calculated ones.
    static var decoder: RowDecoder {
        let calculated = entitySet.type.calculatedProperties.map {
            Property(names: $0.names, type: $0.type, isNullable: true)
        }
        return RowDecoder(entityDescription.properties.map(\.property) + calculated)
    }
}

/// The entities that one leads to, over any number of relationships: found once for each.
private enum EntityReach {
    /// Guards the sets by the entity that the way starts from.
    private static let known = Mutex<[ObjectIdentifier: [EntitySet]]>([:])

    static func sets(of type: any Queryable.Type) -> [EntitySet] {
        let key = ObjectIdentifier(type)
        if let found = known.withLock({ $0[key] }) { return found }
        var found: [EntitySet] = []
        var seen: Set<ObjectIdentifier> = [key]
        var waiting: [any Queryable.Type] = [type]
        while let next = waiting.popLast() {
            found.append(next.entitySet)
            for target in next.entityDescription.targets where seen.insert(ObjectIdentifier(target)).inserted {
                waiting.append(target)
            }
        }
        let result = found
        known.withLock { $0[key] = result }
        return result
    }
}

extension EntityDescription {
    /// The entities that relationships lead to.
    fileprivate var targets: [any Queryable.Type] {
        (properties.compactMap { $0.reference?.target } + collections.map(\.target))
            .compactMap { $0 as? any Queryable.Type }
    }
}
