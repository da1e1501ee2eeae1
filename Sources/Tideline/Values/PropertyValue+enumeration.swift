// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel
public import TidelineStore

/// An enumeration is stored as its raw value.
extension PropertyValue where Self: RawRepresentable & CaseIterable, RawValue: PropertyValue {
    /// The raw values of the cases.
    public static var allowedValues: [Value] { allCases.map(\.rawValue.edmValue) }
}

extension PropertyValue where Self: RawRepresentable, RawValue: PropertyValue {
    public static var edmType: PrimitiveType { RawValue.edmType }
    public static var isNullable: Bool { RawValue.isNullable }
    public var edmValue: Value { rawValue.edmValue }

    /// Reads the raw value.
    ///
    /// - Throws: ``LocalStoreError/Code/invalidValue`` for a raw value that the enumeration does not have.
    public static func read(from row: inout RowCursor) throws -> Self {
        guard let value = Self(rawValue: try RawValue.read(from: &row)) else {
            throw LocalStoreError(.invalidValue, message: "A stored value is none of the cases of \(Self.self).")
        }
        return value
    }

    /// Gives the next property the raw value.
    public func bind(into binder: inout Binder) {
        rawValue.bind(into: &binder)
    }
}
