// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The entity model: the only description of a domain's data.
///
/// Tables, SQL, `$metadata`, JSON and validation all derive from it.
public struct EntityModel: Hashable, Sendable {
    /// The namespace of the schema, a dotted name.
    public var namespace: String {
        get { content.value.namespace }
        set { change { $0.namespace = newValue } }
    }
    /// The name of the entity container.
    public var container: String {
        get { content.value.container }
        set { change { $0.container = newValue } }
    }
    /// The entity sets; names on the wire are distinct, also in another letter case.
    public var sets: [EntitySet] { content.value.sets }
    /// The enumeration types that properties name; wire names are distinct over all types.
    public var enumerations: [EnumerationType] {
        get { content.value.enumerations }
        set { change { $0.enumerations = newValue } }
    }
    /// The complex types that properties name; a base stands before what extends it.
    public var complexTypes: [ComplexType] {
        get { content.value.complexTypes }
        set { change { $0.complexTypes = newValue } }
    }
    /// The single entities with names of their own, distinct from those of the sets.
    public var singletons: [Singleton] {
        get { content.value.singletons }
        set { change { $0.singletons = newValue } }
    }
    /// The functions and actions; overloads share a name, see ``operationProblems()``.
    public var operations: [EdmOperation] {
        get { content.value.operations }
        set { change { $0.operations = newValue } }
    }
    public var description: String? {
        get { content.value.description }
        set { change { $0.description = newValue } }
    }
    /// The sets that no request may name: to whoever asks they do not exist.
    package var unnamedSets: Set<String> {
        get { content.value.unnamedSets }
        set { change { $0.unnamedSets = newValue } }
    }

    private var content: Shared<Content>

    private struct Content: Hashable, Sendable {
        var namespace: String
        var container: String
        var sets: [EntitySet]
        /// The places of the sets by their names on the wire.
        var places: [String: Int]
        var enumerations: [EnumerationType] = []
        var complexTypes: [ComplexType] = []
        var singletons: [Singleton] = []
        var operations: [EdmOperation] = []
        var description: String?
        var unnamedSets: Set<String> = []
    }

    /// - Parameter sets: the entity sets; every `targetSet` of a navigation property is among them.
    public init(namespace: String, container: String = "Container", sets: [EntitySet]) {
        content = Shared(
            Content(namespace: namespace, container: container, sets: sets, places: Self.places(of: sets))
        )
    }

    private mutating func change(_ body: (inout Content) -> Void) {
        var changed = content.value
        body(&changed)
        content = Shared(changed)
    }

    private static func places(of sets: [EntitySet]) -> [String: Int] {
        Dictionary(sets.enumerated().map { ($1.names.wire, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same model with other sets: what else it has may name sets that are gone.
    package func replacing(sets: [EntitySet]) -> EntityModel {
        var copy = self
        copy.change {
            $0.sets = sets
            $0.places = Self.places(of: sets)
        }
        return copy
    }

    /// The entity set of that name on the wire, or `nil`.
    public subscript(set wire: String) -> EntitySet? {
        content.value.places[wire].map { content.value.sets[$0] }
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

    /// The complex type of that name on the wire, or `nil`; ``ComplexType/untyped`` is in every model.
    public subscript(complexType wire: String) -> ComplexType? {
        complexTypes.first { $0.names.wire == wire } ?? (wire == ComplexType.untyped.names.wire ? .untyped : nil)
    }

    /// The singleton of that name on the wire, or `nil`.
    public subscript(singleton wire: String) -> Singleton? {
        singletons.first { $0.names.wire == wire }
    }

    /// The place of a set in ``sets`` by its name on the wire, or `nil`.
    public func setIndex(wire: String) -> Int? { content.value.places[wire] }
}
