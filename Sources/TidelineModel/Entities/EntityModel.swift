// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The entity model: the only description of a domain's data.
///
/// Tables, SQL, `$metadata`, JSON and validation all derive from it.
public struct EntityModel: Hashable, Sendable {
    /// The namespace of the schema, a dotted name.
    public var namespace: String
    /// The name of the entity container.
    public var container: String
    /// The entity sets; names on the wire are distinct, also in another letter case.
    public private(set) var sets: [EntitySet]
    private var places: [String: Int]

    /// - Parameter sets: the entity sets; every `targetSet` of a navigation property is among them.
    public init(namespace: String, container: String = "Container", sets: [EntitySet]) {
        self.namespace = namespace
        self.container = container
        self.sets = sets
        places = Dictionary(sets.enumerated().map { ($1.names.wire, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The entity set of that name on the wire, or `nil`.
    public subscript(set wire: String) -> EntitySet? {
        places[wire].map { sets[$0] }
    }

    /// The place of a set in ``sets`` by its name on the wire, or `nil`.
    public func setIndex(wire: String) -> Int? { places[wire] }
}
