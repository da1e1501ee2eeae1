// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
import SixBookmarks
import Tideline

/// The editor of one place: name and address, kept only by ``save()``.
@MainActor
@Observable
public final class EditorModel {
    /// 0 to 5.
    public let ordinal: Int32
    /// Whether the place was empty when the editor was opened.
    public let isNew: Bool
    /// What stands on the button.
    public var name: String
    /// Where it leads; `https://` may be left out.
    public var url: String
    /// What the last save found wrong, the name's first.
    public private(set) var failures: [String] = []
    /// Whether it was saved or cancelled.
    public private(set) var isDone = false

    @ObservationIgnored private let book: BookmarkBook
    /// The bookmark as it was found.
    @ObservationIgnored private let found: Bookmark?

    /// The editor of a place: of the bookmark there, or of a new one.
    public convenience init(_ session: BookmarkSession, ordinal: Int32) throws {
        try self.init(session.book, ordinal: ordinal)
    }

    /// The editor of a place of a book.
    init(_ book: BookmarkBook, ordinal: Int32) throws {
        self.book = book
        self.ordinal = ordinal
        found = Slot.all(try book.bookmarks()).first { $0.ordinal == ordinal }?.bookmark
        isNew = found == nil
        name = found?.name ?? ""
        url = found?.url ?? ""
    }

    /// What stands over the fields.
    public var title: String { isNew ? "New bookmark at place \(ordinal + 1)" : "Bookmark at place \(ordinal + 1)" }

    /// Saves what was typed.
    ///
    /// - Returns: whether it is saved; otherwise ``failures`` tells why not, and editing goes on.
    public func save() -> Bool {
        failures = []
        let name = checked { () throws(BookmarkError) in try BookmarkName.checked(self.name) }
        let url = checked { () throws(BookmarkError) in try BookmarkAddress.checked(self.url) }
        guard let name, let url else { return false }
        do {
            if let found {
                try book.edit(found, name: name, url: url)
            } else {
                try book.add(name: name, url: url, at: Int(ordinal) + 1)
            }
        } catch {
            failures = ["\(error)"]
            return false
        }
        (self.name, self.url) = (name, url)
        isDone = true
        return true
    }

    /// Leaves everything as it was.
    public func cancel() { isDone = true }

    private func checked(_ body: () throws(BookmarkError) -> String) -> String? {
        do { return try body() } catch {
            failures.append("\(error)")
            return nil
        }
    }
}
