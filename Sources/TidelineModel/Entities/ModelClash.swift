// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// Why several definitions make no one model.
public struct ModelClash: Error, Hashable, Sendable {
    /// The wire name of the entity set, where one is concerned.
    public var set: String?
    /// The wire name of the property or navigation property, where one is concerned.
    public var property: String?
    /// What does not go together, one sentence.
    public var message: String

    public init(set: String? = nil, property: String? = nil, message: String) {
        self.set = set
        self.property = property
        self.message = message
    }
}

extension ModelClash: CustomStringConvertible {
    public var description: String { message }
}
