// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Writes a document as CSDL JSON.
///
/// Source: OData CSDL JSON Representation 4.01.
struct CSDLJSONWriter {
    typealias Member = (String, JSONTree)

    let document: CSDLDocument
    let aliases: [String: String]
    /// The underlying types of the document's type definitions, by qualified names.
    private let definitions: [String: String]

    init(document: CSDLDocument) {
        self.document = document
        aliases = document.aliases
        var definitions: [String: String] = [:]
        for schema in document.schemas {
            for definition in schema.typeDefinitions {
                definitions["\(schema.namespace).\(definition.name)"] = definition.underlyingType.name
            }
        }
        self.definitions = definitions
    }

    func bytes() -> [UInt8] {
        var members: [Member] = [("$Version", .text(document.version))]
        if let (schema, container) = document.container {
            members.append(("$EntityContainer", .text("\(schema.namespace).\(container.name)")))
        }
        if !document.references.isEmpty {
            members.append(("$Reference", .object(document.references.map { ($0.uri, reference($0)) })))
        }
        for schema in document.schemas { members.append((schema.namespace, .object(self.schema(schema)))) }
        return JSONTree.object(members).bytes
    }

    /// A name with its namespace, where it has an alias before it.
    func resolved(_ name: String) -> String {
        guard let dot = name.firstIndex(of: "."), let namespace = aliases[String(name[..<dot])] else { return name }
        return namespace + name[dot...]
    }

    private func reference(_ reference: CSDLDocument.Reference) -> JSONTree {
        var members: [Member] = []
        if !reference.includes.isEmpty {
            let includes = reference.includes.map { include -> JSONTree in
                var members: [Member] = [("$Namespace", .text(include.namespace))]
                add("$Alias", include.alias, to: &members)
                add(include.annotations, to: &members)
                return .object(members)
            }
            members.append(("$Include", .list(includes)))
        }
        if !reference.includedAnnotations.isEmpty {
            let included = reference.includedAnnotations.map { included -> JSONTree in
                var members: [Member] = [("$TermNamespace", .text(included.termNamespace))]
                add("$TargetNamespace", included.targetNamespace, to: &members)
                add("$Qualifier", included.qualifier, to: &members)
                return .object(members)
            }
            members.append(("$IncludeAnnotations", .list(included)))
        }
        add(reference.annotations, to: &members)
        return .object(members)
    }

    private func schema(_ schema: Schema) -> [Member] {
        var members: [Member] = []
        add("$Alias", schema.alias, to: &members)
        if !schema.targets.isEmpty { members.append(("$Annotations", targets(schema))) }
        for type in schema.structuredTypes { members.append((type.name, structuredType(type))) }
        for type in schema.enumerations { members.append((type.name, enumeration(type))) }
        for definition in schema.typeDefinitions {
            var definitionMembers: [Member] = [
                ("$Kind", .text("TypeDefinition")), ("$UnderlyingType", .text(definition.underlyingType.name)),
            ]
            addFacets(definition.underlyingType, to: &definitionMembers)
            add(definition.annotations, to: &definitionMembers)
            members.append((definition.name, .object(definitionMembers)))
        }
        var overloads: [String: Int] = [:]
        for operation in schema.operations {
            let tree = self.operation(operation)
            if let place = overloads[operation.name], case .list(let list) = members[place].1 {
                members[place].1 = .list(list + [tree])
            } else {
                overloads[operation.name] = members.count
                members.append((operation.name, .list([tree])))
            }
        }
        for term in schema.terms { members.append((term.name, self.term(term))) }
        for container in schema.containers {
            members.append((container.name, .object(self.container(container, in: schema))))
        }
        add(schema.annotations, to: &members)
        return members
    }

    /// The annotations that stand apart; those with one target, named by alias or in full, stand together.
    private func targets(_ schema: Schema) -> JSONTree {
        var places: [String: Int] = [:]
        var members: [(String, [Member])] = []
        for target in schema.targets {
            let name = resolved(target.path)
            let place = places[name] ?? members.count
            if place == members.count {
                places[name] = place
                members.append((target.path, []))
            }
            add(target.annotations, to: &members[place].1)
        }
        return .object(members.map { ($0.0, .object($0.1)) })
    }

    private func structuredType(_ type: Schema.StructuredType) -> JSONTree {
        var members: [Member] = [("$Kind", .text(type.isEntity ? "EntityType" : "ComplexType"))]
        add("$BaseType", type.baseType, to: &members)
        add("$Abstract", type.isAbstract, to: &members)
        add("$OpenType", type.isOpen, to: &members)
        add("$HasStream", type.hasStream, to: &members)
        if !type.key.isEmpty {
            let key = type.key.map { part -> JSONTree in
                part.alias.map { .object([($0, .text(part.path))]) } ?? .text(part.path)
            }
            members.append(("$Key", .list(key)))
        }
        for property in type.properties {
            var propertyMembers: [Member] = []
            addType(property.type, to: &propertyMembers)
            if let text = property.defaultValue {
                propertyMembers.append(("$DefaultValue", defaultValue(text, of: property.type)))
            }
            add(property.annotations, to: &propertyMembers)
            members.append((property.name, .object(propertyMembers)))
        }
        for navigation in type.navigationProperties { members.append((navigation.name, self.navigation(navigation))) }
        add(type.annotations, to: &members)
        return .object(members)
    }

    private func navigation(_ navigation: Schema.NavigationProperty) -> JSONTree {
        var members: [Member] = [("$Kind", .text("NavigationProperty"))]
        members.append(("$Type", .text(navigation.type.name)))
        add("$Collection", navigation.type.isCollection, to: &members)
        add("$Nullable", !navigation.type.isCollection && navigation.type.isNullable != false, to: &members)
        add("$Partner", navigation.partner, to: &members)
        add("$ContainsTarget", navigation.containsTarget, to: &members)
        if !navigation.constraints.isEmpty {
            var constraints: [Member] = []
            for constraint in navigation.constraints {
                constraints.append((constraint.property, .text(constraint.referencedProperty)))
                add(constraint.annotations, to: &constraints, of: constraint.property)
            }
            members.append(("$ReferentialConstraint", .object(constraints)))
        }
        if let rule = navigation.onDelete {
            members.append(("$OnDelete", .text(rule.action)))
            add(rule.annotations, to: &members, of: "$OnDelete")
        }
        add(navigation.annotations, to: &members)
        return .object(members)
    }

    private func enumeration(_ type: Schema.EnumerationType) -> JSONTree {
        var members: [Member] = [("$Kind", .text("EnumType"))]
        add("$UnderlyingType", type.underlyingType, to: &members)
        add("$IsFlags", type.isFlags, to: &members)
        for member in type.members {
            members.append((member.name, .integer(Int(member.value))))
            add(member.annotations, to: &members, of: member.name)
        }
        add(type.annotations, to: &members)
        return .object(members)
    }

    // MARK: Types

    /// The underlying type, where the name is that of a type definition of the document.
    func underlying(_ name: String) -> String { definitions[resolved(name)] ?? name }

    private func defaultValue(_ text: String, of type: Schema.TypeUse) -> JSONTree {
        switch underlying(type.name) {
        case "Edm.String", "Edm.Binary", "Edm.Date", "Edm.DateTimeOffset", "Edm.Duration", "Edm.Guid",
            "Edm.TimeOfDay":
            return .text(text)
        default: break
        }
        switch text {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return .null
        default: return JSONTree.numeral(text) ?? .text(text)
        }
    }

    /// A term's default value by its type.
    func termDefault(_ term: Schema.Term) -> JSONTree? {
        term.defaultValue.map { defaultValue($0, of: term.type) }
    }
}
