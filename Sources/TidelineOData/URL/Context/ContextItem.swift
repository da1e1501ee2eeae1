// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One entry of the list of properties in a context URL.
///
/// Source: OData ABNF construction rules 4.01, section 3, `selectListItem`.
public struct ContextItem: Hashable, Sendable {
    /// The names: `*`, casts and operations with a dot, annotations with `@`, `Namespace.*`.
    public var path: [String]
    /// The parameters of a function overload, when the last name is one.
    public var parameters: [String]?
    /// `+`: expanded to every level.
    public var isRecursive: Bool
    /// The list of an expanded property; `nil` when there is none.
    public var nested: [ContextItem]?

    public init(
        path: [String],
        parameters: [String]? = nil,
        isRecursive: Bool = false,
        nested: [ContextItem]? = nil
    ) {
        self.path = path
        self.parameters = parameters
        self.isRecursive = isRecursive
        self.nested = nested
    }
}
