// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A delta payload that a client sends to change many entities of a set.
///
///     {"@context":"#$delta","value":[{"Id":1,"Name":"new"},{"@removed":{"reason":"deleted"},"@id":"Orders(2)"}]}
///
/// Source: OData Protocol 4.01, section 11.4.4 and 13.2.1, item 26; OData JSON Format 4.01, section 15.
public struct DeltaBody: Hashable, Sendable {
    /// A relation between two entities that is added or removed.
    public struct Link: Hashable, Sendable {
        /// The URL of the entity whose navigation property it is.
        public var source: String
        /// The name of the navigation property.
        public var relationship: String
        /// The URL of the related entity; absent for a removed link to the only one.
        public var target: String?

        public init(source: String, relationship: String, target: String?) {
            self.source = source
            self.relationship = relationship
            self.target = target
        }
    }

    /// One change.
    public enum Item: Hashable, Sendable {
        /// An entity of that set that is added, changed or (`removal`) removed.
        case entity(set: String, EntityBody)
        case addedLink(Link)
        case deletedLink(Link)
        /// What could not be read, where the others count without it: of its body what tells which entity it is of.
        case unreadable(set: String, EntityBody, ODataError)
    }

    public var items: [Item] = []

    public init() {}
}
