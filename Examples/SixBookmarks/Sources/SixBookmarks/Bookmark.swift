// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// One of a user's six bookmarks.
@Entity("Bookmarks")
public struct Bookmark: Hashable, Sendable {
    /// Made by the server; negative until the first sync after the insert.
    @Key(generated: true) public var bookmarkId: Int32
    /// Whose it is.
    public var userId: Int32
    /// What stands on its button.
    @MaxLength(128) public var name: String?
    /// Where it leads.
    @MaxLength(256) public var url: String?
    /// Its place, 0 to 5.
    public var ordinal: Int32
}
