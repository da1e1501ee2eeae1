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

    func resolve() throws -> Resource {
        try resolve(call.target.path)
    }

    func resolve(_ path: ResourcePath) throws -> Resource {
        guard let first = path.segments.first else { return .service }
        if let version = call.options.schemaVersion, version != "*" {
            throw ODataError(.notFound, "The service publishes no version of its schema.", target: "$schemaversion")
        }
        var resource = try self.first(first, isLast: path.segments.count == 1)
        for (place, segment) in path.segments.enumerated().dropFirst() {
            let rest = path.segments[(place + 1)...]
            if Self.hasPartOfKey(resource), !Self.isKeySegment(segment) { throw Self.incompleteKey }
            if case .call(let invocation) = resource { resource = try composed(invocation) }
            let options = options(isLast: rest.isEmpty)
            resource = try next(segment, after: resource, isBeforeRef: rest == [.ref], options)
        }
        if Self.hasPartOfKey(resource) { throw Self.incompleteKey }
        return resource
    }

    private static var incompleteKey: ODataError { ODataError(.notFound, "The key is not complete.") }

    /// Whether a key that is written as segments has begun and not ended: not the whole collection is meant.
    private static func hasPartOfKey(_ resource: Resource) -> Bool {
        if case .collection(let collection) = resource { !collection.keyStart.isEmpty } else { false }
    }

    private static func isKeySegment(_ segment: ResourcePath.Segment) -> Bool {
        switch segment {
        case .name(_, nil), .literal: true
        default: false
        }
    }

    private func first(_ segment: ResourcePath.Segment, isLast: Bool) throws -> Resource {
        switch segment {
        case .metadata: return .metadata
        case .batch: return .batch
        case .reference(let id):
            guard let reference = call.reference(id) else {
                throw ODataError(
                    .notFound,
                    "Nothing is called $\(id) here, and no earlier request \(id) of a batch has addressed an entity.",
                    target: id
                )
            }
            let entity = Resource.Entity(set: reference.set, key: reference.key, isAddressedByKey: false)
            return .entity(try placed(entity))
        case .name(let name, let predicate): return try root(name, predicate, isLast: isLast)
        case .all: return .all
        case .crossjoin(let names): return .crossjoin(try sets(names))
        case .entity: return try identified()
        case .function(let name, let arguments):
            let call = FunctionCall(arguments, options: options(isLast: isLast))
            guard let resource = try imported(name, call) else { throw nothing(called: name) }
            return resource
        case .action(let name), .cast(let name), .literal(let name): throw nothing(called: name)
        case .count, .value, .ref, .key, .filter, .each, .query:
            throw ODataError(.notFound, "The path begins with what can only follow something.")
        }
    }

    /// The sets of a cross join.
    private func sets(_ names: [String]) throws(ODataError) -> [EntitySet] {
        guard Set(names).count == names.count else {
            throw ODataError(.invalidURL, "A set stands in $crossjoin once.", target: "$crossjoin")
        }
        var sets: [EntitySet] = []
        for name in names {
            guard let set = planner.model[named: name], !set.isContained else {
                throw ODataError(.notFound, "There is no entity set \(name).", target: name)
            }
            sets.append(set)
        }
        return sets
    }

    /// The entity of an id: `$entity?$id=Orders(42)`.
    ///
    /// Source: OData URL Conventions 4.01, section 4.14; OData Protocol 4.01, section 11.2.8.
    private func identified() throws -> Resource {
        guard let id = call.options.id else {
            throw ODataError(.invalidQueryOption, "$entity needs the option $id.", target: "$id")
        }
        let target = try RequestTarget(parsing: try Address(call.root).relative(id))
        guard target.path.segments.first != .entity, case .entity(let entity) = try resolve(target.path) else {
            throw ODataError(.notFound, "The id names no entity.", target: "$id")
        }
        return .entity(entity)
    }

    /// A set or a singleton of the container, or the call of an import.
    private func root(_ name: String, _ predicate: KeyPredicate?, isLast: Bool) throws -> Resource {
        if let singleton = planner.model[singleton: name], predicate == nil { return try self.singleton(singleton) }
        guard let set = planner.model[named: name], !set.isContained else {
            let form = FunctionCall(predicate, options: options(isLast: isLast))
            guard let call = try imported(name, form) else { throw nothing(called: name) }
            return call
        }
        let collection = Resource.Collection(set: set)
        guard let predicate else { return .collection(collection) }
        return .entity(try entity(predicate, in: collection))
    }

    private func singleton(_ singleton: Singleton) throws -> Resource {
        guard let set = planner.model[set: singleton.set] else {
            throw ODataError(.notFound, "There is no \(singleton.names.wire).")
        }
        let key: Key?
        if let fixed = singleton.key {
            key = fixed
        } else {
            key = try self.key(where: TypedExpression(node: .literal(.boolean(true)), type: .boolean), in: set)
        }
        guard let key else { return .nothing }
        return .entity(
            Resource.Entity(set: set, key: key, isAddressedByKey: singleton.key != nil, singleton: singleton.names.wire)
        )
    }

    private func next(
        _ segment: ResourcePath.Segment,
        after resource: Resource,
        isBeforeRef: Bool,
        _ options: QueryOptions?
    ) throws -> Resource {
        if let call = try called(segment, on: resource, options) { return call }
        if case .computed(let value) = resource { return try step(segment, from: value) }
        switch (segment, resource) {
        case (.count, .collection(let collection)): return .count(collection)
        case (.count, .property(let entity, let place)):
            guard case .collection? = entity.set.type.properties[place].structure else { break }
            return .itemCount(entity, place: place)
        case (.value, .property(let entity, let place)): return .value(entity, place: place)
        case (.value, .dynamic(let entity, let name)): return .dynamicText(entity, name: name)
        case (.value, .entity(let entity)):
            guard let place = entity.set.type.mediaProperty else { break }
            return .value(entity, place: place)
        case (.literal(let text), .collection(let collection)): return try keySegment(text, in: collection)
        case (.key(let predicate), .collection(let collection)):
            return .entity(try entity(predicate, in: collection))
        case (.cast(let name), .collection(let collection)): return try step(name, nil, in: collection)
        case (.cast(let name), .entity(let entity)): return .entity(try cast(entity, to: name))
        case (.filter(let expression), .collection(var collection)):
            let condition = try planner.condition(
                expression,
                over: collection.set,
                as: collection.derivedType,
                call.user
            )
            collection.restriction = condition.and(collection.restriction)
            return .collection(collection)
        case (.each, .collection(var collection)):
            collection.isEach = true
            return .collection(collection)
        case (.function(let name, _), _), (.action(let name), _): throw nothing(called: name)
        case (.literal, .property(let entity, let place)), (.name(_, nil), .property(let entity, let place)),
            (.cast, .property(let entity, let place)):
            if let value = try json(place, of: entity) { return try step(segment, from: value) }
            guard case .name(let name, _) = segment else { break }
            throw ODataError(.notFound, "Nothing is called \(name) here.", target: name)
        case (.ref, .reference): return resource
        case (.ref, .collection(let collection)): return .references(collection)
        case (.ref, .entity(let entity)): return .entityReference(entity)
        case (.name(let name, let predicate), .collection(let collection)):
            return try step(name, predicate, in: collection)
        case (.name(let name, let predicate), .entity(let entity)):
            return try step(name, predicate, from: entity, isBeforeRef: isBeforeRef)
        case (.name(let name, nil), .complex(let entity, let container)):
            switch entity.set.type.member(name, in: container, as: entity.derivedType) {
            case .property(let place)?: return .property(entity, place: place)
            case .complex(let place)?: return .complex(entity, place: place)
            default: throw ODataError(.notFound, "There is no \(name) here.", target: name)
            }
        default: throw segment.misplaced
        }
        throw ODataError(.notFound, "The path leads nowhere.")
    }

    /// One step from an entity: a property, a navigation property, or a cast.
    private func step(
        _ name: String,
        _ predicate: KeyPredicate?,
        from entity: Resource.Entity,
        isBeforeRef: Bool
    ) throws -> Resource {
        if predicate == nil, entity.set.type.member(name, as: entity.derivedType) == nil,
            entity.set.type.cast(name, in: planner.model) != nil
        {
            return .entity(try cast(entity, to: name))
        }
        switch entity.set.type.member(name, as: entity.derivedType) {
        case .property(let place)? where predicate == nil: return .property(entity, place: place)
        case .complex(let place)? where predicate == nil: return .complex(entity, place: place)
        case .navigation(let place)?:
            if isBeforeRef { return try reference(entity, place, predicate) }
            return try follow(place, from: entity, predicate)
        case nil where predicate == nil && entity.set.type.dynamicProperty != nil:
            return .dynamic(entity, name: name)
        default:
            let type = entity.set.type
            let names =
                type.wireProperties.map { type.properties[$0].names.wire } + type.navigationProperties.map(\.names.wire)
            let near = NearName.of(name, among: names).map { "; it has \($0)" } ?? ""
            throw ODataError(
                .notFound,
                "\(entity.set.names.wire) has no property \(name.prefix(128))\(near).",
                target: name
            )
        }
    }

    /// A cast, or the next value of a key that is written as segments: `Orders/42`.
    private func step(
        _ name: String,
        _ predicate: KeyPredicate?,
        in collection: Resource.Collection
    ) throws -> Resource {
        let type = collection.set.type
        if collection.keyStart.isEmpty, let derived = type.cast(name, in: planner.model) {
            var collection = collection
            if let derived { collection = narrowed(collection, to: derived) }
            guard let predicate else { return .collection(collection) }
            return .entity(try entity(predicate, in: collection))
        }
        guard predicate == nil else {
            throw ODataError(.notFound, "Nothing is called \(name) here.", target: name)
        }
        return try keySegment(name, in: collection)
    }

    /// The value of a key as a segment: text as it is, without quotes.
    ///
    /// Source: OData URL Conventions 4.01, section 4.3.6.
    func keySegment(_ text: String, in collection: Resource.Collection) throws -> Resource {
        let type = collection.set.type
        let property = type.properties[type.key[collection.keyStart.count]]
        guard let value = property.type == .string ? .string(text) : Value(text: text, as: property.type), !value.isNull
        else {
            throw ODataError(.notFound, "Nothing is called \(text) here.", target: text)
        }
        var collection = collection
        collection.keyStart.append(value)
        guard collection.keyStart.count == type.key.count else { return .collection(collection) }
        return .entity(try member(entity(Key(collection.keyStart), in: collection), of: collection))
    }

    private func narrowed(_ collection: Resource.Collection, to derived: String) -> Resource.Collection {
        var collection = collection
        collection.derivedType = derived
        collection.restriction = collection.set.type.isOf(derived).and(collection.restriction)
        return collection
    }

    /// The entity as one of a derived type: there only when it is one.
    private func cast(_ entity: Resource.Entity, to name: String) throws -> Resource.Entity {
        guard let derived = entity.set.type.cast(name, in: planner.model) else {
            throw ODataError(.notFound, "\(entity.set.names.wire) has no type \(name).", target: name)
        }
        guard let derived else { return entity }
        var entity = entity
        entity.derivedType = derived
        entity.restriction = entity.set.type.isOf(derived).and(entity.restriction)
        return entity
    }
}
