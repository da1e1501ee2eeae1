// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a name of a model can stand for; the cases are named as the rules of the grammar.
///
/// Source: OData ABNF construction rules 4.01, section 6, "Names and identifiers".
public struct NameKinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let entitySet = NameKinds(rawValue: 1 << 0)
    public static let singleton = NameKinds(rawValue: 1 << 1)
    public static let actionImport = NameKinds(rawValue: 1 << 2)
    public static let action = NameKinds(rawValue: 1 << 3)
    public static let entityType = NameKinds(rawValue: 1 << 4)
    public static let complexType = NameKinds(rawValue: 1 << 5)
    public static let enumerationType = NameKinds(rawValue: 1 << 6)
    public static let primitiveProperty = NameKinds(rawValue: 1 << 7)
    public static let primitiveCollection = NameKinds(rawValue: 1 << 8)
    public static let complexProperty = NameKinds(rawValue: 1 << 9)
    public static let complexCollection = NameKinds(rawValue: 1 << 10)
    public static let entityNavigation = NameKinds(rawValue: 1 << 11)
    public static let entityCollectionNavigation = NameKinds(rawValue: 1 << 12)
    public static let streamProperty = NameKinds(rawValue: 1 << 13)
    public static let entityFunction = NameKinds(rawValue: 1 << 14)
    public static let entityCollectionFunction = NameKinds(rawValue: 1 << 15)
    public static let complexFunction = NameKinds(rawValue: 1 << 16)
    public static let complexCollectionFunction = NameKinds(rawValue: 1 << 17)
    public static let primitiveFunction = NameKinds(rawValue: 1 << 18)
    public static let primitiveCollectionFunction = NameKinds(rawValue: 1 << 19)
    public static let entityFunctionImport = NameKinds(rawValue: 1 << 20)
    public static let entityCollectionFunctionImport = NameKinds(rawValue: 1 << 21)
    public static let complexFunctionImport = NameKinds(rawValue: 1 << 22)
    public static let complexCollectionFunctionImport = NameKinds(rawValue: 1 << 23)
    public static let primitiveFunctionImport = NameKinds(rawValue: 1 << 24)
    public static let primitiveCollectionFunctionImport = NameKinds(rawValue: 1 << 25)
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
