// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// The relation of one entity over one navigation property that the entity does not hold itself: its foreign keys stand
/// in the related rows, or in rows of a link table.
struct Relation {
    let rows: RowWriter
    let source: Resource.Entity
    let stored: StoredEntity
    let navigation: NavigationProperty
    let target: EntitySet

    /// The most related entities that one request takes out of a relation.
    private static let limit = 10_000

    init(_ rows: RowWriter, _ source: Resource.Entity, _ stored: StoredEntity, _ place: Int) throws(ODataError) {
        self.rows = rows
        self.source = source
        self.stored = stored
        navigation = source.set.type.navigationProperties[place]
        guard let target = rows.core.planner.model[set: navigation.targetSet] else {
            throw ODataError(.notFound, "\(navigation.names.wire) leads nowhere.", target: navigation.names.wire)
        }
        self.target = target
    }

    /// The values that make a new entity at the other end a related one.
    var link: [Int: Value] {
        guard navigation.link == nil else { return [:] }
        return Dictionary(
            navigation.constraints.map { ($0.target, stored.values[$0.source]) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private var untied: [Int: Value] {
        Dictionary(navigation.constraints.map { ($0.target, .null) }, uniquingKeysWith: { first, _ in first })
    }

    /// The keys of the related entities that the user can see.
    func keys() throws -> [Key] {
        guard let ends = try linkEnds() else {
            let values = navigation.constraints.map { stored.values[$0.source] }
            if values.contains(.null) { return [] }
            let tied = TypedExpression.equal(navigation.constraints.map(\.target), of: target.type, to: values)
            return try keys(where: tied, in: target, columns: target.type.key)
        }
        let owned = TypedExpression.equal(
            ends.owner.constraints.map(\.source),
            of: ends.set.type,
            to: ends.owner.constraints.map { stored.values[$0.target] }
        )
        // The link row's columns in the order of the target's key.
        let columns = target.type.key.compactMap { part in
            ends.target.constraints.first { $0.target == part }.map(\.source)
        }
        let keys = try keys(where: owned, in: ends.set, columns: columns)
        return try keys.filter { try rows.resolver.visible(Resource.Entity(set: target, key: $0)) != nil }
    }

    private func keys(where condition: TypedExpression, in set: EntitySet, columns: [Int]) throws -> [Key] {
        let policy = try rows.core.planner.visibility(set, rows.call.user)
        let sink = KeySink(set.type, columns: columns)
        _ = try rows.writer.read(
            ReadPlan(
                model: rows.core.planner.model,
                set: set,
                filter: condition.and(policy),
                top: Self.limit + 1,
                columns: columns,
                includesETag: false,
                user: rows.call.user
            ),
            into: sink
        )
        guard sink.rows.count <= Self.limit else {
            throw ODataError(.tooComplex, "More than \(Self.limit) entities are related: change them one by one.")
        }
        return sink.keys
    }

    // MARK: Changes

    /// Relates an existing entity; one that is related already stays so.
    func add(_ entity: Resource.Entity) throws {
        if let ends = try linkEnds() {
            guard let other = try rows.resolver.visible(entity) else { throw absent }
            let values = linkValues(ends, other)
            if try linkRow(ends, values) != nil { return }
            try rows.mayWrite(.insert, ends.set)
            _ = try rows.insert(values, into: ends.set)
            return
        }
        guard let current = try rows.admit(.update, entity, .none) else { throw absent }
        let values = link
        if values.allSatisfy({ current.values[$0] == $1 }) { return }
        if !navigation.isCollection {
            for key in try keys() { try remove(key, deleting: false) }
        }
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: target)
        for (place, value) in values { try write.checkChange(of: place, to: value) }
        try rows.update(entity, values, current: current)
    }

    /// Makes an entity at the other end and relates it.
    func insert(_ make: ([Int: Value]) throws -> Resource.Entity) throws {
        let entity = try make(link)
        if navigation.link != nil { try add(entity) }
    }

    /// Takes an entity out of the relation; what is contained, or shall be, is deleted.
    func remove(_ key: Key, deleting: Bool) throws {
        let entity = Resource.Entity(set: target, key: key)
        if let ends = try linkEnds() {
            guard let other = try rows.resolver.visible(entity) else { throw absent }
            guard let row = try linkRow(ends, linkValues(ends, other)) else { throw absent }
            let link = Resource.Entity(set: ends.set, key: row)
            guard try rows.admit(.delete, link, .none) != nil else { throw absent }
            try rows.delete(link)
            if !deleting { return }
        }
        let isDeleted = deleting || navigation.isContainment
        // What another entity is related to is none of this relation, and stays.
        guard let current = try rows.admit(isDeleted ? .delete : .update, entity, .none),
            link.allSatisfy({ current.values[$0] == $1 })
        else { throw absent }
        if isDeleted { return try rows.delete(entity) }
        let write = EntityWrite(core: rows.core, writer: rows.writer, call: rows.call, set: target)
        for (place, value) in untied { try write.checkChange(of: place, to: value) }
        try rows.update(entity, untied, current: current)
    }

    private var absent: ODataError { .absentEntity(target.names.wire) }

    // MARK: Link tables

    private struct Ends {
        var set: EntitySet
        var owner: NavigationProperty
        var target: NavigationProperty
    }

    private func linkEnds() throws(ODataError) -> Ends? {
        guard let link = navigation.link else { return nil }
        guard let set = rows.core.planner.model[set: link.set],
            let owner = set.type.navigationIndex(wire: link.toOwner),
            let target = set.type.navigationIndex(wire: link.toTarget)
        else { throw ODataError(.notFound, "\(navigation.names.wire) leads nowhere.", target: navigation.names.wire) }
        return Ends(
            set: set,
            owner: set.type.navigationProperties[owner],
            target: set.type.navigationProperties[target]
        )
    }

    private func linkValues(_ ends: Ends, _ other: StoredEntity) -> [Int: Value] {
        var values: [Int: Value] = [:]
        for constraint in ends.owner.constraints { values[constraint.source] = stored.values[constraint.target] }
        for constraint in ends.target.constraints { values[constraint.source] = other.values[constraint.target] }
        return values
    }

    /// The key of the link row with these values.
    private func linkRow(_ ends: Ends, _ values: [Int: Value]) throws -> Key? {
        let places = values.keys.sorted()
        let condition = TypedExpression.equal(places, of: ends.set.type, to: places.map { values[$0] ?? .null })
        return try rows.resolver.key(where: condition, in: ends.set)
    }
}
