// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Writes a schema as a CSDL JSON document.
struct CSDLJSONWriter {
    /// A JSON value in the order in which it is written.
    private indirect enum Node {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([Node])
        case object([(String, Node)])
    }

    private let schema: Schema
    private let options: CSDLOptions

    init(schema: Schema, options: CSDLOptions) {
        self.schema = schema
        self.options = options
    }

    func document() -> [UInt8] {
        let references = Vocabulary.references.map { reference -> (String, Node) in
            let include: Node = .object([
                ("$Namespace", .text(reference.namespace)), ("$Alias", .text(reference.alias)),
            ])
            return (reference.uri + ".json", .object([("$Include", .list([include]))]))
        }
        let types = schema.entityTypes.map { ($0.name, node($0)) }
        let root: Node = .object([
            ("$Version", .text("4.01")),
            ("$EntityContainer", .text(schema.qualified(schema.container))),
            ("$Reference", .object(references)),
            (schema.namespace, .object(types + [(schema.container, container)])),
        ])
        var bytes: [UInt8] = []
        Self.append(root, to: &bytes)
        return bytes
    }

    private func node(_ type: Schema.EntityType) -> Node {
        var members: [(String, Node)] = [
            ("$Kind", .text("EntityType")), ("$Key", .list(type.key.map(Node.text))),
        ]
        members += type.properties.map { ($0.name, node($0)) }
        members += type.navigationProperties.map { ($0.name, node($0)) }
        if !type.alternateKeys.isEmpty {
            let keys = type.alternateKeys.map { key -> Node in
                let parts = key.map { Node.object([("Name", .text($0)), ("Alias", .text($0))]) }
                return .object([("Key", .list(parts))])
            }
            members.append(("@Core.AlternateKeys", .list(keys)))
        }
        return .object(members)
    }

    /// A property: the type is left out for strings, nullability where it is false. Source: section 7.2.
    private func node(_ property: Schema.Property) -> Node {
        var members: [(String, Node)] = []
        if property.type != "Edm.String" { members.append(("$Type", .text(property.type))) }
        if property.isNullable { members.append(("$Nullable", .flag(true))) }
        if let length = property.maxLength.flatMap({ Int($0) }) { members.append(("$MaxLength", .number(length))) }
        if let precision = property.precision.flatMap({ Int($0) }) {
            members.append(("$Precision", .number(precision)))
        }
        if let scale = property.scale {
            members.append(("$Scale", Int(scale).map(Node.number) ?? .text(scale)))
        }
        if let value = property.defaultValue { members.append(("$DefaultValue", .text(value))) }
        switch property.generation {
        case .none: break
        case .onInsert: members.append(("@Core." + Vocabulary.computedDefaultValue, .flag(true)))
        case .always: members.append(("@Core." + Vocabulary.computed, .flag(true)))
        }
        return .object(members)
    }

    private func node(_ navigation: Schema.NavigationProperty) -> Node {
        var members: [(String, Node)] = [("$Kind", .text("NavigationProperty")), ("$Type", .text(navigation.type))]
        if navigation.isCollection { members.append(("$Collection", .flag(true))) }
        if navigation.isNullable, !navigation.isCollection { members.append(("$Nullable", .flag(true))) }
        if let partner = navigation.partner { members.append(("$Partner", .text(partner))) }
        if !navigation.constraints.isEmpty {
            let pairs = navigation.constraints.map { ($0.property, Node.text($0.referencedProperty)) }
            members.append(("$ReferentialConstraint", .object(pairs)))
        }
        if let rule = navigation.onDelete { members.append(("$OnDelete", .text(rule))) }
        return .object(members)
    }

    private var container: Node {
        var members: [(String, Node)] = [("$Kind", .text("EntityContainer"))]
        for set in schema.entitySets {
            var node: [(String, Node)] = [("$Collection", .flag(true)), ("$Type", .text(set.type))]
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

    private static func node(_ value: CSDLCapabilities.Value) -> Node {
        switch value {
        case .flag(let flag): .flag(flag)
        case .integer(let number): .number(number)
        case .record(let members):
            .object(
                members.map { name, member in
                    switch member {
                    case .flag(let flag): (name, .flag(flag))
                    case .integer(let number): (name, .number(number))
                    }
                }
            )
        }
    }

    private static func append(_ node: Node, to bytes: inout [UInt8]) {
        switch node {
        case .text(let text): append(text, to: &bytes)
        case .number(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .list(let nodes):
            bytes.append(UInt8(ascii: "["))
            for (place, node) in nodes.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                append(node, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in members.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.0, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(member.1, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
