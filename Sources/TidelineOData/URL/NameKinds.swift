// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a name of a model can stand for; the cases are named as the rules of the grammar.
///
/// Source: OData ABNF construction rules 4.01, section 6, "Names and identifiers".
public struct NameKinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// An entity set of the container.
    public static let entitySet = NameKinds(rawValue: 1 << 0)
    /// A singleton of the container.
    public static let singleton = NameKinds(rawValue: 1 << 1)
    /// An action import.
    public static let actionImport = NameKinds(rawValue: 1 << 2)
    /// A bound action.
    public static let action = NameKinds(rawValue: 1 << 3)
    /// An entity type.
    public static let entityType = NameKinds(rawValue: 1 << 4)
    /// A complex type.
    public static let complexType = NameKinds(rawValue: 1 << 5)
    /// An enumeration type.
    public static let enumerationType = NameKinds(rawValue: 1 << 6)
    /// A property with one primitive value.
    public static let primitiveProperty = NameKinds(rawValue: 1 << 7)
    /// A collection of primitive values.
    public static let primitiveCollection = NameKinds(rawValue: 1 << 8)
    /// A property with one complex value.
    public static let complexProperty = NameKinds(rawValue: 1 << 9)
    /// A collection of complex values.
    public static let complexCollection = NameKinds(rawValue: 1 << 10)
    /// A navigation property that leads to one entity.
    public static let entityNavigation = NameKinds(rawValue: 1 << 11)
    /// A navigation property that leads to a collection.
    public static let entityCollectionNavigation = NameKinds(rawValue: 1 << 12)
    /// A stream property.
    public static let streamProperty = NameKinds(rawValue: 1 << 13)
    /// A bound function whose result is an entity.
    public static let entityFunction = NameKinds(rawValue: 1 << 14)
    /// A bound function whose result is a collection of entities.
    public static let entityCollectionFunction = NameKinds(rawValue: 1 << 15)
    /// A bound function whose result is a complex value.
    public static let complexFunction = NameKinds(rawValue: 1 << 16)
    /// A bound function whose result is a collection of complex values.
    public static let complexCollectionFunction = NameKinds(rawValue: 1 << 17)
    /// A bound function whose result is a primitive value.
    public static let primitiveFunction = NameKinds(rawValue: 1 << 18)
    /// A bound function whose result is a collection of primitive values.
    public static let primitiveCollectionFunction = NameKinds(rawValue: 1 << 19)
    /// An imported function whose result is an entity.
    public static let entityFunctionImport = NameKinds(rawValue: 1 << 20)
    /// An imported function whose result is a collection of entities.
    public static let entityCollectionFunctionImport = NameKinds(rawValue: 1 << 21)
    /// An imported function whose result is a complex value.
    public static let complexFunctionImport = NameKinds(rawValue: 1 << 22)
    /// An imported function whose result is a collection of complex values.
    public static let complexCollectionFunctionImport = NameKinds(rawValue: 1 << 23)
    /// An imported function whose result is a primitive value.
    public static let primitiveFunctionImport = NameKinds(rawValue: 1 << 24)
    /// An imported function whose result is a collection of primitive values.
    public static let primitiveCollectionFunctionImport = NameKinds(rawValue: 1 << 25)
    /// A parameter of a function.
    public static let parameter = NameKinds(rawValue: 1 << 26)

    /// Every kind of property.
    static let property: NameKinds = [
        .primitiveProperty, .primitiveCollection, .complexProperty, .complexCollection, .entityNavigation,
        .entityCollectionNavigation, .streamProperty,
    ]
    /// Every kind of bound function.
    static let function: NameKinds = [
        .entityFunction, .entityCollectionFunction, .complexFunction, .complexCollectionFunction, .primitiveFunction,
        .primitiveCollectionFunction,
    ]
    /// Every kind of function import.
    static let functionImport: NameKinds = [
        .entityFunctionImport, .entityCollectionFunctionImport, .complexFunctionImport,
        .complexCollectionFunctionImport, .primitiveFunctionImport, .primitiveCollectionFunctionImport,
    ]
}
