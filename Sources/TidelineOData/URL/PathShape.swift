// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a path has led to so far, which decides what can follow.
///
/// Source: OData ABNF construction rules 4.01, section 1: `collectionNavPath`, `singleNavPath` and so on.
enum PathShape {
    /// Nothing stands in the path yet.
    case root
    case entities, entity
    case complexes, complex
    case primitives, primitive
    case stream
    /// `$each`: an operation can follow.
    case each
    /// `$all`, `$entity`: a type can follow.
    case untyped
    /// `$crossjoin`, a call without parentheses: `$query` can follow.
    case queryable
    /// Nothing can follow.
    case end
    /// There is no table of names: anything can follow but what cannot follow anywhere.
    case unknown

    /// The shape of a property; `nil` when the kinds have none.
    init?(property kinds: NameKinds) {
        if kinds.contains(.entityCollectionNavigation) {
            self = .entities
        } else if kinds.contains(.entityNavigation) {
            self = .entity
        } else if kinds.contains(.complexCollection) {
            self = .complexes
        } else if kinds.contains(.complexProperty) {
            self = .complex
        } else if kinds.contains(.primitiveCollection) {
            self = .primitives
        } else if kinds.contains(.streamProperty) {
            self = .stream
        } else if kinds.contains(.primitiveProperty) {
            self = .primitive
        } else {
            return nil
        }
    }

    /// The shape of a function's result; `nil` when the kinds have no function.
    init?(function kinds: NameKinds) {
        if !kinds.isDisjoint(with: [.entityCollectionFunction, .entityCollectionFunctionImport]) {
            self = .entities
        } else if !kinds.isDisjoint(with: [.entityFunction, .entityFunctionImport]) {
            self = .entity
        } else if !kinds.isDisjoint(with: [.complexCollectionFunction, .complexCollectionFunctionImport]) {
            self = .complexes
        } else if !kinds.isDisjoint(with: [.complexFunction, .complexFunctionImport]) {
            self = .complex
        } else if !kinds.isDisjoint(with: [.primitiveCollectionFunction, .primitiveCollectionFunctionImport]) {
            self = .primitives
        } else if !kinds.isDisjoint(with: [.primitiveFunction, .primitiveFunctionImport]) {
            self = .primitive
        } else {
            return nil
        }
    }

    var takesProperty: Bool {
        switch self {
        case .entity, .complex, .unknown: true
        default: false
        }
    }

    var takesKey: Bool { self == .entities || self == .unknown }

    var takesOperation: Bool {
        switch self {
        case .root, .untyped, .queryable, .end: false
        default: true
        }
    }

    /// Whether `/$count` can follow.
    var takesCount: Bool {
        switch self {
        case .entities, .complexes, .primitives, .unknown: true
        default: false
        }
    }

    var takesReference: Bool { self == .entities || self == .entity || self == .unknown }
    var takesValue: Bool { self == .entity || self == .primitive || self == .unknown }
    var takesFilter: Bool { self == .entities || self == .unknown }

    var takesQuery: Bool {
        switch self {
        case .root, .stream, .each, .untyped, .end: false
        default: true
        }
    }

    /// Whether an entity type, or a complex one, can follow.
    func takesCast(to kinds: NameKinds) -> Bool {
        switch self {
        case .entities, .entity, .untyped: kinds.contains(.entityType)
        case .complexes, .complex: kinds.contains(.complexType)
        case .unknown: true
        default: false
        }
    }

    /// What an item of an ordered collection is; `nil` where there is none.
    var item: PathShape? {
        switch self {
        case .entities: .entity
        case .complexes: .complex
        case .primitives: .primitive
        case .unknown: .unknown
        default: nil
        }
    }
}
