// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a parameter takes or an operation gives: one value or a collection, with its facets.
public struct OperationType: Hashable, Sendable {
    /// What one value is.
    public enum Element: Hashable, Sendable {
        case primitive(PrimitiveType)
        /// A member of the enumeration type of that wire name.
        case enumeration(String)
        /// A value of the complex type of that wire name.
        case complex(String)
        /// An entity of the set of that wire name, and where it must have a derived type, the wire name of that.
        case entity(set: String, derivedType: String? = nil)
    }

    public var element: Element
    public var isCollection: Bool
    /// Whether the value may be null; of a collection, whether an item may.
    public var isNullable: Bool
    /// The longest string in Unicode characters, or the longest binary value in bytes.
    public var maxLength: Int?
    /// The digits of a decimal, or the digits of the seconds' fraction of a time.
    public var precision: Int?
    /// The digits after the point of a decimal; `nil` means variable.
    public var scale: Int?
    /// The spatial reference of a geography or geometry value; `nil` is 4326 and 0.
    public var srid: Int?

    public init(
        _ element: Element,
        isCollection: Bool = false,
        isNullable: Bool = true,
        maxLength: Int? = nil,
        precision: Int? = nil,
        scale: Int? = nil,
        srid: Int? = nil
    ) {
        self.element = element
        self.isCollection = isCollection
        self.isNullable = isNullable
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.srid = srid
    }

    /// The wire name of the entity set, where entities are meant.
    public var entitySet: String? {
        guard case .entity(let set, _) = element else { return nil }
        return set
    }

    /// Whether both are the same type, facets and nullability apart.
    ///
    /// - Parameter model: the model, which says the entity type of a set.
    public func isSameType(as other: OperationType, in model: EntityModel) -> Bool {
        isCollection == other.isCollection && model.typeName(of: element) == model.typeName(of: other.element)
    }
}
