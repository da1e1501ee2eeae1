// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension CSDLDocument {
    /// The model that the document describes, and what of it is left out, after the warnings of reading.
    ///
    /// Database names and names in code are the names on the wire. What the model has no place for is left out with a
    /// warning: a set without a usable key, a property of an unknown type, a navigation property that cannot be followed.
    func model(after warnings: [String]) throws(ODataError) -> (model: EntityModel, warnings: [String]) {
        guard let (schema, container) = container else {
            throw ODataError(.invalidMetadata, "The document has no entity container.")
        }
        var builder = ModelBuilder(document: self, schema: schema, container: container, warnings: warnings)
        let model = builder.model()
        return (model, builder.warnings)
    }
}

/// Gives a document its meaning.
struct ModelBuilder {
    let namespace: String
    let container: Schema.Container
    let lookup: TypeLookup
    var warnings: [String]

    init(document: CSDLDocument, schema: Schema, container: Schema.Container, warnings: [String]) {
        namespace = schema.namespace
        self.container = container
        self.warnings = warnings
        lookup = TypeLookup(document)
    }

    mutating func warn(_ text: String) {
        if warnings.count < 1000 { warnings.append(text) }
    }

    mutating func model() -> EntityModel {
        var sets: [EntitySet] = []
        var children: [Schema.ContainerChild] = []
        for child in allChildren() where child.kind == .entitySet {
            guard let set = entitySet(child) else { continue }
            sets.append(set)
            children.append(child)
        }
        let bare = EntityModel(namespace: namespace, container: container.name, sets: sets)
        for (place, child) in children.enumerated() {
            sets[place].type.navigationProperties = navigations(of: sets[place], child, in: bare)
        }
        removeLooseLinks(from: &sets)
        var model = EntityModel(namespace: namespace, container: container.name, sets: sets)
        model.enumerations = lookup.enumerations.map(enumeration)
        model.complexTypes = complexTypes()
        for (place, child) in children.enumerated() {
            sets[place].type.rules = rules(child, sets[place], in: model)
        }
        model = model.replacing(sets: sets)
        for child in allChildren() where child.kind == .singleton {
            guard let set = model.sets.first(where: { $0.type.names.wire == TypeLookup.local(child.type) }) else {
                warn("The singleton ‘\(child.name)’ is left out: no set has its type.")
                continue
            }
            model.singletons.append(
                Singleton(names: Names(wire: child.name), set: set.names.wire, isNullable: child.isNullable)
            )
        }
        model.operations = operations(in: model, allChildren())
        return model
    }

    /// The children of the container and of what it extends in the document.
    private func allChildren() -> [Schema.ContainerChild] {
        var children = container.children
        var base = container.extends
        var seen: Set<String> = []
        while let name = base, seen.insert(name).inserted, let container = lookup.container(name) {
            children += container.children
            base = container.extends
        }
        return children
    }

    // MARK: Sets and types

    private mutating func entitySet(_ child: Schema.ContainerChild) -> EntitySet? {
        guard let raw = lookup.structured(child.type) else {
            warn("The entity set ‘\(child.name)’ is left out: its type ‘\(child.type)’ is not in the document.")
            return nil
        }
        let chain = lookup.chain(raw)
        var properties: [Property] = []
        for type in chain { properties += self.properties(of: type, declaringType: nil) }
        var derivedTypes: [DerivedType] = []
        for type in lookup.derived(from: raw) {
            let name = type.name
            let base = type.baseType.map(TypeLookup.local)
            derivedTypes.append(
                DerivedType(
                    names: Names(wire: name),
                    baseType: base == raw.name ? nil : base,
                    discriminatorValue: nil,
                    isAbstract: type.isAbstract
                )
            )
            properties += self.properties(of: type, declaringType: name)
        }
        func place(_ path: String) -> Int? { properties.firstIndex { $0.names.wire == path } }
        let keyPaths = chain.first { !$0.key.isEmpty }?.key.map(\.path) ?? []
        let key = keyPaths.compactMap(place)
        guard !key.isEmpty, key.count == keyPaths.count else {
            warn("The entity set ‘\(child.name)’ is left out: its type has no usable key.")
            return nil
        }
        for place in key {
            properties[place].isNullable = false
            // What the service makes of an integer key it counts.
            if properties[place].generation == .always, properties[place].type.integerRange != nil {
                properties[place].generation = .onInsert
            }
        }
        var type = EntityType(names: Names(wire: raw.name), properties: properties, key: key)
        type.derivedTypes = derivedTypes
        type.isAbstract = raw.isAbstract
        let annotations = chain.flatMap { lookup.annotations($0.annotations, of: lookup.path($0)) }
        type.uniqueKeys = alternateKeys(annotations).map { $0.compactMap(place) }.filter { !$0.isEmpty }
        type.description = annotations.last { $0.isTerm(.core, "Description") }?.value?.text
        type.conflictPolicy = ConflictAnnotation.policy(in: annotations)
        addStreams(chain, annotations, to: &type)
        if chain.contains(where: \.isOpen) {
            var bag = Property(names: Names(wire: "@dynamic"), type: .string)
            bag.structure = .dynamic
            type.properties.append(bag)
        }
        return finished(child, type)
    }

    private func finished(_ child: Schema.ContainerChild, _ type: EntityType) -> EntitySet {
        let annotations = lookup.annotations(child.annotations, of: "\(namespace).\(container.name)/\(child.name)")
        let isReadOnly = [
            ("InsertRestrictions", "Insertable"), ("UpdateRestrictions", "Updatable"),
            ("DeleteRestrictions", "Deletable"),
        ].allSatisfy { term, flag in
            annotations.first { $0.isTerm(.capabilities, term) }?.value?[flag] == .bool(false)
        }
        var set = EntitySet(names: Names(wire: child.name), type: type, isReadOnly: isReadOnly)
        set.description = annotations.first { $0.isTerm(.core, "Description") }?.value?.text
        let tagged = annotations.first { $0.isTerm(.core, "OptimisticConcurrency") }?.value?.items ?? []
        if tagged.count == 1, let path = tagged[0].text { set.type.version = type.propertyIndex(wire: path) }
        return set
    }

    /// The content of a media entity, and the places of the properties with media types.
    private func addStreams(
        _ chain: [Schema.StructuredType],
        _ annotations: [Annotation],
        to type: inout EntityType
    ) {
        for (place, raw) in chain.flatMap(\.properties).enumerated() {
            guard place < type.properties.count, type.properties[place].stream != nil else { continue }
            let media = lookup.annotations(raw.annotations, of: "").first { $0.isTerm(.core, "MediaType") }?.value
            type.properties[place].stream = stream(media, of: type)
        }
        guard chain.contains(where: \.hasStream) else { return }
        var content = Property(names: Names(wire: "$value"), type: .binary)
        content.stream = stream(annotations.first { $0.isTerm(.core, "MediaType") }?.value, of: type)
        type.mediaProperty = type.properties.count
        type.properties.append(content)
    }

    private func stream(_ mediaType: AnnotationExpression?, of type: EntityType) -> MediaStream {
        switch mediaType {
        case .path(_, let path)?: MediaStream(contentTypeProperty: type.propertyIndex(wire: path))
        case .constant(_, let text)?: MediaStream(contentType: text)
        default: MediaStream()
        }
    }

    private func alternateKeys(_ annotations: [Annotation]) -> [[String]] {
        let keys = annotations.filter { $0.isTerm(.core, "AlternateKeys") }.flatMap { $0.value?.items ?? [] }
        return keys.map { key in (key["Key"]?.items ?? []).compactMap { $0["Name"]?.text } }
    }

    private func enumeration(_ raw: Schema.EnumerationType) -> EnumerationType {
        EnumerationType(
            names: Names(wire: raw.name),
            underlyingType: raw.underlyingType.flatMap(PrimitiveType.init(rawValue:)) ?? .int32,
            isFlags: raw.isFlags,
            members: raw.members.map { member in
                EnumerationType.Member(
                    member.name,
                    member.value,
                    description: member.annotations.first { $0.isTerm(.core, "Description") }?.value?.text
                )
            },
            description: raw.annotations.first { $0.isTerm(.core, "Description") }?.value?.text
        )
    }

    private mutating func complexTypes() -> [ComplexType] {
        var types: [ComplexType] = []
        for raw in lookup.complexTypes {
            var type = ComplexType(
                names: Names(wire: raw.name),
                baseType: raw.baseType.map(TypeLookup.local),
                isAbstract: raw.isAbstract,
                isOpen: raw.isOpen,
                properties: properties(of: raw, declaringType: nil)
            )
            type.description = raw.annotations.first { $0.isTerm(.core, "Description") }?.value?.text
            types.append(type)
        }
        return types
    }
}
