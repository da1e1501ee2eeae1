// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The JSON schemas of a model's types: as they are answered, as they are inserted, as they are changed.
struct OpenAPISchemas {
    typealias Member = (String, JSONTree)

    /// What a schema is for.
    enum Use: String {
        case answer = ""
        case insert = "-create"
        case update = "-update"
    }

    let model: EntityModel

    /// The reference to the schema of a type.
    static func reference(_ namespace: String, _ name: String, _ use: Use) -> JSONTree {
        .object([("$ref", .text("#/components/schemas/\(component(namespace, name, use))"))])
    }

    /// The name of a component, which OpenAPI takes in ASCII alone: other characters by their numbers.
    static func component(_ namespace: String, _ name: String, _ use: Use = .answer) -> String {
        var text = ""
        for scalar in "\(namespace).\(name)".unicodeScalars {
            if scalar.isASCII {
                text.unicodeScalars.append(scalar)
            } else {
                text += "-u" + String(scalar.value, radix: 16)
            }
        }
        return text + use.rawValue
    }

    func all() -> [Member] {
        var schemas: [Member] = []
        var names: Set<String> = []
        for set in model.sets where names.insert(set.type.names.wire).inserted {
            for use in [Use.answer] + (set.isReadOnly ? [] : [.insert, .update]) {
                schemas.append((Self.component(model.namespace, set.type.names.wire, use), entity(set.type, use)))
            }
            for derived in set.type.derivedTypes {
                schemas.append(
                    (
                        Self.component(model.namespace, derived.names.wire),
                        .object([
                            (
                                "allOf",
                                .list([Self.reference(model.namespace, set.type.names.wire, .answer)])
                            )
                        ])
                    )
                )
            }
        }
        for type in model.enumerations {
            schemas.append((Self.component(model.namespace, type.names.wire), enumeration(type)))
        }
        for type in model.complexTypes {
            for use in [Use.answer, .insert] {
                schemas.append((Self.component(model.namespace, type.names.wire, use), complex(type, use)))
            }
        }
        schemas.append(("error", Self.error))
        return schemas
    }

    // MARK: Types

    private func entity(_ type: EntityType, _ use: Use) -> JSONTree {
        var properties: [Member] = []
        var required: [JSONTree] = []
        for (place, property) in type.properties.enumerated() where property.container == nil {
            guard isWritten(place, of: type, use) else { continue }
            properties.append((property.names.wire, schema(property, use)))
            if use == .insert, isRequired(property) { required.append(.text(property.names.wire)) }
        }
        for (place, group) in type.complexProperties.enumerated() where group.parent == nil {
            properties.append((group.names.wire, self.group(place, of: type, use)))
            if use == .insert, !group.isNullable { required.append(.text(group.names.wire)) }
        }
        var members: [Member] = [("type", .text("object"))]
        if let text = type.description { members.append(("description", .text(text))) }
        members.append(("properties", .object(properties)))
        if !required.isEmpty { members.append(("required", .list(required))) }
        if use != .answer, type.dynamicProperty == nil, type.derivedTypes.isEmpty {
            members.append(("additionalProperties", .flag(false)))
        }
        if use == .answer, let example = OpenAPIExamples.example(of: type) { members.append(("example", example)) }
        return .object(members)
    }

    /// Whether a property stands in a body of that use.
    private func isWritten(_ place: Int, of type: EntityType, _ use: Use) -> Bool {
        let property = type.properties[place]
        guard !property.isLocalOnly, property.stream == nil, property.structure != .dynamic else { return false }
        switch use {
        case .answer: return true
        case .insert: return property.isWritable && type.takesValue(place)
        case .update: return property.isWritable && !property.isImmutable && !type.key.contains(place)
        }
    }

    private func isRequired(_ property: Property) -> Bool {
        !property.isNullable && property.defaultValue == nil && property.generation == .none
            && property.declaringType == nil && property.structure?.isCollection != true
    }

    private func group(_ place: Int, of type: EntityType, _ use: Use) -> JSONTree {
        var properties: [Member] = []
        var required: [JSONTree] = []
        for (part, property) in type.properties.enumerated() where property.container == place {
            guard isWritten(part, of: type, use) else { continue }
            properties.append((property.names.wire, schema(property, use)))
            if use == .insert, isRequired(property) { required.append(.text(property.names.wire)) }
        }
        for (part, group) in type.complexProperties.enumerated() where group.parent == place {
            properties.append((group.names.wire, self.group(part, of: type, use)))
        }
        let group = type.complexProperties[place]
        var members: [Member] = [
            ("type", group.isNullable ? .list([.text("object"), .text("null")]) : .text("object")),
            ("properties", .object(properties)),
        ]
        if let text = group.description { members.append(("description", .text(text))) }
        if !required.isEmpty { members.append(("required", .list(required))) }
        if use != .answer { members.append(("additionalProperties", .flag(false))) }
        return .object(members)
    }

    private func complex(_ type: ComplexType, _ use: Use) -> JSONTree {
        let chain = sequence(first: type) { $0.baseType.flatMap { model[complexType: $0] } }.prefix(16).reversed()
        let properties = chain.flatMap(\.properties)
        var members: [Member] = [
            ("type", .text("object")),
            ("properties", .object(properties.map { ($0.names.wire, schema($0, use)) })),
        ]
        let required = properties.filter(isRequired).map { JSONTree.text($0.names.wire) }
        if use == .insert, !required.isEmpty { members.append(("required", .list(required))) }
        if use == .insert, !chain.contains(where: \.isOpen) { members.append(("additionalProperties", .flag(false))) }
        if let text = type.description { members.append(("description", .text(text))) }
        return .object(members)
    }

    private func enumeration(_ type: EnumerationType) -> JSONTree {
        var members: [Member] = [("type", .text("string"))]
        if type.isFlags {
            let names = type.members.map(\.name).joined(separator: "|")
            members.append(("pattern", .text("^(\(names)|0)(,(\(names)))*$")))
        } else {
            members.append(("enum", .list(type.members.map { .text($0.name) })))
        }
        if let text = type.description { members.append(("description", .text(text))) }
        return .object(members)
    }

    // MARK: Properties

    func schema(_ property: Property, _ use: Use) -> JSONTree {
        var members: [Member]
        switch property.structure {
        case .complex(let name)?:
            members = nullable(reference(name, use), property.isNullable)
        case .collection(of: let element, itemsNullable: let nullable)?:
            members = [("type", .text("array")), ("items", .object(items(element, property, nullable, use)))]
        case .dynamic?: members = [("type", .text("object"))]
        case nil:
            if let name = property.enumeration {
                members = self.nullable(
                    Self.reference(model.namespace, name, .answer),
                    property.isNullable
                )
            } else {
                members = OpenAPIPrimitives.schema(property, type: property.type, isWritten: use != .answer)
                if property.isNullable { members = OpenAPIPrimitives.nullable(members) }
            }
        }
        if use == .answer, !property.isWritable { members.append(("readOnly", .flag(true))) }
        if let text = property.description { members.append(("description", .text(text))) }
        return .object(members)
    }

    private func items(_ element: Structure.Element, _ property: Property, _ isNullable: Bool, _ use: Use) -> [Member] {
        switch element {
        case .primitive(let type):
            let members = OpenAPIPrimitives.schema(property, type: type, isWritten: use != .answer)
            return isNullable ? OpenAPIPrimitives.nullable(members) : members
        case .enumeration(let name):
            return nullable(Self.reference(model.namespace, name, .answer), isNullable)
        case .complex(let name): return nullable(reference(name, use), isNullable)
        }
    }

    private func reference(_ name: String, _ use: Use) -> JSONTree {
        Self.reference(model.namespace, name, use == .answer ? .answer : .insert)
    }

    private func nullable(_ reference: JSONTree, _ isNullable: Bool) -> [Member] {
        isNullable ? [("anyOf", .list([reference, .object([("type", .text("null"))])]))] : reference.members
    }

    /// Source: OData JSON Format 4.01, section 21.1.
    private static let error: JSONTree = .object([
        ("type", .text("object")), ("required", .list([.text("error")])),
        (
            "properties",
            .object([
                (
                    "error",
                    .object([
                        ("type", .text("object")), ("required", .list([.text("code"), .text("message")])),
                        (
                            "properties",
                            .object([
                                ("code", .object([("type", .text("string"))])),
                                ("message", .object([("type", .text("string"))])),
                                ("target", .object([("type", .text("string"))])),
                                (
                                    "details",
                                    .object([("type", .text("array")), ("items", .object([("type", .text("object"))]))])
                                ),
                            ])
                        ),
                    ])
                )
            ])
        ),
    ])
}

extension Structure {
    /// Whether it is an array.
    var isCollection: Bool {
        if case .collection = self { true } else { false }
    }
}
