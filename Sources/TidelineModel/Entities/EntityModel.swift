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
    /// The enumeration types that properties name; wire names are distinct over all types.
    public var enumerations: [EnumerationType] = []
    /// The complex types that properties name; a base stands before what extends it.
    public var complexTypes: [ComplexType] = []
    /// The single entities with names of their own, distinct from those of the sets.
    public var singletons: [Singleton] = []
    /// The functions and actions; overloads share a name, see ``operationProblems()``.
    public var operations: [EdmOperation] = []
    public var description: String?
    /// The sets that no request may name: to whoever asks they do not exist.
    package var unnamedSets: Set<String> = []
    private var places: [String: Int]

    /// - Parameter sets: the entity sets; every `targetSet` of a navigation property is among them.
    public init(namespace: String, container: String = "Container", sets: [EntitySet]) {
        self.namespace = namespace
        self.container = container
        self.sets = sets
        places = Self.places(of: sets)
    }

    private static func places(of sets: [EntitySet]) -> [String: Int] {
        Dictionary(sets.enumerated().map { ($1.names.wire, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same model with other sets: what else it has may name sets that are gone.
    package func replacing(sets: [EntitySet]) -> EntityModel {
        var copy = self
        copy.sets = sets
        copy.places = Self.places(of: sets)
        return copy
    }

    /// The entity set of that name on the wire, or `nil`.
    public subscript(set wire: String) -> EntitySet? {
        places[wire].map { sets[$0] }
    }

    /// The entity set that a request names so, or `nil`.
    package subscript(named wire: String) -> EntitySet? {
        unnamedSets.contains(wire) ? nil : self[set: wire]
    }

    /// The enumeration type of that name on the wire, or `nil`.
    public subscript(enumeration wire: String) -> EnumerationType? {
        enumerations.first { $0.names.wire == wire }
    }

    /// The enumeration type of a property, or `nil` where it has none.
    public func enumeration(of property: Property) -> EnumerationType? {
        property.enumeration.flatMap { self[enumeration: $0] }
    }

    /// The complex type of that name on the wire, or `nil`.
    public subscript(complexType wire: String) -> ComplexType? {
        complexTypes.first { $0.names.wire == wire }
    }

    /// The singleton of that name on the wire, or `nil`.
    public subscript(singleton wire: String) -> Singleton? {
        singletons.first { $0.names.wire == wire }
    }

    /// The place of a set in ``sets`` by its name on the wire, or `nil`.
    public func setIndex(wire: String) -> Int? { places[wire] }
}
