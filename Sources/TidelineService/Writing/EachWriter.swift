// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Changes or deletes each entity of a set or of a part of it: `Orders/$filter(Total gt 100)/$each`.
///
/// All or nothing. Source: OData Protocol 4.01, sections 11.4.13 and 11.4.14.
struct EachWriter {
    let rows: RowWriter
    let tree: TreeWriter

    /// The most entities that one request changes.
    private static let limit = 10_000

    func update(_ collection: Resource.Collection, replaces: Bool) throws {
        let set = collection.set
        try rows.mayWrite(.update, set)
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: set)
        let body = try write.body()
        guard body.nested.isEmpty, body.id == nil else {
            throw ODataError(.notSupported, "A change of each entity of a set holds no other entities.")
        }
        let entities = try entities(collection)
        for entity in entities {
            guard let current = try rows.admit(.update, entity, try rows.headerConditions()) else { continue }
            try tree.update(body, entity, current, replaces: replaces)
        }
        rows.step.effect = .updated
        rows.step.reply = .entities(entities)
    }

    func delete(_ collection: Resource.Collection) throws {
        try rows.mayWrite(.delete, collection.set)
        for entity in try entities(collection) {
            // One that the database has deleted with another is gone already.
            guard try rows.admit(.delete, entity, try rows.headerConditions()) != nil else { continue }
            try rows.delete(entity)
        }
        rows.step.effect = .deleted
    }

    private func entities(_ collection: Resource.Collection) throws -> [Resource.Entity] {
        try rows.resolver.keys(
            of: collection,
            limit: Self.limit,
            refusal: "One request changes \(Self.limit) entities at most."
        ).map {
            let place = collection.set.isContained ? collection.containedIn : nil
            return Resource.Entity(set: collection.set, key: $0, containedIn: place)
        }
    }
}
