// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// The table between the two ends of a many-to-many navigation property.
///
///     Posts ←(post)— PostTags —(tag)→ Tags        Post.Tags: set "PostTags", toOwner "Post", toTarget "Tag"
///
/// Its rows are a set of the model like any other; a link is one row.
public struct LinkTable: Hashable, Sendable {
    /// The wire name of the set of the link rows.
    public var set: String
    /// The link row's navigation property to the entity that owns the many-to-many navigation property.
    public var toOwner: String
    /// The link row's navigation property to the entity at the other end.
    public var toTarget: String

    public init(set: String, toOwner: String, toTarget: String) {
        self.set = set
        self.toOwner = toOwner
        self.toTarget = toTarget
    }
}
