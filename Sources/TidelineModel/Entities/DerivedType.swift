// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A derived type: the rows of a set whose discriminator column has a certain value.
///
/// Its properties and navigation properties stand in those of the entity type, with its wire name as `declaringType`.
/// Source: OData CSDL 4.01, section 6.2.
public struct DerivedType: Hashable, Sendable {
    public var names: Names
    /// The wire name of the derived type that it extends, or `nil` for the entity type itself.
    public var baseType: String?
    /// What its rows have in the discriminator; `nil` only where it is abstract.
    public var discriminatorValue: Value?
    public var isAbstract: Bool
    public var description: String?

    public init(
        names: Names,
        baseType: String? = nil,
        discriminatorValue: Value?,
        isAbstract: Bool = false,
        description: String? = nil
    ) {
        self.names = names
        self.baseType = baseType
        self.discriminatorValue = discriminatorValue
        self.isAbstract = isAbstract
        self.description = description
    }
}
