// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a bound operation is called on: an entity of a set, or a collection of them.
///
/// A singleton counts as an entity of its set. Source: OData CSDL 4.01, section 12.5.
public struct OperationBinding: Hashable, Sendable {
    /// The name of the binding parameter, the first one on the wire; no call gives it.
    public var name: String
    /// The wire name of the set whose entities it is called on; entities of all sets of the same type are meant.
    public var set: String
    /// The wire name of the derived type that the entities must have, or `nil` for any of the set.
    public var derivedType: String?
    /// Whether it is called on a collection.
    public var isCollection: Bool

    public init(name: String = "it", set: String, derivedType: String? = nil, isCollection: Bool = false) {
        self.name = name
        self.set = set
        self.derivedType = derivedType
        self.isCollection = isCollection
    }
}
