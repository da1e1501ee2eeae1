// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// Entities by their keys: in parentheses, as segments, alternate ones.
extension Resolver {
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
        return (places, try KeyPredicate.named(pairs).key(for: other).values)
    }
}
