// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One item of `$expand` with its own options.
///
///     Address/Shop.Swiss/Country/Shop.Canton/$ref($top=3)
///     \_________________/ \_____/ \_________/ \__/ \____/
///           prefix       navigation   cast  content options
public struct ExpandItem: Hashable, Sendable {
    /// What is written into the row of the parent.
    public enum Content: Hashable, Sendable {
        /// The related entities.
        case entities
        /// `Nav/$ref`: references to them.
        case references
        /// `Nav/$count`: their number alone.
        case count
        /// `$value`, as the navigation: the content of the media entity itself.
        case value
    }

    /// The complex properties and type casts before the navigation property.
    ///
    /// Without a dot in it, a name can also be a navigation property with ``navigation`` an unqualified cast of it: only
    /// the model knows.
    public var prefix: [String]
    /// The wire name of the navigation or stream property or `@` and a term, or `*` for each navigation property.
    public var navigation: String
    /// The qualified name of the derived type to which the related entities are cast.
    public var cast: String?
    public var content: Content
    /// The name that it has in the row instead of its own, which `addnested` gives.
    public var alias: String?
    /// The nested options; those that make no sense inside `$expand` are not set.
    public var options: QueryOptions

    public init(
        prefix: [String] = [],
        navigation: String,
        cast: String? = nil,
        content: Content = .entities,
        options: QueryOptions = QueryOptions()
    ) {
        self.prefix = prefix
        self.navigation = navigation
        self.cast = cast
        self.content = content
        self.options = options
    }
}
