// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One item of `$expand` with its own options.
///
///     Lines($filter=Quantity gt 1;$orderby=Price;$top=3;$count=true)
public struct ExpandItem: Hashable, Sendable {
    /// What is written into the row of the parent.
    public enum Content: Hashable, Sendable {
        /// The related entities.
        case entities
        /// `Nav/$ref`: references to them.
        case references
        /// `Nav/$count`: their number alone.
        case count
    }

    /// The wire name of the navigation property, or `*` for each of them.
    public var navigation: String
    public var content: Content
    /// The nested options; those that make no sense inside `$expand` are not set.
    public var options: QueryOptions

    public init(navigation: String, content: Content = .entities, options: QueryOptions = QueryOptions()) {
        self.navigation = navigation
        self.content = content
        self.options = options
    }
}
