// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes a schema as a CSDL JSON document.
struct CSDLJSONWriter {
    private let schema: Schema
    private let options: CSDLOptions

    init(schema: Schema, options: CSDLOptions) {
        self.schema = schema
        self.options = options
    }

    func document() -> [UInt8] {
        let references = Vocabulary.references.map { reference -> (String, JSONTree) in
            let include: JSONTree = .object([
                ("$Namespace", .text(reference.namespace)), ("$Alias", .text(reference.alias)),
            ])
            return (reference.uri + ".json", .object([("$Include", .list([include]))]))
        }
        let types = schema.entityTypes.map { ($0.name, node($0)) }
        let root: JSONTree = .object([
            ("$Version", .text("4.01")),
            ("$EntityContainer", .text(schema.qualified(schema.container))),
            ("$Reference", .object(references)),
            (schema.namespace, .object(types + [(schema.container, container)])),
        ])
        return root.bytes
    }

    private func node(_ type: Schema.EntityType) -> JSONTree {
        var members: [(String, JSONTree)] = [
            ("$Kind", .text("EntityType")), ("$Key", .list(type.key.map(JSONTree.text))),
        ]
        members += type.properties.map { ($0.name, node($0)) }
        members += type.navigationProperties.map { ($0.name, node($0)) }
        if !type.alternateKeys.isEmpty {
            let keys = type.alternateKeys.map { key -> JSONTree in
                let parts = key.map { JSONTree.object([("Name", .text($0)), ("Alias", .text($0))]) }
                return .object([("Key", .list(parts))])
            }
            members.append(("@Core.AlternateKeys", .list(keys)))
        }
        return .object(members)
    }

    /// A property: the type is left out for strings, nullability where it is false.
    ///
    /// Source: section 7.2.
    private func node(_ property: Schema.Property) -> JSONTree {
        var members: [(String, JSONTree)] = []
        if property.type != "Edm.String" { members.append(("$Type", .text(property.type))) }
        if property.isNullable { members.append(("$Nullable", .flag(true))) }
        if let length = property.maxLength.flatMap({ Int($0) }) { members.append(("$MaxLength", .integer(length))) }
        if let precision = property.precision.flatMap({ Int($0) }) {
            members.append(("$Precision", .integer(precision)))
        }
        if let scale = property.scale {
            members.append(("$Scale", Int(scale).map(JSONTree.integer) ?? .text(scale)))
        }
        if let value = property.defaultValue { members.append(("$DefaultValue", .text(value))) }
        switch property.generation {
        case .none: break
        case .onInsert: members.append(("@Core." + Vocabulary.computedDefaultValue, .flag(true)))
        case .always: members.append(("@Core." + Vocabulary.computed, .flag(true)))
        }
        return .object(members)
    }

    private func node(_ navigation: Schema.NavigationProperty) -> JSONTree {
        var members: [(String, JSONTree)] = [("$Kind", .text("NavigationProperty")), ("$Type", .text(navigation.type))]
        if navigation.isCollection { members.append(("$Collection", .flag(true))) }
        if navigation.isNullable, !navigation.isCollection { members.append(("$Nullable", .flag(true))) }
        if let partner = navigation.partner { members.append(("$Partner", .text(partner))) }
        if !navigation.constraints.isEmpty {
            let pairs = navigation.constraints.map { ($0.property, JSONTree.text($0.referencedProperty)) }
            members.append(("$ReferentialConstraint", .object(pairs)))
        }
        if let rule = navigation.onDelete { members.append(("$OnDelete", .text(rule))) }
        return .object(members)
    }

    private var container: JSONTree {
        var members: [(String, JSONTree)] = [("$Kind", .text("EntityContainer"))]
        for set in schema.entitySets {
            var node: [(String, JSONTree)] = [("$Collection", .flag(true)), ("$Type", .text(set.type))]
            if !set.bindings.isEmpty {
                node.append(("$NavigationPropertyBinding", .object(set.bindings.map { ($0.path, .text($0.target)) })))
            }
            if set.isReadOnly {
                node += CSDLCapabilities.readOnly.map { ("@Capabilities." + $0.0, .object([($0.1, .flag(false))])) }
            }
            members.append((set.name, .object(node)))
        }
        members.append(("@Core.ODataVersions", .text("4.0 4.01")))
        members += CSDLCapabilities.container(options).map { ("@" + $0.term, Self.node($0.value)) }
        return .object(members)
    }

    private static func node(_ value: CSDLCapabilities.Value) -> JSONTree {
        switch value {
        case .flag(let flag): .flag(flag)
        case .integer(let number): .integer(number)
        case .record(let members):
            .object(
                members.map { name, member in
                    switch member {
                    case .flag(let flag): (name, .flag(flag))
                    case .integer(let number): (name, .integer(number))
                    }
                }
            )
        }
    }
}
