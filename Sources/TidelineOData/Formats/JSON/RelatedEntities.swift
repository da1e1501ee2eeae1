// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The related entities that a body has for one navigation property.
///
///     "Lines": [{"@id":"Lines(3)"}, {"Quantity":2}]            all of them
///     "Lines@delta": [{"@removed":{…},"@id":"Lines(3)"}, …]    what changes
///     "Client": {"Name":"Ann"}                                 one
public struct RelatedEntities: Hashable, Sendable {
    /// What the members are.
    public enum Form: Hashable, Sendable {
        /// The one related entity.
        case single
        /// All that shall be related.
        case whole
        /// What is added, changed and removed.
        case delta
    }

    /// The place of the navigation property in the entity type.
    public var navigation: Int
    public var form: Form
    /// The entities and references, in the order written.
    public var members: [EntityBody]

    public init(navigation: Int, form: Form, members: [EntityBody]) {
        self.navigation = navigation
        self.form = form
        self.members = members
    }
}
