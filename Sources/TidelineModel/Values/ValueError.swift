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
}
