// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads a CSDL JSON document into a schema; what the model has no place for is passed over.
struct CSDLJSONReader {
    private let document: JSONTree

    /// The schema of the document that has the entity container.
    ///
    /// - Throws: ``ODataError`` with `invalidMetadata`, or the error of the JSON text.
    static func schema(of document: [UInt8]) throws(ODataError) -> Schema {
        try CSDLJSONReader(document: try JSONTree.read(document)).schema()
    }

    private func schema() throws(ODataError) -> Schema {
        guard let qualified = document["$EntityContainer"]?.text, let dot = qualified.lastIndex(of: ".") else {
            throw ODataError(.invalidMetadata, "The document is not CSDL: it names no ‘$EntityContainer’.")
        }
        let namespace = String(qualified[..<dot])
        let container = String(qualified[qualified.index(after: dot)...])
        guard let body = document[namespace] else {
            throw ODataError(.invalidMetadata, "The document has no schema ‘\(namespace)’.", target: namespace)
        }
        let alias = body["$Alias"]?.text
        func resolved(_ name: String) -> String {
            guard let alias, name.hasPrefix(alias + ".") else { return name }
            return namespace + name.dropFirst(alias.count)
        }
        let types = body.members.filter { $0.1["$Kind"]?.text == "EntityType" }.map { name, type in
            entityType(name, type, resolved)
        }
        let sets = (body[container]?.members ?? []).filter { $0.1["$Collection"]?.isTrue == true }.map { name, set in
            Schema.EntitySet(
                name: name,
                type: resolved(set["$Type"]?.text ?? ""),
                bindings: (set["$NavigationPropertyBinding"]?.members ?? []).compactMap { member in
                    member.1.text.map { (member.0, $0) }
                },
                isReadOnly: set.members.contains { term, value in
                    guard term.hasPrefix("@"), Vocabulary.isCapability(String(term.dropFirst()), "UpdateRestrictions"),
                        case .flag(false)? = value["Updatable"]
                    else { return false }
                    return true
                }
            )
        }
        return Schema(namespace: namespace, container: container, entityTypes: types, entitySets: sets)
    }

    private func entityType(_ name: String, _ type: JSONTree, _ resolved: (String) -> String) -> Schema.EntityType {
        var properties: [Schema.Property] = []
        var navigations: [Schema.NavigationProperty] = []
        var alternateKeys: [[String]] = []
        for (member, value) in type.members {
            if member.hasPrefix("@") {
                guard Vocabulary.isCore(String(member.dropFirst()), "AlternateKeys"), case .list(let keys) = value
                else {
                    continue
                }
                alternateKeys = keys.map { key in
                    guard case .list(let parts)? = key["Key"] else { return [] }
                    return parts.compactMap { $0["Name"]?.text }
                }
            } else if !member.hasPrefix("$"), !member.contains("@") {
                if value["$Kind"]?.text == "NavigationProperty" {
                    navigations.append(navigation(member, value, resolved))
                } else {
                    properties.append(property(member, value))
                }
            }
        }
        var key: [String] = []
        if case .list(let names)? = type["$Key"] { key = names.compactMap(\.text) }
        return Schema.EntityType(
            name: name,
            key: key,
            properties: properties,
            navigationProperties: navigations,
            alternateKeys: alternateKeys
        )
    }

    private func property(_ name: String, _ value: JSONTree) -> Schema.Property {
        var generation = Property.Generation.none
        for (term, flag) in value.members where term.hasPrefix("@") && flag.isTrue {
            let term = String(term.dropFirst())
            if Vocabulary.isCore(term, Vocabulary.computed) { generation = .always }
            if Vocabulary.isCore(term, Vocabulary.computedDefaultValue) { generation = .onInsert }
        }
        return Schema.Property(
            name: name,
            type: value["$Type"]?.text ?? PrimitiveType.string.rawValue,
            isNullable: value["$Nullable"]?.isTrue == true,
            maxLength: value["$MaxLength"]?.scalar,
            precision: value["$Precision"]?.scalar,
            scale: value["$Scale"]?.scalar,
            defaultValue: value["$DefaultValue"]?.scalar,
            generation: generation
        )
    }

    private func navigation(
        _ name: String,
        _ value: JSONTree,
        _ resolved: (String) -> String
    ) -> Schema.NavigationProperty {
        let isCollection = value["$Collection"]?.isTrue == true
        return Schema.NavigationProperty(
            name: name,
            type: resolved(value["$Type"]?.text ?? ""),
            isCollection: isCollection,
            isNullable: isCollection || value["$Nullable"]?.isTrue == true,
            partner: value["$Partner"]?.text,
            constraints: (value["$ReferentialConstraint"]?.members ?? []).compactMap { member in
                member.1.text.map { Schema.Constraint(property: member.0, referencedProperty: $0) }
            },
            onDelete: value["$OnDelete"]?.text
        )
    }
}
