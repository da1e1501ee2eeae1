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
        /// Whether the value is a JSON object that PATCH merges into the one that is stored.
        public var merges: Bool

        public init(property: Int, value: Value, merges: Bool = false) {
            self.property = property
            self.value = value
            self.merges = merges
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
    /// Navigation properties whose related entities stand in the body.
    public var nested: [RelatedEntities] = []
    /// The `@etag` of the body, which 4.01 compares as if it were `If-Match`.
    public var etag: ETagCondition?
    /// The `@id` of the body.
    public var id: String?
    /// The wire name of the type that `@type` names, without its namespace.
    public var type: String?
    /// The `@Core.ContentID` of the body.
    public var contentID: String?
    /// Why the entity is removed, in a delta: `@removed`.
    public var removal: Removal?
    /// The bytes of `$value`, the content of a media entity.
    public var media: [UInt8]?

    public init() {}

    /// Whether the body says nothing of the entity but where it is.
    public var isReference: Bool {
        id != nil && removal == nil && media == nil && assignments.isEmpty && binds.isEmpty && nested.isEmpty
    }

    /// Why an entity is in a delta as removed.
    public enum Removal: String, Hashable, Sendable {
        /// It exists no longer, or shall not.
        case deleted
        /// It is no longer part of the collection.
        case changed
    }
}
