// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why a value does not fit a property.
public struct ValueError: Error, Hashable, Sendable {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// Null for a property that is not nullable.
        case null
        /// A value of another type.
        case wrongType
        /// An integer outside the range of its type, or a moment outside the calendar.
        case outOfRange
        /// More characters or bytes than `MaxLength`.
        case tooLong
        /// More digits than `Precision`.
        case tooManyDigits
        /// More digits after the point than `Scale`.
        case tooManyPlaces
        /// Text with the character U+0000.
        case nullCharacter
        /// Less than the least value.
        case belowMinimum
        /// Greater than the greatest value.
        case aboveMaximum
        /// Text that does not match the property's pattern.
        case noMatch
        /// None of the values that are allowed.
        case notAllowed
    }

    public var code: Code
    /// The name of the property on the wire.
    public var property: String
    /// What is wrong, one sentence; the value itself does not stand in it.
    public var message: String

    public init(_ code: Code, property: String, message: String) {
        self.code = code
        self.property = property
        self.message = message
    }
    /// The rule that the value breaks, by the name of the facet or annotation that states it.
    ///
    /// Source: OData CSDL 4.01, section 7.2; vocabulary Validation V1.
    public var rule: String {
        switch code {
        case .null: "Nullable"
        case .wrongType, .outOfRange, .nullCharacter: "Type"
        case .tooLong: "MaxLength"
        case .tooManyDigits: "Precision"
        case .tooManyPlaces: "Scale"
        case .belowMinimum: "Minimum"
        case .aboveMaximum: "Maximum"
        case .noMatch: "Pattern"
        case .notAllowed: "AllowedValues"
        }
    }

    /// Whether the value is of the property's type all the same.
    public var isRule: Bool { rule != "Type" && rule != "Nullable" }
}
