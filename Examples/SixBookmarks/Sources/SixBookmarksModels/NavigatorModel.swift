// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import SixBookmarks
public import Tideline

/// The six buttons.
@MainActor
@Observable
public final class NavigatorModel {
    /// What a button did.
    public enum Outcome: Hashable, Sendable {
        /// The browser has the address.
        case opened(String)
        /// The place is empty: the configuration is to be shown.
        case configure
        /// Nothing, for the reason in ``NavigatorModel/message``.
        case failed
    }

    /// What stands over the buttons.
    public let title = "Six Bookmarks"
    /// Who is signed in.
    public let user: String
    /// What went wrong last, or `nil`.
    public private(set) var message: String?
    /// The bookmarks as the store has them.
    public let bookmarks: ObservedList<Bookmark>

    @ObservationIgnored private let home: String
    @ObservationIgnored private let opener: WebOpener

    /// The buttons of a user.
    ///
    /// - Parameter opener: gives an address to the browser.
    public init(_ session: BookmarkSession, opener: @escaping WebOpener) {
        user = session.account.user
        home = ((try? ServiceAddress(session.account.service).origin) ?? session.account.service) + "/"
        self.opener = opener
        bookmarks = ObservedList(session.book.store, Bookmark.all.sorted { $0.ordinal })
    }

    /// The six buttons, always six.
    public var slots: [Slot] { Slot.all(bookmarks.all) }

    /// Presses a button: opens the bookmark in the browser, or says that the place is empty.
    ///
    /// - Parameter ordinal: 0 to 5.
    public func press(_ ordinal: Int32) -> Outcome {
        message = nil
        guard let slot = slots.first(where: { $0.ordinal == ordinal }) else {
            message = "\(BookmarkError.noSuchPlace(Int(ordinal) + 1))"
            return .failed
        }
        guard let bookmark = slot.bookmark else { return .configure }
        do {
            // Other programs write rows too: what is opened is checked again.
            return open(try BookmarkAddress.checked(bookmark.url ?? ""))
        } catch {
            message = "\(error)"
            return .failed
        }
    }

    /// Forgets the message: another screen was shown since.
    public func clearMessage() { message = nil }

    /// Opens the page of the service.
    public func about() -> Outcome { open(home) }

    private func open(_ address: String) -> Outcome {
        do {
            try opener(address)
            return .opened(address)
        } catch {
            message = "\(address) could not be opened. \(error)"
            return .failed
        }
    }
}

extension ObservedList {
    /// All elements, in their order.
    var all: [Element] { sections.flatMap { $0.keys.compactMap { self[$0] } } }
}
