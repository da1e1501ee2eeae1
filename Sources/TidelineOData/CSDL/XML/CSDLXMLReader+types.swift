// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension CSDLXMLReader {
    mutating func structuredType(
        _ element: Element,
        isEntity: Bool
    ) throws(ODataError) -> Schema.StructuredType {
        var type = Schema.StructuredType(isEntity: isEntity, name: try required("Name", of: element))
        type.baseType = element["BaseType"]
        type.isAbstract = flag("Abstract", of: element) ?? false
        type.isOpen = flag("OpenType", of: element) ?? false
        type.hasStream = flag("HasStream", of: element) ?? false
        let name = type.name
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "Key" where isEntity:
                guard type.key.isEmpty else {
                    throw ODataError(
                        .invalidMetadata,
                        "The entity type ‘\(name)’ has two keys.",
                        target: name,
                        at: reader.xml.offset
                    )
                }
                type.key = try reader.key()
            case "Property": type.properties.append(try reader.property(element))
            case "NavigationProperty": type.navigationProperties.append(try reader.navigation(element))
            case "Annotation": type.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return type
    }

    private mutating func key() throws(ODataError) -> [Schema.KeyReference] {
        var key: [Schema.KeyReference] = []
        try children { reader, element throws(ODataError) in
            guard element.name == "PropertyRef" else { return try reader.skip(element) }
            key.append(Schema.KeyReference(path: try reader.required("Name", of: element), alias: element["Alias"]))
            _ = try reader.annotations()
        }
        return key
    }

    private mutating func property(_ element: Element) throws(ODataError) -> Schema.Property {
        var property = Schema.Property(
            name: try required("Name", of: element),
            type: typeUse(element, try required("Type", of: element))
        )
        property.defaultValue = element["DefaultValue"]
        property.annotations = try annotations()
        return property
    }

    private mutating func navigation(_ element: Element) throws(ODataError) -> Schema.NavigationProperty {
        let name = try required("Name", of: element)
        var navigation = Schema.NavigationProperty(
            name: name,
            type: Schema.TypeUse(try required("Type", of: element), isNullable: flag("Nullable", of: element))
        )
        if navigation.type.isCollection || navigation.type.isNullable == true { navigation.type.isNullable = nil }
        let type = navigation.type.name
        guard !type.hasPrefix("Edm.") || ["Edm.EntityType", "Edm.ComplexType"].contains(type) else {
            throw ODataError(
                .invalidMetadata,
                "The navigation property ‘\(name)’ leads to ‘\(type)’, which is no entity type.",
                target: name,
                at: xml.offset
            )
        }
        navigation.partner = element["Partner"]
        navigation.containsTarget = flag("ContainsTarget", of: element) ?? false
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "ReferentialConstraint":
                var constraint = Schema.Constraint(
                    property: try reader.required("Property", of: element),
                    referencedProperty: try reader.required("ReferencedProperty", of: element)
                )
                constraint.annotations = try reader.annotations()
                navigation.constraints.append(constraint)
            case "OnDelete":
                let action = try reader.required("Action", of: element)
                navigation.onDelete = Schema.DeleteRule(action: action, annotations: try reader.annotations())
            case "Annotation": navigation.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return navigation
    }

    mutating func enumeration(_ element: Element) throws(ODataError) -> Schema.EnumerationType {
        var type = Schema.EnumerationType(name: try required("Name", of: element))
        type.underlyingType = element["UnderlyingType"]
        type.isFlags = flag("IsFlags", of: element) ?? false
        var following: Int64 = 0
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "Member":
                let name = try reader.required("Name", of: element)
                guard let value = element["Value"].map({ Int64($0) }) ?? following else {
                    throw ODataError(.invalidMetadata, "The member ‘\(name)’ has no integer value.", target: name)
                }
                following = value &+ 1
                type.members.append(Schema.Member(name: name, value: value, annotations: try reader.annotations()))
            case "Annotation": type.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return type
    }

    mutating func typeDefinition(_ element: Element) throws(ODataError) -> Schema.TypeDefinition {
        let definition = Schema.TypeDefinition(
            name: try required("Name", of: element),
            underlyingType: typeUse(element, try required("UnderlyingType", of: element))
        )
        return Schema.TypeDefinition(
            name: definition.name,
            underlyingType: definition.underlyingType,
            annotations: try annotations()
        )
    }

    mutating func operation(_ element: Element, isFunction: Bool) throws(ODataError) -> Schema.Operation {
        var operation = Schema.Operation(isFunction: isFunction, name: try required("Name", of: element))
        operation.isBound = flag("IsBound", of: element) ?? false
        operation.isComposable = flag("IsComposable", of: element) ?? false
        operation.entitySetPath = element["EntitySetPath"]
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "Parameter":
                var parameter = Schema.Parameter(
                    name: try reader.required("Name", of: element),
                    type: reader.typeUse(element, try reader.required("Type", of: element))
                )
                parameter.annotations = try reader.annotations()
                operation.parameters.append(parameter)
            case "ReturnType":
                let type = reader.typeUse(element, try reader.required("Type", of: element))
                operation.returnType = Schema.ReturnType(type: type, annotations: try reader.annotations())
            case "Annotation": operation.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return operation
    }

    mutating func term(_ element: Element) throws(ODataError) -> Schema.Term {
        var term = Schema.Term(
            name: try required("Name", of: element),
            type: typeUse(element, element["Type"] ?? "Edm.String")
        )
        term.baseTerm = element["BaseTerm"]
        term.defaultValue = element["DefaultValue"]
        term.appliesTo = element["AppliesTo"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        term.annotations = try annotations()
        return term
    }

    mutating func container(_ element: Element) throws(ODataError) -> Schema.Container {
        var container = Schema.Container(name: try required("Name", of: element))
        container.extends = element["Extends"]
        try children { reader, element throws(ODataError) in
            if let kind = Schema.ContainerChild.Kind(rawValue: element.name) {
                container.children.append(try reader.child(element, kind))
            } else if element.name == "Annotation" {
                container.annotations.append(try reader.annotation(element))
            } else {
                try reader.skip(element)
            }
        }
        return container
    }

    private mutating func child(
        _ element: Element,
        _ kind: Schema.ContainerChild.Kind
    ) throws(ODataError) -> Schema.ContainerChild {
        let attribute =
            switch kind {
            case .entitySet: "EntityType"
            case .singleton: "Type"
            case .actionImport: "Action"
            case .functionImport: "Function"
            }
        var child = Schema.ContainerChild(
            kind: kind,
            name: try required("Name", of: element),
            type: try required(attribute, of: element)
        )
        child.isNullable = flag("Nullable", of: element) ?? false
        child.isInServiceDocument = flag("IncludeInServiceDocument", of: element)
        child.entitySet = element["EntitySet"]
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "NavigationPropertyBinding":
                child.bindings.append(
                    Schema.Binding(
                        path: try reader.required("Path", of: element),
                        target: try reader.required("Target", of: element)
                    )
                )
                _ = try reader.annotations()
            case "Annotation": child.annotations.append(try reader.annotation(element))
            default: try reader.skip(element)
            }
        }
        return child
    }

    // MARK: Attributes

    func flag(_ name: String, of element: Element) -> Bool? {
        switch element[name] {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    func typeUse(_ element: Element, _ type: String) -> Schema.TypeUse {
        var use = Schema.TypeUse(type, isNullable: flag("Nullable", of: element))
        if !use.isCollection, use.isNullable == true { use.isNullable = nil }
        for (name, value) in element.attributes {
            switch name {
            case "MaxLength": use.maxLength = value
            case "Unicode": use.isUnicode = value
            case "Precision": use.precision = value
            case "Scale": use.scale = value
            case "SRID": use.srid = value
            default: break
            }
        }
        return use
    }
}
