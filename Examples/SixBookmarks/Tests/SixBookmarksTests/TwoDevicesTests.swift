// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
import Testing
import Tideline

/// Two devices of one user, both offline in between, against the real server.
@Suite(.enabled(if: DemoServer.binary != nil, "TIDELINE_BINARY names no server"), .serialized)
struct TwoDevicesTests {
    private let server: DemoServer

    init() async throws {
        server = try await DemoServer(binary: try #require(DemoServer.binary))
    }

    private func book(
        _ name: String,
        user: String = "ada",
        password: String = "tide-and-time-1"
    ) async throws -> BookmarkBook {
        let path = server.folder.appending(path: "\(name).tideline").path
        return try await BookmarkBook.start(server.service, at: path, userFolder: server.folder.path) {
            Credentials(user: user, password: password)
        }
    }

    private func names(_ book: BookmarkBook) throws -> [String] {
        try book.bookmarks().map { "\($0.ordinal) \($0.name ?? "")" }
    }

    @Test func `each device starts with the bookmarks of its user`() async throws {
        let book = try await book("phone")
        #expect(try names(book) == ["0 Google", "1 .NET 247", "2 Topaz Filer"])
        let owners = Set(try book.bookmarks().map(\.userId))
        let other = try await self.book("other", user: "grace", password: "tide-and-time-2")
        #expect(owners.count == 1)
        #expect(owners.isDisjoint(with: try other.bookmarks().map(\.userId)))
    }

    @Test func `a wrong password leaves no file`() async throws {
        let error = await #expect(throws: ClientError.self) { try await book("phone", password: "wrong") }
        #expect(error?.code == .wrongCredentials)
        #expect(!FileManager.default.fileExists(atPath: server.folder.appending(path: "phone.tideline").path))
    }

    @Test func `edits of both devices meet in the middle`() async throws {
        let phone = try await book("phone")
        let laptop = try await book("laptop")
        // Both offline: different properties of one bookmark, an insert here, a delete there.
        try phone.edit(1, name: "Search")
        try phone.add(name: "Swift", url: "https://www.swift.org/")
        try laptop.edit(1, url: "https://duckduckgo.com/")
        try laptop.delete(2)

        #expect(try await phone.sync().sent == 2)
        #expect(try await laptop.sync().sent == 2)
        _ = try await phone.sync()

        #expect(try phone.bookmarks() == laptop.bookmarks())
        #expect(try names(phone) == ["0 Search", "2 Topaz Filer", "3 Swift"])
        #expect(try phone.bookmarks().first?.url == "https://duckduckgo.com/")
        #expect(try phone.bookmarks().allSatisfy { $0.bookmarkId > 0 })
        #expect(try phone.store.conflicts().isEmpty)
    }

    @Test func `the same property on both devices is a conflict, and the loser is kept`() async throws {
        let phone = try await book("phone")
        let laptop = try await book("laptop")
        try phone.edit(1, name: "Mine")
        try laptop.edit(1, name: "Theirs")
        _ = try await phone.sync()
        #expect(try await laptop.sync().conflicts == 1)
        _ = try await phone.sync()
        #expect(try phone.bookmarks().first?.name == "Mine")
        #expect(try phone.bookmarks() == laptop.bookmarks())
        #expect(try laptop.store.conflicts().count == 1)
    }

    @Test func `a swap of two places arrives as one`() async throws {
        let phone = try await book("phone")
        let laptop = try await book("laptop")
        try phone.move(1, to: 3)
        _ = try await phone.sync()
        _ = try await laptop.sync()
        #expect(try names(laptop) == ["0 Topaz Filer", "1 .NET 247", "2 Google"])
    }

    @Test func `the rules of six places hold with no connection`() async throws {
        let phone = try await book("phone")
        #expect(throws: BookmarkError.takenPlace(1)) { try phone.add(name: "A", url: "http://a.example/", at: 1) }
        #expect(throws: BookmarkError.notAnAddress("a")) { try phone.add(name: "A", url: "a") }
        #expect(throws: BookmarkError.emptyPlace(5)) { try phone.delete(5) }
        #expect(throws: BookmarkError.noSuchPlace(7)) { try phone.delete(7) }
        for name in ["D", "E", "F"] { try phone.add(name: name, url: "http://\(name.lowercased()).example/") }
        #expect(throws: BookmarkError.allPlacesTaken) { try phone.add(name: "G", url: "http://g.example/") }
        #expect(try names(phone).count == 6)
    }
}
