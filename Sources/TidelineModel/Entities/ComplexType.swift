// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A complex type: a structure without a key, held in a group of columns or in a JSON column.
///
/// Its properties have no columns of their own: ``Names/database`` of each is unused. A property may be structured in
/// its turn (``Property/structure``).
/// Source: OData CSDL 4.01, section 9.
public struct ComplexType: Hashable, Sendable {
    public var names: Names
    /// The wire name of the complex type that it extends.
    public var baseType: String?
    public var isAbstract: Bool
    /// Whether values may have members that are not declared.
    public var isOpen: Bool
    /// The properties that the type itself declares, without those of `baseType`.
    public var properties: [Property]
    public var description: String?

    /// `Edm.Untyped`: objects of any members, which is what a device knows of all complex values.
    ///
    /// Source: OData CSDL 4.01, section 4.4.
    public static let untyped = ComplexType(names: Names(wire: "Edm.Untyped"), isOpen: true, properties: [])

    public init(
        names: Names,
        baseType: String? = nil,
        isAbstract: Bool = false,
        isOpen: Bool = false,
        properties: [Property],
        description: String? = nil
    ) {
        self.names = names
        self.baseType = baseType
        self.isAbstract = isAbstract
        self.isOpen = isOpen
        self.properties = properties
        self.description = description
    }
}
