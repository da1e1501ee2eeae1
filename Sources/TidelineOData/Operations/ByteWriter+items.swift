// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

extension ByteWriter {
    /// Appends one item of a collection as JSON: a primitive value, a member of an enumeration, a shape.
    public func append(value: Value, of property: Property, in model: EntityModel, format: JSONFormat) {
        switch value {
        case .integer(let number) where property.enumeration != nil:
            appendQuoted(model.enumeration(of: property)?.text(of: number) ?? "\(number)")
        case .geography(var shape):
            shape.isFlat = property.type.isGeometry
            append(geography: shape)
        default: append(value: value, type: property.type, format: format)
        }
    }
}
