// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the JSON text in a property's column holds.
///
/// The property's own type is then `Edm.String`: the rows carry the JSON text, writers embed it and writes check it.
public enum Structure: Hashable, Sendable {
    /// What a collection's items are.
    public enum Element: Hashable, Sendable {
        /// Values of a primitive type, in the property's facets.
        case primitive(PrimitiveType)
        /// Members of the enumeration of that wire name, by their names.
        case enumeration(String)
        /// Values of the complex type of that wire name.
        case complex(String)
    }

    /// One object of the complex type of that wire name.
    case complex(String)
    /// An array; a column without a value is an empty one, so such a property is never null on the wire.
    case collection(of: Element, itemsNullable: Bool = false)
    /// An object of the entity's dynamic properties, which stand beside its declared ones on the wire.
    ///
    /// The entity type is then open; it has at most one such property.
    case dynamic
}
