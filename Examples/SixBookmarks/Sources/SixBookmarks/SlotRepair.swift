// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What brings bookmarks that share a place, or stand outside of the six, to places of their own.
///
/// Two devices that take the same place offline, or a program that writes what it likes, make such bookmarks. The plan
/// depends on the bookmarks alone, so that two devices that repair at the same time come to the same.
public struct SlotRepair: Hashable, Sendable {
    /// A bookmark and the place that it comes to.
    public struct Move: Hashable, Sendable {
        /// The bookmark as it was.
        public let bookmark: Bookmark
        /// Its new place, 0 to 5.
        public let ordinal: Int32

        /// What happened, for the person at the screen.
        public var text: String {
            let from =
                SlotRepair.ordinals.contains(bookmark.ordinal)
                ? "Place \(bookmark.ordinal + 1) was taken elsewhere"
                : "There is no place \(Int64(bookmark.ordinal) + 1)"
            return "\(from): \"\(bookmark.name ?? "")\" is at place \(ordinal + 1) now."
        }
    }

    static let ordinals: Range<Int32> = 0..<Int32(BookmarkBook.places)

    /// What moves, in the order of the places that are left.
    public let moves: [Move]
    /// What there is no place for.
    public let homeless: [Bookmark]

    /// The plan for a user's bookmarks.
    ///
    /// What the service has keeps its place before what is new here, and that before what the service refused.
    ///
    /// - Parameter refused: the keys of the bookmarks whose change the service refused.
    public init(_ bookmarks: [Bookmark], refused: Set<Int32> = []) {
        func rank(_ bookmark: Bookmark) -> (Int, UInt32) {
            let isRefused = refused.contains(bookmark.bookmarkId)
            return (isRefused ? 2 : bookmark.bookmarkId < 0 ? 1 : 0, bookmark.bookmarkId.magnitude)
        }
        var free = Set(Self.ordinals)
        var displaced: [Bookmark] = []
        for bookmark in bookmarks.sorted(by: { rank($0) < rank($1) }) where free.remove(bookmark.ordinal) == nil {
            displaced.append(bookmark)
        }
        let places = free.sorted()
        moves = zip(displaced, places).map { Move(bookmark: $0, ordinal: $1) }
        homeless = Array(displaced.dropFirst(places.count))
    }
}
