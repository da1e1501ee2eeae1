// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import SixBookmarks
public import Tideline

/// The list of bookmarks: add, delete, take back, reorder.
@MainActor
@Observable
public final class ConfigurationModel {
    /// What stands over the list.
    public let title = "Configure bookmarks"
    /// What went wrong or was done last, or `nil`.
    public private(set) var message: String?
    /// The bookmarks as the store has them.
    public let bookmarks: ObservedList<Bookmark>
    /// What was deleted here last, until it is taken back.
    private var deleted: [Bookmark] = []

    @ObservationIgnored private let book: BookmarkBook
    @ObservationIgnored private let written: @MainActor () -> Void

    /// The list of a user.
    ///
    /// - Parameter written: told when something was written here: what others said before is old then.
    public init(_ session: BookmarkSession, written: @escaping @MainActor () -> Void = {}) {
        book = session.book
        self.written = written
        bookmarks = ObservedList(book.store, Bookmark.all.sorted { $0.ordinal }.sorted { $0.bookmarkId })
    }

    /// The bookmarks by their places; of two that share one, both.
    ///
    /// Sorted here: an element may be read with a newer value than the one that the list was ordered by.
    public var rows: [Bookmark] {
        bookmarks.all.sorted { ($0.ordinal, $0.bookmarkId) < ($1.ordinal, $1.bookmarkId) }
    }

    /// Forgets the message: another screen was shown since.
    public func clearMessage() { message = nil }

    /// Whether a deletion can be taken back.
    public var canUndo: Bool { !deleted.isEmpty }

    /// The place that a new bookmark gets: the lowest that is free.
    ///
    /// Nothing is written yet.
    ///
    /// - Returns: `nil` where all six are taken, and ``message`` says so.
    public func add() -> Int32? {
        message = nil
        let taken = Set(rows.map(\.ordinal))
        guard rows.count < BookmarkBook.places,
            let free = (0..<Int32(BookmarkBook.places)).first(where: { !taken.contains($0) })
        else {
            message = "\(BookmarkError.allPlacesTaken)"
            return nil
        }
        return free
    }

    /// Deletes a bookmark at once; ``undo()`` brings it back.
    public func delete(_ bookmark: Bookmark) {
        perform {
            guard try book.delete(bookmark) else {
                message = "It was deleted elsewhere meanwhile."
                return
            }
            deleted.append(bookmark)
            message = "\"\(bookmark.name ?? "")\" is deleted."
        }
    }

    /// Brings back what was deleted last, at its place, or at the first that is free where that is taken by now.
    public func undo() {
        guard let last = deleted.last else { return }
        perform {
            let isTaken = try book.bookmarks().contains { $0.ordinal == last.ordinal }
            try book.add(name: last.name ?? "", url: last.url ?? "", at: isTaken ? nil : Int(last.ordinal) + 1)
            deleted.removeLast()
            message = "\"\(last.name ?? "")\" is back."
        }
    }

    /// Moves a bookmark one place up or down, past those that are empty too; what is there comes to its place.
    ///
    /// - Returns: the place where it is then, or `nil` where it cannot go further.
    @discardableResult
    public func move(_ bookmark: Bookmark, by step: Int) -> Int32? {
        perform {
            message = nil
            return try book.move(bookmark, by: step)
        } ?? nil
    }

    /// Moves a row of the list to another, as a drag does: the rows between step aside, and the places stay those there were.
    public func move(row: Int, to other: Int) {
        let old = rows
        guard old.indices.contains(row), old.indices.contains(other), row != other else { return }
        var new = old
        new.insert(new.remove(at: row), at: other)
        perform {
            try book.store.write { tx in
                for (place, var bookmark) in zip(old.map(\.ordinal), new) where bookmark.ordinal != place {
                    bookmark.ordinal = place
                    try tx.update(bookmark)
                }
            }
            message = nil
        }
    }

    @discardableResult
    private func perform<Result>(_ body: () throws -> Result) -> Result? {
        do {
            let result = try body()
            written()
            return result
        } catch {
            message = "\(error)"
            return nil
        }
    }
}
