// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A metadata document as it stands: names and facets as text, nothing looked up.
///
/// Both formats are read into it and written from it; ``model(warnings:)`` alone gives it a meaning. Where the formats
/// have different defaults, it holds what XML would say.
/// Source: OData CSDL XML and CSDL JSON Representation 4.01.
struct CSDLDocument: Equatable, Sendable {
    /// A reference to another document, and what is taken from it.
    struct Reference: Equatable, Sendable {
        var uri: String
        var includes: [Include] = []
        var includedAnnotations: [IncludedAnnotations] = []
        var annotations: [Annotation] = []
    }

    struct Include: Equatable, Sendable {
        var namespace: String
        var alias: String?
        var annotations: [Annotation] = []
    }

    struct IncludedAnnotations: Equatable, Sendable {
        var termNamespace: String
        var targetNamespace: String?
        var qualifier: String?
    }

    var version = "4.01"
    var references: [Reference] = []
    var schemas: [Schema] = []

    /// The namespace of each alias, of included schemas and of the document's own.
    var aliases: [String: String] {
        var aliases: [String: String] = [:]
        for include in references.flatMap(\.includes) {
            if let alias = include.alias { aliases[alias] = include.namespace }
        }
        for schema in schemas {
            if let alias = schema.alias { aliases[alias] = schema.namespace }
        }
        return aliases
    }

    /// The first schema with an entity container, and that container.
    var container: (schema: Schema, container: Schema.Container)? {
        for schema in schemas {
            if let container = schema.containers.first { return (schema, container) }
        }
        return nil
    }
}
