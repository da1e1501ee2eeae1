// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The names of a model by what they stand for: with them a URL has one meaning.
///
/// Without a table `Products/Best(x=1)` can be an entity by its key or a call, and `Products/A` a cast, a call or a key
/// as a segment. The names of all types are pooled: that a property belongs to the type at hand is for the resolver to
/// find out.
public struct NameTable: Hashable, Sendable {
    private var kinds: [String: NameKinds]
    /// The custom query options that are taken; `nil` for all.
    public var customOptions: Set<String>?
    /// The keys that may stand as segments of their own; `nil` for all that are no names.
    public var keySegments: Set<String>?

    /// What a name can stand for that is not in the table; nothing when the table is complete.
    public var unlisted: NameKinds = []

    /// - Parameter kinds: what each name can stand for, without namespaces.
    public init(_ kinds: [String: NameKinds] = [:]) { self.kinds = kinds }

    /// The names of a model.
    public init(_ model: EntityModel) {
        self.init()
        for set in model.sets {
            // Contained entities are reached by the way to them alone.
            if !set.isContained { add(set.names.wire, .entitySet) }
            add(set.type.names.wire, .entityType)
            for derived in set.type.derivedTypes { add(derived.names.wire, .entityType) }
            for complex in set.type.complexProperties { add(complex.names.wire, .complexProperty) }
            for property in set.type.properties { add(property) }
            for navigation in set.type.navigationProperties {
                add(navigation.names.wire, navigation.isCollection ? .entityCollectionNavigation : .entityNavigation)
            }
        }
        for singleton in model.singletons { add(singleton.names.wire, .singleton) }
        for type in model.enumerations { add(type.names.wire, .enumerationType) }
        for type in model.complexTypes {
            add(type.names.wire, .complexType)
            for property in type.properties { add(property) }
        }
        for operation in model.operations { add(operation) }
    }

    private mutating func add(_ property: Property) {
        guard !property.isLocalOnly, property.structure != .dynamic else { return }
        if property.stream != nil { return add(property.names.wire, .streamProperty) }
        switch property.structure {
        case .complex?: add(property.names.wire, .complexProperty)
        case .collection(of: .complex, _)?: add(property.names.wire, .complexCollection)
        case .collection?: add(property.names.wire, .primitiveCollection)
        case .dynamic?, nil: add(property.names.wire, .primitiveProperty)
        }
    }

    private mutating func add(_ operation: EdmOperation) {
        let imports = operation.isBound ? [] : operation.imports.map(\.name)
        guard operation.kind == .function else {
            if operation.isBound { add(operation.names.wire, .action) }
            for name in imports { add(name, .actionImport) }
            return
        }
        let isCollection = operation.returnType?.isCollection == true
        let (bound, imported): (NameKinds, NameKinds) =
            switch (operation.returnType?.element, isCollection) {
            case (.entity?, false): (.entityFunction, .entityFunctionImport)
            case (.entity?, true): (.entityCollectionFunction, .entityCollectionFunctionImport)
            case (.complex?, false): (.complexFunction, .complexFunctionImport)
            case (.complex?, true): (.complexCollectionFunction, .complexCollectionFunctionImport)
            case (_, false): (.primitiveFunction, .primitiveFunctionImport)
            case (_, true): (.primitiveCollectionFunction, .primitiveCollectionFunctionImport)
            }
        if operation.isBound { add(operation.names.wire, bound) }
        for name in imports { add(name, imported) }
        for parameter in operation.parameters { add(parameter.names.wire, .parameter) }
    }

    /// Says that a name can also stand for these.
    public mutating func add(_ name: String, _ more: NameKinds) {
        kinds[name, default: []].formUnion(more)
    }

    /// What a name can stand for, its namespace aside; nothing for one that is not known.
    public subscript(name: String) -> NameKinds {
        let last = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.utf8.index(after: $0)...] }
        return kinds[last.map(String.init) ?? name] ?? unlisted
    }
}
