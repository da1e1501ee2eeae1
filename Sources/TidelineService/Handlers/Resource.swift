// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// What a URL's path leads to.
enum Resource {
    case service
    case metadata
    case batch
    case collection(Collection)
    case entity(Entity)
    /// A single-valued navigation property that is null.
    case nothing
    case property(Entity, place: Int)
    /// `/$value` of a property.
    case value(Entity, place: Int)
    /// `/$count` of a collection.
    case count(Collection)
    /// `/$ref` of a navigation property, or of one entity in a collection.
    case reference(Entity, navigation: Int, target: Key?)

    struct Collection {
        var set: EntitySet
        /// The way from the entity whose navigation property it is.
        var restriction: TypedExpression?
        /// The values that make a new entity part of the collection, by place.
        var link: [Int: Value] = [:]
    }

    struct Entity {
        var set: EntitySet
        var key: Key
        var restriction: TypedExpression?
        /// Whether the key was written in the URL, so that an absent entity may be made there.
        var isAddressedByKey = true

        /// The condition that only this entity meets.
        var condition: TypedExpression {
            TypedExpression.equal(set.type.key, of: set.type, to: key.values).and(restriction)
        }
    }
}
