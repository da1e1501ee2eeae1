// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Entities by their keys.
extension Resolver {
    func entity(_ key: Key, in collection: Resource.Collection) -> Resource.Entity {
        Resource.Entity(
            set: collection.set,
            key: key,
            restriction: collection.restriction,
            derivedType: collection.derivedType,
            containedIn: collection.set.isContained ? collection.containedIn : nil
        )
    }

    /// The entity of a key, the primary or an alternate one.
    func entity(_ predicate: KeyPredicate, in collection: Resource.Collection) throws -> Resource.Entity {
        let set = collection.set
        guard case .named(let pairs) = predicate, let values = try alternate(pairs, of: set.type) else {
            return try member(entity(try predicate.key(for: set.type), in: collection), of: collection)
        }
        let condition = TypedExpression.equal(values.places, of: set.type, to: values.values)
        guard let key = try key(where: condition.and(collection.restriction), in: set) else {
            throw ODataError.absentEntity(set.names.wire)
        }
        var entity = entity(key, in: collection)
        entity.isAddressedByKey = false
        return try member(entity, of: collection)
    }

    /// The places and values of an alternate key; `nil` when the names are those of no such key.
    ///
    /// Source: OData Core vocabulary, `AlternateKeys`.
    private func alternate(
        _ pairs: [KeyPredicate.Pair],
        of type: EntityType
    ) throws(ODataError) -> (places: [Int], values: [Value])? {
        let names = Set(pairs.map(\.name))
        guard names.count == pairs.count, names != Set(type.key.map { type.properties[$0].names.wire }) else {
            return nil
        }
        guard let places = type.uniqueKeys.first(where: { Set($0.map { type.properties[$0].names.wire }) == names })
        else { return nil }
        var other = type
        other.key = places
        return (places, try predicate(pairs).key(for: other).values)
    }

    private func predicate(_ pairs: [KeyPredicate.Pair]) -> KeyPredicate { .named(pairs) }

    /// The keys of the entities of a collection that the user can see.
    ///
    /// - Parameters:
    ///   - limit: the most that there may be.
    ///   - refusal: what to say of more.
    /// - Throws: `tooComplex` when there are more.
    func keys(of collection: Resource.Collection, limit: Int, refusal: String) throws -> [Key] {
        let set = collection.set
        let sink = KeySink(set.type)
        var plan = ReadPlan(
            model: planner.model,
            set: set,
            filter: Fence(policy: try planner.visibility(set, call.user)).filter(collection.restriction),
            top: limit + 1,
            columns: set.type.key,
            includesETag: false,
            user: call.user
        )
        plan.source = collection.source
        _ = try reader.read(plan, into: sink)
        guard sink.rows.count <= limit else { throw ODataError(.tooComplex, refusal) }
        return sink.keys
    }
}
