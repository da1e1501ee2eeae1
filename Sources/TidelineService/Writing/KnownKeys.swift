// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Makes sure that a client means the rows that have the keys which it refers to: the database may have given a key to
/// another row since the client made its request.
struct KnownKeys {
    let model: EntityModel
    let reader: any StoreReader
    /// What the client knew.
    let known: FeedPosition

    /// - Parameter parts: the values that refer, in the order of the navigation's constraints.
    /// - Throws: `MissingReference`.
    func check(_ navigation: NavigationProperty, of set: EntitySet, _ parts: [Value]) throws {
        guard let target = model[set: navigation.targetSet], target.type.hasGeneratedKey,
            navigation.constraints.map(\.target) == target.type.key,
            try reader.isReused(Key(parts), in: target, since: known)
        else { return }
        throw ODataError(
            service: ServiceCode.missingReference,
            "An entity of \(set.names.wire) refers to one that was deleted, and whose key another one has.",
            target: set.type.properties[navigation.constraints[0].source].names.wire
        )
    }

    /// Checks the references that the key of an entity holds.
    func check(_ entity: Resource.Entity) throws {
        let type = entity.set.type
        for navigation in type.navigationProperties where navigation.isDependent {
            let parts = navigation.constraints.compactMap { type.key.firstIndex(of: $0.source) }
            guard parts.count == navigation.constraints.count else { continue }
            try check(navigation, of: entity.set, parts.map { entity.key.values[$0] })
        }
    }
}
