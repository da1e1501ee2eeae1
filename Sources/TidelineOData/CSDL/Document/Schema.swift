// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One schema of a metadata document.
///
/// Source: OData CSDL 4.01, section 5.
struct Schema: Equatable, Sendable {
    /// Annotations that stand apart from what they are about.
    struct Target: Equatable, Sendable {
        /// The path of the model element.
        var path: String
        var annotations: [Annotation]
    }

    var namespace: String
    var alias: String?
    var structuredTypes: [StructuredType] = []
    var enumerations: [EnumerationType] = []
    var typeDefinitions: [TypeDefinition] = []
    var operations: [Operation] = []
    var terms: [Term] = []
    var containers: [Container] = []
    var targets: [Target] = []
    var annotations: [Annotation] = []

    /// A type with its facets, as it is used.
    struct TypeUse: Equatable, Sendable {
        /// The qualified name, without `Collection(…)`.
        var name: String
        var isCollection = false
        /// As XML says it: `nil` is nullable, and for collections unknown.
        var isNullable: Bool?
        var maxLength: String?
        var isUnicode: String?
        /// `nil` for a moment, duration or time of day is zero, for a decimal any.
        var precision: String?
        /// `nil` for a decimal is zero.
        var scale: String?
        var srid: String?

        /// Reads `Collection(Name)` or `Name`.
        init(_ text: String, isNullable: Bool? = nil) {
            isCollection = text.hasPrefix("Collection(") && text.hasSuffix(")")
            name = isCollection ? String(text.dropFirst(11).dropLast()) : text
            self.isNullable = isNullable
        }

        /// As XML writes it.
        var text: String { isCollection ? "Collection(\(name))" : name }
    }

    struct Property: Equatable, Sendable {
        var name: String
        var type: TypeUse
        var defaultValue: String?
        var annotations: [Annotation] = []
    }

    struct Constraint: Equatable, Sendable {
        var property: String
        var referencedProperty: String
        var annotations: [Annotation] = []
    }

    struct DeleteRule: Equatable, Sendable {
        var action: String
        var annotations: [Annotation] = []
    }

    struct NavigationProperty: Equatable, Sendable {
        var name: String
        var type: TypeUse
        var partner: String?
        var containsTarget = false
        var constraints: [Constraint] = []
        var onDelete: DeleteRule?
        var annotations: [Annotation] = []
    }

    struct KeyReference: Equatable, Sendable {
        var path: String
        var alias: String?
    }

    /// An entity type or a complex type.
    struct StructuredType: Equatable, Sendable {
        var isEntity: Bool
        var name: String
        var baseType: String?
        var isAbstract = false
        var isOpen = false
        var hasStream = false
        var key: [KeyReference] = []
        var properties: [Property] = []
        var navigationProperties: [NavigationProperty] = []
        var annotations: [Annotation] = []
    }

    struct Member: Equatable, Sendable {
        var name: String
        var value: Int64
        var annotations: [Annotation] = []
    }

    struct EnumerationType: Equatable, Sendable {
        var name: String
        var underlyingType: String?
        var isFlags = false
        var members: [Member] = []
        var annotations: [Annotation] = []
    }

    struct TypeDefinition: Equatable, Sendable {
        var name: String
        var underlyingType: TypeUse
        var annotations: [Annotation] = []
    }

    struct Parameter: Equatable, Sendable {
        var name: String
        var type: TypeUse
        var annotations: [Annotation] = []
    }

    struct ReturnType: Equatable, Sendable {
        var type: TypeUse
        var annotations: [Annotation] = []
    }

    /// One overload of an action or a function.
    struct Operation: Equatable, Sendable {
        var isFunction: Bool
        var name: String
        var isBound = false
        var isComposable = false
        var entitySetPath: String?
        var parameters: [Parameter] = []
        var returnType: ReturnType?
        var annotations: [Annotation] = []
    }

    struct Term: Equatable, Sendable {
        var name: String
        var type: TypeUse
        var baseTerm: String?
        var defaultValue: String?
        var appliesTo: [String] = []
        var annotations: [Annotation] = []
    }

    struct Binding: Equatable, Sendable {
        var path: String
        var target: String
    }

    /// A child of an entity container.
    struct ContainerChild: Equatable, Sendable {
        enum Kind: String {
            case entitySet = "EntitySet"
            case singleton = "Singleton"
            case actionImport = "ActionImport"
            case functionImport = "FunctionImport"
        }

        var kind: Kind
        var name: String
        /// The qualified name of the entity type, action or function.
        var type: String
        var isNullable = false
        var isInServiceDocument: Bool?
        /// Where an operation's entities are.
        var entitySet: String?
        var bindings: [Binding] = []
        var annotations: [Annotation] = []
    }

    struct Container: Equatable, Sendable {
        var name: String
        var extends: String?
        var children: [ContainerChild] = []
        var annotations: [Annotation] = []
    }
}
