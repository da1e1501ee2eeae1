// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

extension EntityModel {
    /// The operations of a name on the wire: its overloads, in the order of the model.
    public func operations(named wire: String) -> [EdmOperation] {
        operations.filter { $0.names.wire == wire }
    }

    /// The unbound operations that a name of the entity container stands for: one, or the overloads of a function.
    public func operations(imported name: String) -> [EdmOperation] {
        operations.filter { !$0.isBound && $0.imports.contains { $0.name == name } }
    }

    /// The operations that can be called on an entity of a set, or on a collection of them.
    ///
    /// - Parameter derivedType: the wire name of the type that the entities are known to have, or `nil` for the set's own.
    public func operations(boundTo set: EntitySet, derivedType: String? = nil, isCollection: Bool) -> [EdmOperation] {
        operations.filter { operation in
            guard let binding = operation.binding, binding.isCollection == isCollection,
                self[set: binding.set]?.type.names.wire == set.type.names.wire
            else { return false }
            guard let wanted = binding.derivedType else { return true }
            return set.type.isDerived(derivedType, from: wanted)
        }
    }

    /// The property as which values of a type are read, checked and written; `nil` for entities.
    ///
    /// As everywhere in rows, a complex value and a collection are JSON text, a member of an enumeration is its number.
    public func property(_ names: Names, of type: OperationType) -> Property? {
        var property = Property(
            names: names,
            type: .string,
            isNullable: type.isNullable,
            maxLength: type.maxLength,
            precision: type.precision,
            scale: type.scale
        )
        property.srid = type.srid
        let element: Structure.Element
        switch type.element {
        case .primitive(let primitive):
            property.type = primitive
            element = .primitive(primitive)
        case .enumeration(let name):
            property.type = self[enumeration: name]?.underlyingType ?? .int32
            property.enumeration = name
            element = .enumeration(name)
        case .complex(let name):
            property.structure = .complex(name)
            element = .complex(name)
        case .entity: return nil
        }
        if type.isCollection {
            property.type = .string
            property.enumeration = nil
            property.structure = .collection(of: element, itemsNullable: type.isNullable)
            property.isNullable = false
        }
        return property
    }

    /// The property as which a parameter's value is read, checked and handed on.
    public func property(of parameter: OperationParameter) -> Property? {
        var property = property(parameter.names, of: parameter.type)
        property?.defaultValue = parameter.defaultValue
        property?.description = parameter.description
        return property
    }

    /// What one row of an operation's result holds.
    ///
    /// One value for a primitive type and an enumeration, the properties of a complex type with those of its bases before
    /// them, or the key of an entity.
    public func resultColumns(of type: OperationType) -> [Property] {
        switch type.element {
        case .primitive, .enumeration:
            var item = type
            item.isCollection = false
            return property(Names(wire: "value"), of: item).map { [$0] } ?? []
        case .complex(let name): return properties(ofComplex: name)
        case .entity(let set, _):
            guard let type = self[set: set]?.type else { return [] }
            return type.key.map { type.properties[$0] }
        }
    }

    /// The properties of a complex type, those of its bases first.
    public func properties(ofComplex name: String) -> [Property] {
        var properties: [Property] = []
        var next = self[complexType: name]
        var depth = 0
        while let type = next, depth < 32 {
            properties.insert(contentsOf: type.properties, at: 0)
            next = type.baseType.flatMap { self[complexType: $0] }
            depth += 1
        }
        return properties
    }

    /// The name of a type on the wire: `Edm.Int32`, or the unqualified name of a type of the model.
    public func typeName(of element: OperationType.Element) -> String {
        switch element {
        case .primitive(let type): type.rawValue
        case .enumeration(let name), .complex(let name): name
        case .entity(let set, let derived): derived ?? self[set: set]?.type.names.wire ?? set
        }
    }
}

extension EntityType {
    /// Whether a derived type is another one or extends it; `nil` is the entity type itself.
    public func isDerived(_ name: String?, from base: String) -> Bool {
        var next = name
        var depth = 0
        while let name = next, depth < 32 {
            if name == base { return true }
            next = derivedTypes.first { $0.names.wire == name }?.baseType
            depth += 1
        }
        return false
    }
}
