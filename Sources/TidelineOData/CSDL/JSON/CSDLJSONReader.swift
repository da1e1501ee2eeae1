// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Reads a CSDL JSON document; what the standard does not know is passed over with a warning.
struct CSDLJSONReader {
    var warnings: [String] = []

    /// The document, and what in it was passed over.
    static func read(_ bytes: [UInt8]) throws(ODataError) -> (document: CSDLDocument, warnings: [String]) {
        var reader = CSDLJSONReader()
        let document = try reader.document(try JSONTree.read(bytes))
        return (document, reader.warnings)
    }

    private mutating func document(_ root: JSONTree) throws(ODataError) -> CSDLDocument {
        guard case .object(let members) = root, let version = root["$Version"]?.scalar else {
            throw ODataError(.invalidMetadata, "The document is not CSDL: it has no ‘$Version’.")
        }
        var document = CSDLDocument(version: version)
        for (uri, tree) in root["$Reference"]?.members ?? [] {
            document.references.append(try reference(uri, tree))
        }
        for (name, tree) in members where !name.hasPrefix("$") {
            guard case .object = tree else {
                warn("The member ‘\(name)’ is passed over: it is no schema.")
                continue
            }
            document.schemas.append(try schema(name, tree))
        }
        return document
    }

    private func reference(_ uri: String, _ tree: JSONTree) throws(ODataError) -> CSDLDocument.Reference {
        var reference = CSDLDocument.Reference(uri: uri, annotations: annotations(tree))
        for include in tree["$Include"]?.items ?? [] {
            reference.includes.append(
                CSDLDocument.Include(
                    namespace: try required("$Namespace", of: include, "an inclusion"),
                    alias: include["$Alias"]?.text,
                    annotations: annotations(include)
                )
            )
        }
        for included in tree["$IncludeAnnotations"]?.items ?? [] {
            reference.includedAnnotations.append(
                CSDLDocument.IncludedAnnotations(
                    termNamespace: try required("$TermNamespace", of: included, "an inclusion"),
                    targetNamespace: included["$TargetNamespace"]?.text,
                    qualifier: included["$Qualifier"]?.text
                )
            )
        }
        return reference
    }

    private mutating func schema(_ namespace: String, _ tree: JSONTree) throws(ODataError) -> Schema {
        var schema = Schema(namespace: namespace, alias: tree["$Alias"]?.text, annotations: annotations(tree))
        for (path, target) in tree["$Annotations"]?.members ?? [] {
            guard TargetPath.isWellFormed(path) else {
                throw ODataError(.invalidMetadata, "‘\(path)’ is not the path of a model element.", target: path)
            }
            schema.targets.append(Schema.Target(path: path, annotations: annotations(target)))
        }
        for (name, tree) in tree.members where !name.hasPrefix("$") && !name.contains("@") {
            if case .list(let overloads) = tree {
                for overload in overloads { schema.operations.append(try operation(name, overload)) }
                continue
            }
            switch tree["$Kind"]?.text {
            case "EntityType": schema.structuredTypes.append(try structuredType(name, tree, isEntity: true))
            case "ComplexType": schema.structuredTypes.append(try structuredType(name, tree, isEntity: false))
            case "EnumType": schema.enumerations.append(try enumeration(name, tree))
            case "TypeDefinition":
                var type = Schema.TypeUse(try required("$UnderlyingType", of: tree, "‘\(name)’"))
                addFacets(of: tree, to: &type)
                schema.typeDefinitions.append(
                    Schema.TypeDefinition(name: name, underlyingType: type, annotations: annotations(tree))
                )
            case "Term": schema.terms.append(term(name, tree))
            case "EntityContainer": schema.containers.append(try container(name, tree))
            default: warn("The member ‘\(name)’ is passed over: its kind is not known.")
            }
        }
        return schema
    }

    private mutating func structuredType(
        _ name: String,
        _ tree: JSONTree,
        isEntity: Bool
    ) throws(ODataError) -> Schema.StructuredType {
        var type = Schema.StructuredType(isEntity: isEntity, name: name, baseType: tree["$BaseType"]?.text)
        type.isAbstract = tree["$Abstract"]?.isTrue == true
        type.isOpen = tree["$OpenType"]?.isTrue == true
        type.hasStream = tree["$HasStream"]?.isTrue == true
        type.annotations = annotations(tree)
        for part in tree["$Key"]?.items ?? [] {
            if let path = part.text {
                type.key.append(Schema.KeyReference(path: path))
            } else if let (alias, path) = part.members.first {
                type.key.append(Schema.KeyReference(path: path.text ?? "", alias: alias))
            }
        }
        for (name, tree) in tree.members where !name.hasPrefix("$") && !name.contains("@") {
            if tree["$Kind"]?.text == "NavigationProperty" {
                type.navigationProperties.append(try navigation(name, tree))
            } else if case .object = tree {
                var property = Schema.Property(name: name, type: typeUse(tree), annotations: annotations(tree))
                property.defaultValue = tree["$DefaultValue"].map { $0.scalar ?? "null" }
                type.properties.append(property)
            } else {
                warn("The member ‘\(name)’ of ‘\(type.name)’ is passed over: it is no property.")
            }
        }
        return type
    }

    private func navigation(_ name: String, _ tree: JSONTree) throws(ODataError) -> Schema.NavigationProperty {
        var type = Schema.TypeUse(try required("$Type", of: tree, "‘\(name)’"))
        guard !type.name.hasPrefix("Edm.") || ["Edm.EntityType", "Edm.ComplexType"].contains(type.name) else {
            throw ODataError(
                .invalidMetadata,
                "The navigation property ‘\(name)’ leads to ‘\(type.name)’, which is no entity type.",
                target: name
            )
        }
        type.isCollection = tree["$Collection"]?.isTrue == true
        type.isNullable = type.isCollection || tree["$Nullable"]?.isTrue == true ? nil : false
        var navigation = Schema.NavigationProperty(name: name, type: type, annotations: annotations(tree))
        navigation.partner = tree["$Partner"]?.text
        navigation.containsTarget = tree["$ContainsTarget"]?.isTrue == true
        if let constraints = tree["$ReferentialConstraint"] {
            for (property, referenced) in constraints.members where !property.contains("@") {
                navigation.constraints.append(
                    Schema.Constraint(
                        property: property,
                        referencedProperty: referenced.text ?? "",
                        annotations: annotations(constraints, of: property)
                    )
                )
            }
        }
        if let action = tree["$OnDelete"]?.text {
            navigation.onDelete = Schema.DeleteRule(action: action, annotations: annotations(tree, of: "$OnDelete"))
        }
        return navigation
    }

    private func enumeration(_ name: String, _ tree: JSONTree) throws(ODataError) -> Schema.EnumerationType {
        var type = Schema.EnumerationType(name: name, underlyingType: tree["$UnderlyingType"]?.text)
        type.isFlags = tree["$IsFlags"]?.isTrue == true
        type.annotations = annotations(tree)
        for (name, value) in tree.members where !name.hasPrefix("$") && !name.contains("@") {
            guard case .integer(let number) = value else {
                throw ODataError(.invalidMetadata, "The member ‘\(name)’ has no integer value.", target: name)
            }
            let annotations = annotations(tree, of: name)
            type.members.append(Schema.Member(name: name, value: Int64(number), annotations: annotations))
        }
        return type
    }

    // MARK: Parts

    mutating func warn(_ text: String) {
        if warnings.count < 1000 { warnings.append(text) }
    }

    func required(_ name: String, of tree: JSONTree, _ owner: String) throws(ODataError) -> String {
        guard let text = tree[name]?.text, !text.isEmpty else {
            throw ODataError(.invalidMetadata, "\(owner) has no ‘\(name)’.", target: name)
        }
        return text
    }
}
