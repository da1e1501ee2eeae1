// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The type of a property as a schema says it.
enum TypeUses {
    static func use(of property: Property, namespace: String) -> Schema.TypeUse {
        func qualified(_ name: String) -> String { "\(namespace).\(name)" }
        var use: Schema.TypeUse
        var primitive: PrimitiveType?
        switch property.structure {
        case .complex(let name)?: use = Schema.TypeUse(qualified(name), isNullable: property.isNullable)
        case .collection(of: let element, itemsNullable: let nullable)?:
            switch element {
            case .primitive(let type):
                use = Schema.TypeUse(type.rawValue, isNullable: nullable)
                primitive = type
            case .enumeration(let name), .complex(let name): use = Schema.TypeUse(qualified(name), isNullable: nullable)
            }
            use.isCollection = true
        case .dynamic?, nil:
            if property.stream != nil {
                return Schema.TypeUse("Edm.Stream", isNullable: property.isNullable)
            }
            use = Schema.TypeUse(
                property.enumeration.map(qualified) ?? property.type.rawValue,
                isNullable: property.isNullable
            )
            primitive = property.enumeration == nil ? property.type : nil
        }
        if let primitive { addFacets(of: property, type: primitive, to: &use) }
        if !use.isCollection, use.isNullable == true { use.isNullable = nil }
        return use
    }

    private static func addFacets(of property: Property, type: PrimitiveType, to use: inout Schema.TypeUse) {
        switch type {
        case .string, .binary: use.maxLength = property.maxLength.map(String.init)
        case .decimal:
            use.precision = property.precision.map(String.init)
            use.scale = property.scale.map(String.init) ?? "variable"
        // Without a precision these would be whole seconds; values here have up to nine digits.
        case .dateTimeOffset, .timeOfDay, .duration: use.precision = "\(property.precision ?? 9)"
        case _ where type.isSpatial: use.srid = property.srid.map(String.init)
        default: break
        }
    }
}
