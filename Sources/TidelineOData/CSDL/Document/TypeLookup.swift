// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The types of a document by their qualified names, with aliases resolved.
struct TypeLookup {
    let complexTypes: [Schema.StructuredType]
    let enumerations: [Schema.EnumerationType]
    let operations: [Schema.Operation]
    private let aliases: [String: String]
    private var structuredTypes: [String: Schema.StructuredType] = [:]
    private var paths: [String: String] = [:]
    private var enumerationTypes: [String: Schema.EnumerationType] = [:]
    private var definitions: [String: Schema.TypeDefinition] = [:]
    private var containers: [String: Schema.Container] = [:]
    private var children: [String: [Schema.StructuredType]] = [:]
    private var targets: [String: [Annotation]] = [:]

    init(_ document: CSDLDocument) {
        aliases = document.aliases
        complexTypes = document.schemas.flatMap { $0.structuredTypes.filter { !$0.isEntity } }
        enumerations = document.schemas.flatMap(\.enumerations)
        operations = document.schemas.flatMap(\.operations)
        for schema in document.schemas {
            for type in schema.structuredTypes {
                structuredTypes["\(schema.namespace).\(type.name)"] = type
                paths[type.name] = "\(schema.namespace).\(type.name)"
                if let base = type.baseType { children[resolved(base), default: []].append(type) }
            }
            for type in schema.enumerations { enumerationTypes["\(schema.namespace).\(type.name)"] = type }
            for definition in schema.typeDefinitions {
                definitions["\(schema.namespace).\(definition.name)"] = definition
            }
            for container in schema.containers { containers["\(schema.namespace).\(container.name)"] = container }
            for target in schema.targets { targets[resolved(target.path), default: []] += target.annotations }
        }
    }

    /// The name after the last dot.
    static func local(_ name: String) -> String {
        name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// A name with its namespace, where it has an alias before it.
    func resolved(_ name: String) -> String {
        guard let dot = name.firstIndex(of: "."), let namespace = aliases[String(name[..<dot])] else { return name }
        return namespace + name[dot...]
    }

    func structured(_ name: String) -> Schema.StructuredType? { structuredTypes[resolved(name)] }
    func enumeration(_ name: String) -> Schema.EnumerationType? { enumerationTypes[resolved(name)] }
    func container(_ name: String) -> Schema.Container? { containers[resolved(name)] }

    func enumeration(local name: String) -> Schema.EnumerationType? { enumerations.first { $0.name == name } }

    /// The qualified name of a type of the document.
    func path(_ type: Schema.StructuredType) -> String { paths[type.name] ?? type.name }

    /// A type with those that it extends, the outermost first.
    func chain(_ type: Schema.StructuredType) -> [Schema.StructuredType] {
        var chain = [type]
        while chain.count < 32, let base = chain[0].baseType.flatMap(structured) { chain.insert(base, at: 0) }
        return chain
    }

    /// The types that extend a type, each after what it extends.
    func derived(from type: Schema.StructuredType, depth: Int = 0) -> [Schema.StructuredType] {
        guard depth < 32 else { return [] }
        return (children[path(type)] ?? []).flatMap { [$0] + derived(from: $0, depth: depth + 1) }
    }

    /// A use with the underlying type, where its type is a definition.
    func withoutDefinition(_ use: Schema.TypeUse) -> Schema.TypeUse {
        guard let definition = definitions[resolved(use.name)]?.underlyingType else { return use }
        var result = use
        result.name = definition.name
        result.maxLength = use.maxLength ?? definition.maxLength
        result.precision = use.precision ?? definition.precision
        result.scale = use.scale ?? definition.scale
        result.srid = use.srid ?? definition.srid
        return result
    }

    /// The annotations of an element, with those that stand apart from it.
    func annotations(_ own: [Annotation], of path: String) -> [Annotation] {
        own + (targets[path] ?? [])
    }
}
