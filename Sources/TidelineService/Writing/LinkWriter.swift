// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Relates entities that exist, and takes relations away: `$ref`, and the links of a delta.
struct LinkWriter {
    let rows: RowWriter

    /// Relates the entity that a reference names.
    func add(_ source: Resource.Entity, _ place: Int, to id: String, _ conditions: RowWriter.Conditions) throws {
        let navigation = source.set.type.navigationProperties[place]
        if navigation.isDependent {
            let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: source.set)
            return try change(source, try write.values(of: navigation, referringTo: id), conditions)
        }
        let relation = try relation(source, place, conditions)
        try relation.add(try existing(id, relation))
    }

    /// Makes the entities that references name the only related ones.
    func replace(
        _ source: Resource.Entity,
        _ place: Int,
        _ references: ReferenceBody,
        _ conditions: RowWriter.Conditions
    ) throws {
        let navigation = source.set.type.navigationProperties[place]
        switch references {
        case .one(let id) where !navigation.isCollection: try add(source, place, to: id, conditions)
        case .several(let ids) where navigation.isCollection:
            let relation = try relation(source, place, conditions)
            let entities = try ids.map { try existing($0, relation) }
            let kept = Set(entities.map(\.key))
            for key in try relation.keys() where !kept.contains(key) { try relation.remove(key, deleting: false) }
            for entity in entities { try relation.add(entity) }
        default:
            throw ODataError(
                .invalidBody,
                navigation.isCollection
                    ? "The body is a list of references: {\"value\":[{\"@id\":…}]}."
                    : "The body is one reference: {\"@id\":…}.",
                target: "@id"
            )
        }
    }

    /// Takes away the relation to one entity, or to all where none is named.
    func remove(
        _ source: Resource.Entity,
        _ place: Int,
        _ target: Key?,
        id: String?,
        _ conditions: RowWriter.Conditions
    ) throws {
        let navigation = source.set.type.navigationProperties[place]
        guard navigation.isCollection else {
            guard id == nil else {
                throw ODataError(.invalidQueryOption, "$id is for collections.", target: "$id")
            }
            if navigation.isDependent {
                let untied = navigation.constraints.map { ($0.source, Value.null) }
                return try change(source, Dictionary(untied) { first, _ in first }, conditions)
            }
            let relation = try relation(source, place, conditions)
            for key in try relation.keys() { try relation.remove(key, deleting: false) }
            return
        }
        let relation = try relation(source, place, conditions)
        if let target {
            guard try relation.keys().contains(target) else {
                throw ODataError.absentEntity(relation.target.names.wire)
            }
            return try relation.remove(target, deleting: false)
        }
        if let id { return try relation.remove(try existing(id, relation).key, deleting: false) }
        for key in try relation.keys() { try relation.remove(key, deleting: false) }
    }

    /// The relation from an entity of the version that the request asks for.
    ///
    /// Source: OData Protocol 4.01, section 11.4.1.1: the version is that of the entity which the link begins at.
    private func relation(
        _ source: Resource.Entity,
        _ place: Int,
        _ conditions: RowWriter.Conditions
    ) throws -> Relation {
        guard let stored = try rows.resolver.visible(source) else {
            throw ODataError.absentEntity(source.set.names.wire)
        }
        try rows.check(conditions, stored)
        return try Relation(rows, source, stored, place)
    }

    /// The entity that a reference names, as seen by this user.
    private func existing(_ id: String, _ relation: Relation) throws -> Resource.Entity {
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: relation.target)
        let name = relation.navigation.names.wire
        guard let entity = try write.entity(id, in: relation.target.names.wire, for: name),
            try rows.resolver.visible(entity) != nil
        else {
            throw ODataError(
                service: ServiceCode.missingReference,
                "The entity that \(name) refers to does not exist.",
                target: name
            )
        }
        return Resource.Entity(set: entity.set, key: entity.key)
    }

    private func change(
        _ source: Resource.Entity,
        _ values: [Int: Value],
        _ conditions: RowWriter.Conditions
    ) throws {
        guard let current = try rows.admit(.update, source, conditions) else {
            throw ODataError.absentEntity(source.set.names.wire)
        }
        if let own = rows.step.entity, own.key == source.key, own.set.names.wire == source.set.names.wire {
            rows.step.current = rows.step.current ?? current
        }
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: source.set)
        for (place, value) in values { try write.checkChange(of: place, to: value) }
        try rows.update(source, values, current: current)
    }
}
