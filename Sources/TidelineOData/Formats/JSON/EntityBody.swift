// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// The content of a POST, PATCH or PUT request: what it gives to which property.
public struct EntityBody: Hashable, Sendable {
    /// One property and its new value.
    public struct Assignment: Hashable, Sendable {
        /// The place of the property in the entity type.
        public var property: Int
        public var value: Value

        public init(property: Int, value: Value) {
            self.property = property
            self.value = value
        }
    }

    /// One navigation property that is bound to existing entities.
    public struct Bind: Hashable, Sendable {
        /// The place of the navigation property in the entity type.
        public var navigation: Int
        /// The references as they were written, such as `Clients(5)` or `$1`; empty to bind to nothing (null).
        public var references: [String]

        public init(navigation: Int, references: [String]) {
            self.navigation = navigation
            self.references = references
        }
    }

    /// In the order written; each property at most once.
    public var assignments: [Assignment] = []
    public var binds: [Bind] = []
    /// The `@etag` of the body, which 4.01 compares as if it were `If-Match`.
    public var etag: ETagCondition?
    /// The `@id` of the body.
    public var id: String?

    public init() {}
}
