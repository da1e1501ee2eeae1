// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import SixBookmarks

/// One of the six buttons.
public struct Slot: Hashable, Sendable, Identifiable {
    /// What stands on the button of an empty place.
    public static let emptyTitle = "…"

    /// 0 to 5.
    public let ordinal: Int32
    /// What is there, or `nil`.
    public let bookmark: Bookmark?

    public var id: Int32 { ordinal }
    /// The name of the bookmark; its address where it has none; `…` for an empty place.
    public var title: String {
        guard let bookmark else { return Self.emptyTitle }
        if let name = bookmark.name, !name.isEmpty { return name }
        return bookmark.url ?? Self.emptyTitle
    }

    /// The six places of a user's bookmarks; where two share one, that which keeps it is shown.
    static func all(_ bookmarks: [Bookmark]) -> [Slot] {
        let moving = Set(SlotRepair(bookmarks).moves.map(\.bookmark)).union(SlotRepair(bookmarks).homeless)
        return (0..<Int32(BookmarkBook.places)).map { ordinal in
            Slot(ordinal: ordinal, bookmark: bookmarks.first { $0.ordinal == ordinal && !moving.contains($0) })
        }
    }
}
