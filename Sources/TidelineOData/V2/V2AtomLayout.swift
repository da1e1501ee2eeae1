// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the Atom of a v2 service says beside the data.
public struct V2AtomLayout: Hashable, Sendable {
    /// The address that feeds give as their own; `nil` for that of the set.
    public var feedID: String?
    /// Whether feeds name an author, as RFC 4287 asks of feeds whose entries have none.
    public var hasFeedAuthor = true
    /// Whether entries carry their ETags.
    public var hasETags = true

    public init() {}
}
