// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// A user's bookmarks on this device: six places, each empty or taken.
///
/// Everything works with no connection; ``sync(signIn:)`` brings the device and the service in step.
public struct BookmarkBook: Sendable {
    /// How many bookmarks one may have.
    public static let places = 6

    /// The local data.
    public let store: LocalStore
    private let userFolder: String

    /// Opens the file of a book.
    ///
    /// - Parameters:
    ///   - path: the file, made by ``start(_:at:userFolder:signIn:)``.
    ///   - userFolder: where the sign-in is kept.
    public init(path: String, userFolder: String = UserFolder.path) throws {
        store = try LocalStore(path: path, settings: .app(userFolder: userFolder))
        self.userFolder = userFolder
    }

    /// The book of a store that is open.
    ///
    /// - Parameters:
    ///   - store: a store with the sets `Users` and `Bookmarks`.
    ///   - userFolder: where the sign-in is kept.
    public init(store: LocalStore, userFolder: String = UserFolder.path) {
        self.store = store
        self.userFolder = userFolder
    }

    /// Makes a book from the service.
    ///
    /// - Parameters:
    ///   - service: the address of the domain `sixbookmarks`.
    ///   - path: where the file is made.
    ///   - userFolder: where the sign-in is kept.
    ///   - signIn: asks who this is.
    public static func start(
        _ service: String,
        at path: String,
        userFolder: String = UserFolder.path,
        signIn: @escaping SignIn
    ) async throws -> BookmarkBook {
        let store = try await LocalStore.clone(
            service,
            to: path,
            parts: ["Users", "Bookmarks"],
            userFolder: userFolder,
            signIn: signIn
        )
        return BookmarkBook(store: store, userFolder: userFolder)
    }

    /// The bookmarks, by their places.
    public func bookmarks() throws -> [Bookmark] {
        try store.fetch(Bookmark.all.sorted { $0.ordinal })
    }

    /// Adds a bookmark at a place, or at the first that is empty.
    ///
    /// - Parameters:
    ///   - name: what stands on its button.
    ///   - url: where it leads.
    ///   - place: 1 to 6.
    /// - Returns: the bookmark, with its place.
    @discardableResult
    public func add(name: String, url: String, at place: Int? = nil) throws -> Bookmark {
        let (name, url) = (try BookmarkName.checked(name), try BookmarkAddress.checked(url))
        return try store.write { tx in
            let taken = Set(try tx.fetch(Bookmark.all).map(\.ordinal))
            guard let user = try tx.fetch(User.all.limit(1)).first else { throw BookmarkError.nobodySignedIn }
            let ordinal: Int32
            if let place {
                ordinal = try Self.ordinal(place)
                guard !taken.contains(ordinal) else { throw BookmarkError.takenPlace(place) }
            } else {
                guard let free = (0..<Int32(Self.places)).first(where: { !taken.contains($0) }) else {
                    throw BookmarkError.allPlacesTaken
                }
                ordinal = free
            }
            var bookmark = Bookmark(userId: user.userId, name: name, url: url, ordinal: ordinal)
            try tx.insert(&bookmark)
            return bookmark
        }
    }

    /// Changes the name or the address of the bookmark at a place; `nil` leaves it.
    ///
    /// - Returns: whether it is another than before.
    @discardableResult
    public func edit(_ place: Int, name: String? = nil, url: String? = nil) throws -> Bool {
        try store.write { tx in
            let found = try Self.bookmark(at: place, tx)
            var bookmark = found
            if let name { bookmark.name = try BookmarkName.checked(name) }
            if let url { bookmark.url = try BookmarkAddress.checked(url) }
            guard bookmark.name != found.name || bookmark.url != found.url else { return false }
            try tx.update(bookmark)
            return true
        }
    }

    /// Gives a bookmark that was read before another name or address: what differs alone, wherever it is by now.
    ///
    /// - Throws: ``BookmarkError/emptyPlace(_:)`` when it was deleted meanwhile.
    public func edit(_ found: Bookmark, name: String, url: String) throws {
        let (name, url) = (try BookmarkName.checked(name), try BookmarkAddress.checked(url))
        try store.write { tx in
            guard var bookmark = try Self.current(found, tx) else {
                throw BookmarkError.emptyPlace(Int(found.ordinal) + 1)
            }
            if name != found.name { bookmark.name = name }
            if url != found.url { bookmark.url = url }
            try tx.update(bookmark)
        }
    }

    /// Moves a bookmark to another place; what is there comes to the first one's.
    ///
    /// - Returns: false where it is there already.
    @discardableResult
    public func move(_ place: Int, to other: Int) throws -> Bool {
        try store.write { tx in
            var bookmark = try Self.bookmark(at: place, tx)
            let target = try Self.ordinal(other)
            guard target != bookmark.ordinal else { return false }
            if var displaced = try tx.fetch(Bookmark.where { $0.ordinal == target }).first {
                displaced.ordinal = bookmark.ordinal
                try tx.update(displaced)
            }
            bookmark.ordinal = target
            try tx.update(bookmark)
            return true
        }
    }

    /// Moves a bookmark that was read before by some places, from where it is by now; what is there comes to its place.
    ///
    /// - Returns: its ordinal then; `nil` where it cannot go so far, or was deleted meanwhile.
    public func move(_ found: Bookmark, by step: Int) throws -> Int32? {
        try store.write { tx in
            guard var bookmark = try Self.current(found, tx) else { return nil }
            let target = Int64(bookmark.ordinal) + Int64(step)
            guard (0..<Int64(Self.places)).contains(target) else { return nil }
            let ordinal = Int32(target)
            if var displaced = try tx.fetch(Bookmark.where { $0.ordinal == ordinal }).first {
                displaced.ordinal = bookmark.ordinal
                try tx.update(displaced)
            }
            bookmark.ordinal = ordinal
            try tx.update(bookmark)
            return ordinal
        }
    }

    /// Deletes the bookmark at a place.
    public func delete(_ place: Int) throws {
        try store.write { tx in
            _ = try tx.delete(Self.bookmark(at: place, tx))
        }
    }

    /// Deletes a bookmark that was read before, wherever it is by now.
    ///
    /// - Returns: false where it was deleted meanwhile.
    public func delete(_ found: Bookmark) throws -> Bool {
        try store.write { tx in
            guard let bookmark = try Self.current(found, tx) else { return false }
            return try tx.delete(bookmark)
        }
    }

    /// Sends what was changed here and receives what was changed elsewhere.
    ///
    /// - Parameter signIn: asked when the sign-in no longer holds.
    public func sync(signIn: SignIn? = nil) async throws -> SyncReport {
        try await SyncEngine(store: store, userFolder: userFolder, signIn: signIn).sync()
    }

    /// A bookmark that was read before, as it is now: a sync gives it its key of the service in the place of a temporary one.
    private static func current(_ found: Bookmark, _ tx: LocalTransaction) throws -> Bookmark? {
        if let same = try tx.fetch(Bookmark.where { $0.bookmarkId == found.bookmarkId }).first { return same }
        guard found.bookmarkId < 0 else { return nil }
        let here = try tx.fetch(Bookmark.where { $0.ordinal == found.ordinal })
        return here.first { $0.name == found.name && $0.url == found.url }
    }

    private static func bookmark(at place: Int, _ tx: LocalTransaction) throws -> Bookmark {
        let ordinal = try ordinal(place)
        guard let bookmark = try tx.fetch(Bookmark.where { $0.ordinal == ordinal }).first else {
            throw BookmarkError.emptyPlace(place)
        }
        return bookmark
    }

    private static func ordinal(_ place: Int) throws -> Int32 {
        guard (1...places).contains(place) else { throw BookmarkError.noSuchPlace(place) }
        return Int32(place - 1)
    }
}
