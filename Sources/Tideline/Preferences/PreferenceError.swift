// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A refusal of the preferences.
public struct PreferenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable {
        /// The schema contradicts itself.
        case invalidSchema
        /// The schema has no such key.
        case unknownKey
        /// The value does not fit the key's specifier.
        case invalidValue
        /// What was saved cannot be read.
        case damaged
        /// The file cannot be read or written.
        case file
    }

    public var code: Code
    /// The key concerned, or `nil`.
    public var key: String?
    /// What happened and what to do, for a developer.
    public var message: String

    public init(_ code: Code, key: String? = nil, message: String) {
        self.code = code
        self.key = key
        self.message = message
    }

    public var description: String { message }
}
