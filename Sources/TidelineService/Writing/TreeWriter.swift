// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Writes an entity with the entities that stand in it: all or nothing, in the step's transaction.
///
/// What the entity refers to comes first, what refers to it comes after it.
struct TreeWriter {
    let rows: RowWriter

    private func write(_ set: EntitySet) -> EntityWrite {
        EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: set)
    }

    // MARK: Deep insert

    /// Makes the entity of a body.
    ///
    /// - Parameters:
    ///   - link: the values that make it part of the collection that it is made in.
    ///   - key: the key that the URL names.
    ///   - cast: the derived type that the URL names.
    func insert(
        _ body: EntityBody,
        into set: EntitySet,
        link: [Int: Value] = [:],
        key: Key? = nil,
        cast: String? = nil
    ) throws -> Resource.Entity {
        try rows.mayWrite(.insert, set)
        let write = write(set)
        var values = try write.values(of: body, current: nil, cast: cast)
        for related in body.nested where set.type.navigationProperties[related.navigation].isDependent {
            let navigation = set.type.navigationProperties[related.navigation]
            guard let target = rows.core.planner.model[set: navigation.targetSet] else { continue }
            for member in related.members {
                try refuseExisting(member, navigation)
                let made = try insert(member, into: target)
                let parent = try stored(made)
                for constraint in navigation.constraints {
                    try write.tie(constraint.source, parent.values[constraint.target], &values, isInsert: true)
                }
            }
        }
        for (place, value) in link { try write.tie(place, value, &values, isInsert: true) }
        if let key { for (place, value) in zip(set.type.key, key.values) { values[place] = value } }
        let entity = try rows.insert(values, into: set)
        try relate(body, entity, replaces: false, isNew: true)
        return entity
    }

    private func refuseExisting(_ member: EntityBody, _ navigation: NavigationProperty) throws(ODataError) {
        guard member.id == nil || member.isReference else {
            throw ODataError(
                .invalidBody,
                "\(navigation.names.wire) has content for an entity that exists.",
                target: navigation.names.wire
            )
        }
    }

    private func stored(_ entity: Resource.Entity) throws -> StoredEntity {
        guard let stored = try rows.writer.entity(entity.key, in: entity.set) else {
            throw ODataError.absentEntity(entity.set.names.wire)
        }
        return stored
    }

    // MARK: Deep update

    /// Changes an entity as a body says.
    ///
    /// - Parameter link: the values that tie it to the entity that it stands in; they stay.
    func update(
        _ body: EntityBody,
        _ entity: Resource.Entity,
        _ current: StoredEntity,
        replaces: Bool,
        link: [Int: Value] = [:]
    ) throws {
        let set = entity.set
        let write = write(set)
        if let first = body.nested.first, try ODataVersion.ofBody(rows.call.fields) < .v401 {
            let name = set.type.navigationProperties[first.navigation].names.wire
            throw ODataError(
                .invalidBody,
                "A change in OData 4.0 cannot hold related entities: bind \(name) with \(name)@odata.bind.",
                target: name
            )
        }
        var values = try write.values(of: body, current: current, replaces: replaces)
        for related in body.nested where set.type.navigationProperties[related.navigation].isDependent {
            let navigation = set.type.navigationProperties[related.navigation]
            guard let target = rows.core.planner.model[set: navigation.targetSet] else { continue }
            for member in related.members {
                let parent = try put(member, in: target, navigation, link: [:], replaces: replaces)
                let stored = try stored(parent)
                for constraint in navigation.constraints {
                    try write.tie(constraint.source, stored.values[constraint.target], &values, isInsert: false)
                }
            }
        }
        if replaces { try write.complete(&values, isInsert: false) }
        for (place, value) in link where values[place] != nil { values[place] = value }
        try rows.update(entity, values, current: current)
        try relate(body, entity, replaces: replaces, isNew: false)
    }

    // MARK: Related entities

    /// Brings the related entities that refer to the entity, or are linked to it, to what the body says.
    private func relate(_ body: EntityBody, _ entity: Resource.Entity, replaces: Bool, isNew: Bool) throws {
        let type = entity.set.type
        let binds = body.binds.filter { !type.navigationProperties[$0.navigation].isDependent }
        let nested = body.nested.filter { !type.navigationProperties[$0.navigation].isDependent }
        if binds.isEmpty, nested.isEmpty { return }
        let stored = try stored(entity)
        for bind in binds {
            let relation = try Relation(rows, entity, stored, bind.navigation)
            for text in bind.references { try relation.add(try existing(text, relation)) }
            if bind.references.isEmpty, !relation.navigation.isCollection {
                for key in try relation.keys() { try relation.remove(key, deleting: false) }
            }
        }
        for related in nested {
            let relation = try Relation(rows, entity, stored, related.navigation)
            if related.form == .delta, isNew || replaces {
                throw ODataError(
                    .invalidBody,
                    "\(relation.navigation.names.wire)@delta is for PATCH of what is there.",
                    target: relation.navigation.names.wire
                )
            }
            try relate(related, relation, replaces: replaces, isNew: isNew)
        }
    }

    private func relate(_ related: RelatedEntities, _ relation: Relation, replaces: Bool, isNew: Bool) throws {
        if isNew { for member in related.members { try refuseExisting(member, relation.navigation) } }
        let places = try related.members.map { isNew && !$0.isReference ? .unnamed : try locate($0, relation) }
        if related.form != .delta, !isNew {
            // What is no longer among them goes first: it may hold values that the others take.
            var kept: Set<Key> = []
            for case .named(let entity, _) in places { kept.insert(entity.key) }
            for key in try relation.keys() where !kept.contains(key) { try relation.remove(key, deleting: false) }
        }
        for (member, place) in zip(related.members, places) {
            if let removal = member.removal {
                guard case .named(let entity, _?) = place else {
                    throw ODataError.absentEntity(relation.target.names.wire)
                }
                try relation.remove(entity.key, deleting: removal == .deleted)
                continue
            }
            try put(member, place, relation, replaces: replaces)
        }
    }

    private func put(_ member: EntityBody, _ place: Place, _ relation: Relation, replaces: Bool) throws {
        switch place {
        case .named(let entity, let current?):
            if member.isReference { return try relation.add(entity) }
            try admit(member, entity)
            try relation.add(entity)
            // Tying it may have changed the row.
            let row = try rows.writer.entity(entity.key, in: entity.set) ?? current
            try update(member, entity, row, replaces: replaces, link: relation.link)
        case .named(let entity, nil):
            if member.isReference { throw missing(relation.navigation) }
            let key = relation.target.type.hasGeneratedKey ? nil : entity.key
            try relation.insert { try insert(member, into: relation.target, link: $0, key: key) }
        case .unnamed:
            try relation.insert { try insert(member, into: relation.target, link: $0) }
        }
    }

    /// Changes the entity that a member of a body names, or makes it.
    private func put(
        _ member: EntityBody,
        in set: EntitySet,
        _ navigation: NavigationProperty,
        link: [Int: Value],
        replaces: Bool
    ) throws -> Resource.Entity {
        switch try locate(member, in: set, link: link, for: navigation.names.wire) {
        case .named(let entity, let current?):
            try admit(member, entity)
            try update(member, entity, current, replaces: replaces)
            return entity
        case .named(let entity, nil):
            if member.isReference { throw missing(navigation) }
            return try insert(member, into: set, link: link, key: set.type.hasGeneratedKey ? nil : entity.key)
        case .unnamed: return try insert(member, into: set, link: link)
        }
    }

    private func admit(_ member: EntityBody, _ entity: Resource.Entity) throws {
        guard try rows.admit(.update, entity, RowWriter.Conditions(ifMatch: member.etag)) != nil else {
            throw ODataError.absentEntity(entity.set.names.wire)
        }
    }

    // MARK: Finding

    /// Where the entity of a body is.
    enum Place {
        /// It has an id or a key; the row is `nil` when no such entity can be seen.
        case named(Resource.Entity, StoredEntity?)
        case unnamed
    }

    private func locate(_ member: EntityBody, _ relation: Relation) throws -> Place {
        try locate(member, in: relation.target, link: relation.link, for: relation.navigation.names.wire)
    }

    /// - Throws: `InvalidBody` when id and key name different entities, or the id one of another set.
    func locate(
        _ member: EntityBody,
        in set: EntitySet,
        link: [Int: Value] = [:],
        for navigation: String? = nil
    ) throws -> Place {
        guard let named = try named(member, in: set, link: link, for: navigation) else { return .unnamed }
        return .named(named, try rows.resolver.visible(named))
    }

    /// The entity that a body names by its id or its key, whether or not it is there.
    ///
    /// - Parameter navigation: the navigation property that the body stands in.
    /// - Throws: `InvalidBody` when id and key name different entities, or the id one of another set.
    func named(
        _ member: EntityBody,
        in set: EntitySet,
        link: [Int: Value] = [:],
        for navigation: String? = nil
    ) throws -> Resource.Entity? {
        var named: Resource.Entity?
        if let id = member.id {
            guard let entity = try write(set).entity(id, in: set.names.wire, for: navigation ?? "@id") else {
                throw ODataError(
                    service: ServiceCode.missingReference,
                    "The entity \(id.prefix(200)) does not exist.",
                    target: "@id"
                )
            }
            named = entity
        }
        var key: [Value] = []
        for part in set.type.key {
            guard let value = member.assignments.first(where: { $0.property == part })?.value ?? link[part],
                value != .null
            else { break }
            key.append(value)
        }
        if key.count == set.type.key.count {
            guard named == nil || named?.key == Key(key) else {
                throw ODataError(.invalidBody, "The id and the key of an entity name different ones.", target: "@id")
            }
            named = named ?? Resource.Entity(set: set, key: Key(key))
        }
        return named
    }

    private func existing(_ text: String, _ relation: Relation) throws -> Resource.Entity {
        let name = relation.navigation.names.wire
        guard let entity = try write(relation.target).entity(text, in: relation.target.names.wire, for: name),
            try rows.resolver.visible(entity) != nil
        else { throw missing(relation.navigation) }
        return entity
    }

    private func missing(_ navigation: NavigationProperty) -> ODataError {
        ODataError(
            service: ServiceCode.missingReference,
            "The entity that \(navigation.names.wire) refers to does not exist.",
            target: navigation.names.wire
        )
    }
}
