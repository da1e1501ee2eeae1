// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The path of a request below the service root, cut into segments, names not looked up yet.
///
///     Orders(42)/Client/ClientName/$value
///     \________/ \____/ \________/ \____/
///        name     name     name    value
///
/// Source: OData URL Conventions 4.01, section 4.
public struct ResourcePath: Hashable, Sendable {
    /// One segment, or a part of one.
    public enum Segment: Hashable, Sendable {
        /// An entity set, a property or a navigation property, perhaps with a key.
        ///
        /// Read without a ``NameTable``, it can also be an unqualified type, function or action, a function with the
        /// values of `key` for its parameters, or the text of a key.
        case name(String, key: KeyPredicate?)
        /// A key that follows a cast, a filter or a call: `Products/Shop.Bike(1)`.
        case key(KeyPredicate)
        /// A key value, or the place of an item in an ordered collection, as a segment of its own: `Orders/42`.
        case literal(String)
        /// The name of a type that what precedes is cast to; without a ``NameTable`` also that of a function or action.
        case cast(String)
        /// A call of a function, bound or imported, with its parameters but the binding one.
        case function(String, [PathArgument])
        /// An action, bound or imported; only read with a ``NameTable``.
        case action(String)
        /// `/$filter(condition)`.
        case filter(Expression)
        /// `/$each`: a request for each member of the collection.
        case each
        /// `/$count`.
        case count
        /// `/$value`.
        case value
        /// `/$ref`.
        case ref
        /// `/$query`: the options are in the body.
        case query
        /// `$metadata`.
        case metadata
        /// `$batch`.
        case batch
        /// `$all`: the entities of all sets.
        case all
        /// `$crossjoin(A,B)`.
        case crossjoin([String])
        /// `$entity`: the entity whose id the option `$id` gives.
        case entity
        /// `$1` as the first segment of a request in a batch: the entity that the earlier request made or addressed.
        case reference(String)
    }

    /// The segments; none for the service document.
    public var segments: [Segment]

    public init(_ segments: [Segment]) {
        self.segments = segments
    }
}
