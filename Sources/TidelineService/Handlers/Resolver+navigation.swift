// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

extension Resolver {
    func reference(_ entity: Resource.Entity, _ place: Int, _ predicate: KeyPredicate?) throws -> Resource {
        let navigation = entity.set.type.navigationProperties[place]
        guard let target = planner.model[set: navigation.targetSet] else {
            throw ODataError(.notFound, "The path leads nowhere.")
        }
        guard var predicate else { return .reference(entity, navigation: place, target: nil) }
        if navigation.isCollection, navigation.link == nil {
            guard let source = try visible(entity) else { throw ODataError.absentEntity(entity.set.names.wire) }
            predicate = completed(predicate, by: link(navigation, from: source), of: target.type)
        }
        return .reference(entity, navigation: place, target: try predicate.key(for: target.type))
    }

    /// The values that tie an entity to those that a navigation property leads to, by the places where those have them.
    private func link(_ navigation: NavigationProperty, from source: StoredEntity) -> [Int: Value] {
        Dictionary(
            navigation.constraints.map { ($0.target, source.values[$0.source]) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// One step over a navigation property, from an entity that the user can see.
    func follow(_ place: Int, from entity: Resource.Entity, _ predicate: KeyPredicate?) throws -> Resource {
        let navigation = entity.set.type.navigationProperties[place]
        guard let target = planner.model[set: navigation.targetSet] else {
            throw ODataError(.notFound, "The path leads nowhere.")
        }
        guard let source = try visible(entity) else { throw ODataError.absentEntity(entity.set.names.wire) }
        let url = self.url(of: navigation, from: entity)
        if let link = navigation.link {
            var collection = Resource.Collection(
                set: target,
                restriction: try linked(link, from: source, of: entity.set, to: target),
                containedIn: url
            )
            collection.linked = (entity.key, entity.set.names.wire, place)
            guard let predicate else { return .collection(collection) }
            return .entity(try self.entity(predicate, in: collection))
        }
        let values = navigation.constraints.map { source.values[$0.source] }
        let places = navigation.constraints.map(\.target)
        let isTied = !values.contains(.null)
        let restriction = isTied ? TypedExpression.equal(places, of: target.type, to: values) : .falsehood
        if navigation.isCollection {
            let link = link(navigation, from: source)
            let collection = Resource.Collection(set: target, restriction: restriction, link: link, containedIn: url)
            guard let predicate else { return .collection(collection) }
            return .entity(try self.entity(completed(predicate, by: link, of: target.type), in: collection))
        }
        guard predicate == nil else {
            throw ODataError(.invalidKey, "\(navigation.names.wire) leads to one entity and takes no key.")
        }
        guard isTied, let key = try self.key(where: restriction, in: target) else { return .nothing }
        return .entity(
            Resource.Entity(
                set: target,
                key: key,
                restriction: restriction,
                isAddressedByKey: false,
                standsAt: target.isContained ? url : nil
            )
        )
    }

    /// The URL of a navigation property: what a derived type declares follows a cast.
    private func url(of navigation: NavigationProperty, from entity: Resource.Entity) -> String {
        let cast = navigation.declaringType.map { "/\(planner.model.namespace).\($0)" } ?? ""
        return "\(entity.url)\(cast)/\(navigation.names.wire)"
    }

    /// An entity that was found by its key alone: a contained one with the address by way of what contains it.
    ///
    /// Without such an owner that the user can see it has none.
    func placed(_ entity: Resource.Entity) throws -> Resource.Entity {
        try placed(entity, depth: 0)
    }

    /// Entities contain entities to so many levels at most.
    private static let containmentLimit = 16

    private func placed(_ entity: Resource.Entity, depth: Int) throws -> Resource.Entity {
        let name = entity.set.names.wire
        guard entity.set.isContained, depth < Self.containmentLimit,
            let stored = try reader.entity(entity.key, in: entity.set)
        else { return entity }
        for owner in planner.model.sets {
            for navigation in owner.type.navigationProperties where navigation.isContainment {
                guard navigation.targetSet == name, navigation.link == nil,
                    planner.policies.access(.read, to: owner.names.wire, for: call.user) != .none
                else { continue }
                let values = navigation.constraints.map { stored.values[$0.target] }
                let condition = TypedExpression.equal(navigation.constraints.map(\.source), of: owner.type, to: values)
                guard !values.contains(.null), let key = try self.key(where: condition, in: owner) else { continue }
                let around = try placed(Resource.Entity(set: owner, key: key), depth: depth + 1)
                if owner.isContained, around.containedIn == nil, around.standsAt == nil { continue }
                let url = self.url(of: navigation, from: around)
                var placed = entity
                if navigation.isCollection { placed.containedIn = url } else { placed.standsAt = url }
                return placed
            }
        }
        return entity
    }

    /// The key with those properties that the relationship gives: `Orders(1)/Lines(2)` for lines of order and number.
    ///
    /// Source: OData URL Conventions 4.01, section 4.3.2.
    private func completed(_ predicate: KeyPredicate, by link: [Int: Value], of type: EntityType) -> KeyPredicate {
        let open = type.key.filter { link[$0] == nil }
        guard open.count < type.key.count, !open.isEmpty else { return predicate }
        var pairs: [KeyPredicate.Pair]
        switch predicate {
        case .positional(let value):
            guard open.count == 1 else { return predicate }
            pairs = [KeyPredicate.Pair(name: type.properties[open[0]].names.wire, value: value)]
        case .named(let named): pairs = named
        }
        for place in type.key {
            let name = type.properties[place].names.wire
            guard let value = link[place], !pairs.contains(where: { $0.name == name }) else { continue }
            pairs.append(KeyPredicate.Pair(name: name, value: value))
        }
        return .named(pairs)
    }

    /// The condition that an entity is at the other end of a link table.
    ///
    /// Links that the user may not see are not there.
    private func linked(
        _ link: LinkTable,
        from source: StoredEntity,
        of owner: EntitySet,
        to target: EntitySet
    ) throws -> TypedExpression {
        guard let set = planner.model[set: link.set],
            let toOwner = set.type.navigationIndex(wire: link.toOwner).map({ set.type.navigationProperties[$0] }),
            let toTarget = set.type.navigationIndex(wire: link.toTarget).map({ set.type.navigationProperties[$0] })
        else { throw ODataError(.notFound, "The path leads nowhere.") }
        let condition = TypedExpression.equal(
            toOwner.constraints.map(\.source),
            of: set.type,
            to: toOwner.constraints.map { source.values[$0.target] }
        )
        let columns = toTarget.constraints.map(\.source)
        let sink = KeySink(set.type, columns: columns)
        _ = try reader.read(
            ReadPlan(
                model: planner.model,
                set: set,
                filter: condition.and(try planner.visibility(set, call.user)),
                columns: columns,
                includesETag: false,
                user: call.user
            ),
            into: sink
        )
        let places = toTarget.constraints.map(\.target)
        let rows = sink.rows.filter { !$0.contains(.null) }
        if places.count == 1 {
            let items = rows.map { TypedExpression.literal($0[0], target.type.properties[places[0]].type) }
            guard !items.isEmpty else { return .falsehood }
            return TypedExpression(node: .isIn(.property(places[0], of: target.type), items), type: .boolean)
        }
        return .any(rows.map { TypedExpression.equal(places, of: target.type, to: $0) }[...])
    }

    /// The key of the one entity that satisfies a condition and that the user can see.
    func key(where condition: TypedExpression, in set: EntitySet) throws -> Key? {
        let policy = try planner.visibility(set, call.user)
        let sink = KeySink(set.type)
        _ = try reader.read(
            ReadPlan(
                model: planner.model,
                set: set,
                filter: Fence(policy: policy).filter(condition),
                top: 1,
                columns: set.type.key,
                includesETag: false,
                user: call.user
            ),
            into: sink
        )
        return sink.keys.first
    }

    /// The entity, if it exists and the user can see it.
    func visible(_ entity: Resource.Entity) throws -> StoredEntity? {
        let policy = try planner.visibility(entity.set, call.user)
        if let condition = Fence(policy: policy).filter(entity.restriction) {
            guard try reader.satisfies(condition, key: entity.key, in: entity.set, user: call.user) else { return nil }
        }
        return try reader.entity(entity.key, in: entity.set)
    }

    /// The JSON in a property, as what a path can go on in; `nil` for another property.
    func json(_ place: Int, of entity: Resource.Entity) throws -> ComputedValue? {
        let property = entity.set.type.properties[place]
        switch property.structure {
        case .collection?, .complex?: break
        case .dynamic?, nil: return nil
        }
        guard let stored = try visible(entity) else { throw ODataError.absentEntity(entity.set.names.wire) }
        return ComputedValue(property, stored.values[place], in: planner.model)
    }
}
