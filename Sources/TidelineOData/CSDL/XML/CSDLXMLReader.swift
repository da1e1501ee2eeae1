// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Reads a CSDL XML document into a schema; what the model has no place for is passed over.
struct CSDLXMLReader {
    private typealias Element = XMLPullReader.Element

    private var xml: XMLPullReader
    private var schema = Schema(namespace: "", container: "Container", entityTypes: [], entitySets: [])
    private var alias: String?

    private init(_ document: [UInt8]) throws(ODataError) {
        xml = try XMLPullReader(document)
    }

    /// The schema of the document that has an entity container, with the entity types of all its schemas.
    static func schema(of document: [UInt8]) throws(ODataError) -> Schema {
        var reader = try CSDLXMLReader(document)
        try reader.root()
        guard !reader.schema.namespace.isEmpty else {
            throw ODataError(.invalidMetadata, "The document has no schema.")
        }
        reader.resolveAlias()
        return reader.schema
    }

    private mutating func root() throws(ODataError) {
        guard case .start(let edmx) = try xml.next(), edmx.name == "Edmx" else {
            throw ODataError(.invalidMetadata, "The document is not CSDL: its root is not ‘Edmx’.")
        }
        try children { reader, services throws(ODataError) in
            guard services.name == "DataServices" else { return try reader.skip() }
            try reader.children { reader, element throws(ODataError) in
                guard element.name == "Schema" else { return try reader.skip() }
                try reader.schema(element)
            }
        }
        guard case .finished = try xml.next() else {
            throw ODataError(.invalidMetadata, "The document goes on after its root.")
        }
    }

    private mutating func schema(_ element: Element) throws(ODataError) {
        if schema.namespace.isEmpty {
            schema.namespace = element.attributes["Namespace"] ?? ""
            alias = element.attributes["Alias"]
        }
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "EntityType": try reader.entityType(element)
            case "EntityContainer": try reader.container(element)
            default: try reader.skip()
            }
        }
    }

    private mutating func entityType(_ element: Element) throws(ODataError) {
        var type = Schema.EntityType(
            name: try required("Name", of: element),
            key: [],
            properties: [],
            navigationProperties: [],
            alternateKeys: []
        )
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "Key":
                try reader.children { reader, element throws(ODataError) in
                    if element.name == "PropertyRef" { type.key.append(try reader.required("Name", of: element)) }
                    try reader.skip()
                }
            case "Property": type.properties.append(try reader.property(element))
            case "NavigationProperty": type.navigationProperties.append(try reader.navigation(element))
            case "Annotation" where Vocabulary.isCore(element.attributes["Term"] ?? "", "AlternateKeys"):
                type.alternateKeys = try reader.alternateKeys()
            default: try reader.skip()
            }
        }
        schema.entityTypes.append(type)
    }

    private mutating func property(_ element: Element) throws(ODataError) -> Schema.Property {
        let attributes = element.attributes
        var property = Schema.Property(
            name: try required("Name", of: element),
            type: try required("Type", of: element),
            isNullable: attributes["Nullable"] != "false",
            maxLength: attributes["MaxLength"],
            precision: attributes["Precision"],
            scale: attributes["Scale"],
            defaultValue: attributes["DefaultValue"]
        )
        try children { reader, element throws(ODataError) in
            let term = element.attributes["Term"] ?? ""
            if element.name == "Annotation", element.attributes["Bool"] != "false" {
                if Vocabulary.isCore(term, Vocabulary.computed) { property.generation = .always }
                if Vocabulary.isCore(term, Vocabulary.computedDefaultValue) { property.generation = .onInsert }
            }
            try reader.skip()
        }
        return property
    }

    private mutating func navigation(_ element: Element) throws(ODataError) -> Schema.NavigationProperty {
        let type = try required("Type", of: element)
        let isCollection = type.hasPrefix("Collection(") && type.hasSuffix(")")
        var navigation = Schema.NavigationProperty(
            name: try required("Name", of: element),
            type: isCollection ? String(type.dropFirst(11).dropLast()) : type,
            isCollection: isCollection,
            isNullable: element.attributes["Nullable"] != "false",
            partner: element.attributes["Partner"],
            constraints: [],
            onDelete: nil
        )
        try children { reader, element throws(ODataError) in
            switch element.name {
            case "ReferentialConstraint":
                navigation.constraints.append(
                    Schema.Constraint(
                        property: try reader.required("Property", of: element),
                        referencedProperty: try reader.required("ReferencedProperty", of: element)
                    )
                )
            case "OnDelete": navigation.onDelete = element.attributes["Action"]
            default: break
            }
            try reader.skip()
        }
        return navigation
    }

    /// The keys of `Core.AlternateKeys`: the outer records that hold a `Key`, each with its property paths.
    private mutating func alternateKeys() throws(ODataError) -> [[String]] {
        var keys: [[String]] = []
        var depth = 1
        while depth > 0 {
            switch try xml.next() {
            case .start(let element):
                depth += 1
                if element.name == "PropertyValue" {
                    if element.attributes["Property"] == "Key" { keys.append([]) }
                    if element.attributes["Property"] == "Name", let path = element.attributes["PropertyPath"],
                        !keys.isEmpty
                    {
                        keys[keys.count - 1].append(path)
                    }
                }
            case .end: depth -= 1
            case .finished: depth = 0
            }
        }
        return keys
    }

    private mutating func container(_ element: Element) throws(ODataError) {
        schema.container = try required("Name", of: element)
        try children { reader, element throws(ODataError) in
            guard element.name == "EntitySet" else { return try reader.skip() }
            var set = Schema.EntitySet(
                name: try reader.required("Name", of: element),
                type: try reader.required("EntityType", of: element),
                bindings: [],
                isReadOnly: false
            )
            try reader.children { reader, element throws(ODataError) in
                switch element.name {
                case "NavigationPropertyBinding":
                    set.bindings.append(
                        (try reader.required("Path", of: element), try reader.required("Target", of: element))
                    )
                    try reader.skip()
                case "Annotation" where Vocabulary.isCapability(element.attributes["Term"] ?? "", "UpdateRestrictions"):
                    set.isReadOnly = try reader.recordFlag("Updatable") == false
                default: try reader.skip()
                }
            }
            reader.schema.entitySets.append(set)
        }
    }

    /// A Boolean member of the record that the open annotation holds.
    private mutating func recordFlag(_ name: String) throws(ODataError) -> Bool? {
        var flag: Bool?
        try children { reader, record throws(ODataError) in
            try reader.children { reader, value throws(ODataError) in
                if value.attributes["Property"] == name { flag = value.attributes["Bool"] != "false" }
                try reader.skip()
            }
        }
        return flag
    }

    /// Names with the alias of the schema become names with its namespace.
    private mutating func resolveAlias() {
        guard let alias else { return }
        let namespace = schema.namespace
        func resolved(_ name: String) -> String {
            name.hasPrefix(alias + ".") ? namespace + name.dropFirst(alias.count) : name
        }
        for type in schema.entityTypes.indices {
            for navigation in schema.entityTypes[type].navigationProperties.indices {
                let name = schema.entityTypes[type].navigationProperties[navigation].type
                schema.entityTypes[type].navigationProperties[navigation].type = resolved(name)
            }
        }
        for set in schema.entitySets.indices { schema.entitySets[set].type = resolved(schema.entitySets[set].type) }
    }

    private func required(_ name: String, of element: Element) throws(ODataError) -> String {
        guard let value = element.attributes[name] else {
            throw ODataError(.invalidMetadata, "An element ‘\(element.name)’ has no attribute ‘\(name)’.")
        }
        return value
    }

    /// Hands each child of the open element to `body`, which has to read it to its end.
    private mutating func children(
        _ body: (inout CSDLXMLReader, Element) throws(ODataError) -> Void
    ) throws(ODataError) {
        while true {
            switch try xml.next() {
            case .start(let element): try body(&self, element)
            case .end, .finished: return
            }
        }
    }

    /// Reads the open element to its end.
    private mutating func skip() throws(ODataError) {
        try children { reader, _ throws(ODataError) in try reader.skip() }
    }
}
