// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension CSDLDocument {
    /// The document that describes a model on the wire, and what the service can do with it.
    ///
    /// Local-only properties and database names are left out.
    init(describing model: EntityModel, capabilities: ServiceCapabilities) {
        let describer = ModelDescriber(model: model, capabilities: capabilities)
        references = Vocabulary.allCases.map { vocabulary in
            Reference(
                uri: vocabulary.uri,
                includes: [Include(namespace: vocabulary.namespace, alias: vocabulary.rawValue)]
            )
        }
        schemas = [describer.schema()]
    }

    /// The document with addresses of vocabularies that end as its format does.
    func addressed(ending: String) -> CSDLDocument {
        var document = self
        for place in document.references.indices
        where Vocabulary.allCases.contains(where: { $0.uri == document.references[place].uri }) {
            document.references[place].uri += ending
        }
        return document
    }
}

/// Says a model as a schema.
private struct ModelDescriber {
    let model: EntityModel
    let capabilities: ServiceCapabilities

    func schema() -> Schema {
        var schema = Schema(namespace: model.namespace)
        var names: Set<String> = []
        for set in model.sets where names.insert(set.type.names.wire).inserted {
            schema.structuredTypes += entityTypes(set)
        }
        schema.structuredTypes += model.complexTypes.map(complexType)
        names.formUnion(model.complexTypes.map(\.names.wire))
        for set in model.sets {
            for place in set.type.complexProperties.indices
            where names.insert(set.type.complexProperties[place].type).inserted {
                schema.structuredTypes.append(groupType(place, of: set.type))
            }
        }
        schema.enumerations = model.enumerations.map { type in
            Schema.EnumerationType(
                name: type.names.wire,
                underlyingType: type.underlyingType.rawValue,
                isFlags: type.isFlags,
                members: type.members.map {
                    Schema.Member(name: $0.name, value: $0.value, annotations: described($0.description))
                },
                annotations: described(type.description)
            )
        }
        schema.operations = OperationDescriber(model: model).operations()
        schema.containers = [container()]
        schema.annotations = [Annotation(Vocabulary.core.term("DefaultNamespace"))] + described(model.description)
        return schema
    }

    private func described(_ text: String?) -> [Annotation] {
        text.map { [Annotation(Vocabulary.core.term("Description"), .string($0))] } ?? []
    }

    private func qualified(_ name: String) -> String { "\(model.namespace).\(name)" }

    // MARK: Types

    /// The entity type and those derived from it.
    private func entityTypes(_ set: EntitySet) -> [Schema.StructuredType] {
        let type = set.type
        var root = Schema.StructuredType(isEntity: true, name: type.names.wire)
        root.isAbstract = type.isAbstract
        root.isOpen = type.dynamicProperty != nil
        root.hasStream = type.mediaProperty != nil
        root.key = type.key.map { place in
            let path = type.wirePath(of: place)
            return Schema.KeyReference(path: path, alias: path.contains("/") ? type.properties[place].names.wire : nil)
        }
        root.annotations = described(type.description)
        if !type.uniqueKeys.isEmpty { root.annotations.append(alternateKeys(type)) }
        root.annotations += ConstraintAnnotations.annotations(of: set, in: model)
        root.annotations += ConflictAnnotation.annotations(of: type.conflictPolicy)
        if let place = type.mediaProperty, let stream = type.properties[place].stream {
            root.annotations.append(
                Annotation(
                    Vocabulary.core.term("MediaType"),
                    stream.contentTypeProperty.map { .path(.value, type.wirePath(of: $0)) }
                        ?? .string(stream.contentType)
                )
            )
        }
        addMembers(of: type, declaredBy: nil, to: &root)
        let derived = type.derivedTypes.map { derived in
            var structured = Schema.StructuredType(isEntity: true, name: derived.names.wire)
            structured.baseType = qualified(derived.baseType ?? type.names.wire)
            structured.isAbstract = derived.isAbstract
            structured.annotations = described(derived.description)
            addMembers(of: type, declaredBy: derived.names.wire, to: &structured)
            return structured
        }
        return [root] + derived
    }

    private func addMembers(of type: EntityType, declaredBy name: String?, to structured: inout Schema.StructuredType) {
        var groups: Set<Int> = []
        for (place, property) in type.properties.enumerated() {
            guard
                !property.isLocalOnly, property.declaringType == name, place != type.mediaProperty,
                property.structure != .dynamic
            else { continue }
            guard var container = property.container else {
                structured.properties.append(self.property(property, in: type))
                continue
            }
            while let parent = type.complexProperties[container].parent { container = parent }
            if groups.insert(container).inserted {
                structured.properties.append(groupProperty(type.complexProperties[container]))
            }
        }
        structured.navigationProperties = type.navigationProperties
            .filter { $0.declaringType == name }
            .compactMap { navigation($0, of: type) }
    }

    private func property(_ property: Property, in type: EntityType?) -> Schema.Property {
        Schema.Property(
            name: property.names.wire,
            type: TypeUses.use(of: property, namespace: model.namespace),
            defaultValue: property.structure == nil ? defaultValue(property) : nil,
            annotations: PropertyAnnotations.annotations(of: property, in: type)
        )
    }

    private func defaultValue(_ property: Property) -> String? {
        guard case .integer(let number)? = property.defaultValue, let name = property.enumeration else {
            return property.defaultValue?.text
        }
        return model[enumeration: name]?.text(of: number) ?? "\(number)"
    }

    private func groupProperty(_ group: ComplexProperty) -> Schema.Property {
        Schema.Property(
            name: group.names.wire,
            type: Schema.TypeUse(qualified(group.type), isNullable: group.isNullable),
            annotations: described(group.description)
        )
    }

    private func complexType(_ type: ComplexType) -> Schema.StructuredType {
        var structured = Schema.StructuredType(isEntity: false, name: type.names.wire)
        structured.baseType = type.baseType.map(qualified)
        structured.isAbstract = type.isAbstract
        structured.isOpen = type.isOpen
        structured.properties = type.properties.map { property($0, in: nil) }
        structured.annotations = described(type.description)
        return structured
    }

    /// The complex type of a group of columns that the model does not declare apart.
    private func groupType(_ group: Int, of type: EntityType) -> Schema.StructuredType {
        var structured = Schema.StructuredType(isEntity: false, name: type.complexProperties[group].type)
        structured.properties = type.properties.filter { $0.container == group }.map { property($0, in: type) }
        structured.properties += type.complexProperties.filter { $0.parent == group }.map(groupProperty)
        return structured
    }

    private func alternateKeys(_ type: EntityType) -> Annotation {
        let keys = type.uniqueKeys.map { places -> AnnotationExpression in
            let parts = places.map { place -> AnnotationExpression in
                let path = type.wirePath(of: place)
                return .members([
                    ("Name", .path(.property, path)), ("Alias", .string(type.properties[place].names.wire)),
                ])
            }
            return .members([("Key", .collection(parts))])
        }
        return Annotation(Vocabulary.core.term("AlternateKeys"), .collection(keys))
    }

    private func navigation(_ navigation: NavigationProperty, of type: EntityType) -> Schema.NavigationProperty? {
        guard let target = model[set: navigation.targetSet]?.type else { return nil }
        var use = Schema.TypeUse(qualified(target.names.wire))
        use.isCollection = navigation.isCollection
        use.isNullable = navigation.isCollection ? nil : navigation.isNullable
        var described = Schema.NavigationProperty(name: navigation.names.wire, type: use)
        described.partner = navigation.partner
        described.containsTarget = navigation.isContainment
        described.annotations = self.described(navigation.description)
        // A user who may not see the links is told nothing of them.
        if let link = navigation.link, model[set: link.set] != nil {
            described.annotations += LinkAnnotation.annotations(of: link)
        }
        if navigation.isDependent {
            described.constraints = navigation.constraints.map { constraint in
                Schema.Constraint(
                    property: type.wirePath(of: constraint.source),
                    referencedProperty: target.wirePath(of: constraint.target)
                )
            }
        } else if navigation.onDelete != .none {
            described.onDelete = Schema.DeleteRule(action: navigation.onDelete.rawValue)
        }
        return described
    }

    // MARK: Container

    private func container() -> Schema.Container {
        let annotations = CapabilityAnnotations(capabilities: capabilities, model: model)
        var container = Schema.Container(name: model.container)
        for set in model.sets where !set.isContained {
            var child = Schema.ContainerChild(
                kind: .entitySet,
                name: set.names.wire,
                type: qualified(set.type.names.wire)
            )
            child.bindings = bindings(of: set.type, prefix: "", depth: 0)
            child.annotations = described(set.description) + annotations.set(set)
            container.children.append(child)
        }
        for singleton in model.singletons {
            guard let set = model[set: singleton.set] else { continue }
            var child = Schema.ContainerChild(
                kind: .singleton,
                name: singleton.names.wire,
                type: qualified(set.type.names.wire)
            )
            child.isNullable = singleton.isNullable
            child.bindings = bindings(of: set.type, prefix: "", depth: 0)
            child.annotations = described(singleton.description) + annotations.singleton(set)
            container.children.append(child)
        }
        container.children += OperationDescriber(model: model).imports()
        container.annotations = annotations.container()
        return container
    }

    /// Where the navigation properties of a type lead; those of contained entities stand after the way to them.
    private func bindings(of type: EntityType, prefix: String, depth: Int) -> [Schema.Binding] {
        type.navigationProperties.flatMap { navigation -> [Schema.Binding] in
            let cast = navigation.declaringType.map { qualified($0) + "/" } ?? ""
            let path = prefix + cast + navigation.names.wire
            guard let target = model[set: navigation.targetSet] else { return [] }
            guard navigation.isContainment || target.isContained else {
                return [Schema.Binding(path: path, target: target.names.wire)]
            }
            return depth < 4 && navigation.isContainment
                ? bindings(of: target.type, prefix: path + "/", depth: depth + 1) : []
        }
    }
}
