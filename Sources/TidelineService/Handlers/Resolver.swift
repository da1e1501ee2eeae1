// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Follows the segments of a URL's path.
///
/// What the user may not see is not there, at each step.
struct Resolver {
    let planner: Planner
    let reader: any StoreReader
    let call: Call

    private enum State {
        case root
        case at(Resource)
    }

    func resolve() throws -> Resource {
        try resolve(call.target.path)
    }

    func resolve(_ path: ResourcePath) throws -> Resource {
        var state = State.root
        for segment in path.segments {
            switch state {
            case .root: state = .at(try first(segment))
            case .at(let resource): state = .at(try next(segment, after: resource))
            }
        }
        if case .at(let resource) = state { return resource }
        return .service
    }

    private func first(_ segment: ResourcePath.Segment) throws -> Resource {
        switch segment {
        case .metadata: return .metadata
        case .batch: return .batch
        case .reference(let id):
            guard let reference = call.references[id] else {
                throw ODataError(
                    .notFound,
                    "No earlier request \(id) of this batch has made or addressed an entity.",
                    target: id
                )
            }
            return .entity(Resource.Entity(set: reference.set, key: reference.key, isAddressedByKey: false))
        case .name(let name, let predicate):
            guard let set = planner.model[set: name] else {
                throw ODataError(.notFound, "There is no entity set \(name).", target: name)
            }
            guard let predicate else { return .collection(Resource.Collection(set: set)) }
            return .entity(Resource.Entity(set: set, key: try predicate.key(for: set.type)))
        case .count, .value, .ref:
            throw ODataError(.notFound, "The path begins with what can only follow something.")
        }
    }

    private func next(_ segment: ResourcePath.Segment, after resource: Resource) throws -> Resource {
        switch (segment, resource) {
        case (.count, .collection(let collection)): return .count(collection)
        case (.value, .property(let entity, let place)): return .value(entity, place: place)
        case (.name(let name, let predicate), .entity(let entity)):
            if let place = entity.set.type.propertyIndex(wire: name), predicate == nil,
                !entity.set.type.properties[place].isLocalOnly
            {
                return .property(entity, place: place)
            }
            guard let place = entity.set.type.navigationIndex(wire: name) else {
                throw ODataError(.notFound, "\(entity.set.names.wire) has no property \(name).", target: name)
            }
            let isLast = call.target.path.segments.last == .ref && call.target.path.segments.dropLast().last == segment
            if isLast { return try reference(entity, place, predicate) }
            return try follow(place, from: entity, predicate)
        case (.ref, .reference): return resource
        case (.name(let name, _), _): throw ODataError(.notFound, "Nothing is called \(name) here.", target: name)
        default: throw ODataError(.notFound, "The path leads nowhere.")
        }
    }

    private func reference(_ entity: Resource.Entity, _ place: Int, _ predicate: KeyPredicate?) throws -> Resource {
        guard let target = planner.model[set: entity.set.type.navigationProperties[place].targetSet] else {
            throw ODataError(.notFound, "The path leads nowhere.")
        }
        return .reference(entity, navigation: place, target: try predicate?.key(for: target.type))
    }

    /// One step over a navigation property, from an entity that the user can see.
    private func follow(_ place: Int, from entity: Resource.Entity, _ predicate: KeyPredicate?) throws -> Resource {
        let navigation = entity.set.type.navigationProperties[place]
        guard let target = planner.model[set: navigation.targetSet] else {
            throw ODataError(.notFound, "The path leads nowhere.")
        }
        guard let source = try visible(entity) else { throw ODataError.absentEntity(entity.set.names.wire) }
        let values = navigation.constraints.map { source.values[$0.source] }
        let places = navigation.constraints.map(\.target)
        let isTied = !values.contains(.null)
        let restriction = isTied ? TypedExpression.equal(places, of: target.type, to: values) : .falsehood
        if navigation.isCollection {
            let link = Dictionary(zip(places, values), uniquingKeysWith: { first, _ in first })
            guard let predicate else {
                return .collection(Resource.Collection(set: target, restriction: restriction, link: link))
            }
            let key = try predicate.key(for: target.type)
            return .entity(Resource.Entity(set: target, key: key, restriction: restriction))
        }
        guard predicate == nil else {
            throw ODataError(.invalidKey, "\(navigation.names.wire) leads to one entity and takes no key.")
        }
        guard isTied, let key = try self.key(where: restriction, in: target) else { return .nothing }
        return .entity(Resource.Entity(set: target, key: key, restriction: restriction, isAddressedByKey: false))
    }

    /// The key of the one entity that satisfies a condition and that the user can see.
    func key(where condition: TypedExpression, in set: EntitySet) throws -> Key? {
        let policy = try planner.visibility(set, call.user)
        let sink = KeySink(set.type)
        _ = try reader.read(
            ReadPlan(
                model: planner.model,
                set: set,
                filter: condition.and(policy),
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
        if let condition = TypedExpression.all(entity.restriction, policy) {
            guard try reader.satisfies(condition, key: entity.key, in: entity.set, user: call.user) else { return nil }
        }
        return try reader.entity(entity.key, in: entity.set)
    }
}
