// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData
import TidelineStorage

/// What a URL's path leads to.
enum Resource {
    case service
    case metadata
    case batch
    /// The entities of all sets: `$all`.
    case all
    /// The entities of several sets, each with each.
    case crossjoin([EntitySet])
    case collection(Collection)
    case entity(Entity)
    /// A single-valued navigation property that is null.
    case nothing
    /// A structural property; a stream too.
    case property(Entity, place: Int)
    /// A property that an open type does not declare.
    case dynamic(Entity, name: String)
    /// `/$value` of it.
    case dynamicText(Entity, name: String)
    /// A complex property over columns.
    case complex(Entity, place: Int)
    /// `/$value` of a property.
    case value(Entity, place: Int)
    /// `/$count` of a collection.
    case count(Collection)
    /// `/$count` of a property that holds a collection.
    case itemCount(Entity, place: Int)
    /// `/$ref` of a navigation property, or of one entity in a collection.
    case reference(Entity, navigation: Int, target: Key?)
    /// `/$ref` of a set, or of an entity by its key.
    case references(Collection)
    case entityReference(Entity)
    /// A call of an operation that is not carried out yet.
    case call(Invocation)
    /// What a function gave that is no entity.
    case computed(ComputedValue)
    /// `/$value` of it, and `/$count`.
    case computedText(ComputedValue)
    case computedCount(Int)

    struct Collection {
        var set: EntitySet
        /// The way from the entity whose navigation property it is, and what `$filter` segments add.
        var restriction: TypedExpression?
        /// What an operation gave, where the collection is that and not the whole set.
        var source: RowSource?
        /// The values that make a new entity part of the collection, by place.
        var link: [Int: Value] = [:]
        /// The wire name of the derived type that the collection is cast to.
        var derivedType: String?
        /// The URL of the collection where its entities are contained in another, or come over a navigation property.
        var containedIn: String?
        /// Whether the path ends in `/$each`: each member is meant, not the collection.
        var isEach = false
        /// The first values of a key that is written as segments.
        var keyStart: [Value] = []
        /// The entity and the place of the many-to-many navigation property that the collection is.
        var linked: (owner: Key, set: String, navigation: Int)?
    }

    struct Entity {
        var set: EntitySet
        var key: Key
        var restriction: TypedExpression?
        /// Whether the key was written in the URL, so that an absent entity may be made there.
        var isAddressedByKey = true
        /// The wire name of the derived type that the entity is cast to.
        var derivedType: String?
        /// The wire name of the singleton that it is.
        var singleton: String?
        /// The URL of the collection that it is contained in.
        var containedIn: String?
        /// The URL of the single-valued navigation property behind which it stands, of a contained entity.
        var standsAt: String?

        /// The condition that only this entity meets.
        var condition: TypedExpression {
            TypedExpression.equal(set.type.key, of: set.type, to: key.values).and(restriction)
        }

        /// The URL below the service root, percent-encoded.
        var url: String {
            if let own = singleton ?? standsAt { return own }
            if let containedIn {
                return containedIn + PercentCoding.encode(segment: ResourceURL.predicate(key, type: set.type))
            }
            return ResourceURL.entity(set: set.names.wire, key: key, type: set.type)
        }
    }
}
