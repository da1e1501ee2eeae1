// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import Testing
import Tideline
import TidelineTestSupport

/// The list and the editor, as somebody uses them.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
    private let cloud: Cloud
    private let phone: Phone

    init() async throws {
        cloud = try Cloud()
        phone = Phone(cloud)
        try await phone.signIn()
        phone.app.show(.configuration)
    }

    private func names() throws -> [String] {
        try phone.configuration.rows.map { "\($0.ordinal) \($0.name ?? "")" }
    }

    /// Types a new bookmark.
    private func add(_ name: String, _ url: String) async throws {
        phone.app.add()
        let editor = try #require(phone.app.editor)
        #expect(editor.isNew)
        (editor.name, editor.url) = (name, url)
        phone.app.closeEditor(saving: true)
        try await phone.settle()
    }

    @Test(.covers("SB-F140", "SB-F105"))
    func `the list is by places, without what is deleted, and a tap opens the editor`()
        async throws
    {
        try await phone.edit(5, name: "Last", url: "last.example")
        #expect(try names() == ["0 Google", "1 .NET 247", "2 Topaz Filer", "5 Last"])
        try phone.configuration.delete(try phone.bookmark(1))
        try await phone.settle()
        #expect(try names() == ["0 Google", "2 Topaz Filer", "5 Last"])
        #expect(phone.titles[1] == "…")
        // Until it is sent, the deletion is kept as one.
        #expect(try phone.session.waitingChanges() == 2)
        phone.app.edit(2)
        #expect(phone.app.screen == .editor)
        #expect(phone.app.editor?.name == "Topaz Filer")
        #expect(phone.app.editor?.title == "Bookmark at place 3")
    }

    @Test(.covers("SB-F141")) func `a new bookmark takes the lowest free place, and a seventh is refused`() async throws
    {
        try phone.configuration.delete(try phone.bookmark(1))
        try await phone.settle()
        let waiting = try phone.session.waitingChanges()
        phone.app.add()
        #expect(phone.app.editor?.ordinal == 1)
        phone.app.closeEditor(saving: false)
        #expect(try phone.session.waitingChanges() == waiting)
        for name in ["A", "B", "C", "D"] { try await add(name, "\(name).example") }
        #expect(try names() == ["0 Google", "1 A", "2 Topaz Filer", "3 B", "4 C", "5 D"])
        phone.app.add()
        #expect(phone.app.screen == .configuration)
        #expect(try phone.configuration.message == "All six places are taken. Delete a bookmark first.")
        try await phone.syncNow()
        #expect(try cloud.bookmarks().count == 6)
    }

    @Test(.covers("SB-F142")) func `a deletion can be taken back, once, before a sync and after it`() async throws {
        let list = try phone.configuration
        #expect(!list.canUndo)
        list.delete(try phone.bookmark(0))
        try await phone.settle()
        #expect(list.message == "\"Google\" is deleted.")
        list.undo()
        try await phone.settle()
        #expect(try names().first == "0 Google")
        #expect(!list.canUndo)
        list.undo()
        #expect(try names().count == 3)

        list.delete(try phone.bookmark(0))
        try await phone.settle()
        try await phone.syncNow()
        #expect(try cloud.bookmarks().count == 2)
        // The place is taken by now: it comes to the next.
        try await add("Swift", "swift.org")
        list.undo()
        try await phone.settle()
        #expect(try names() == ["0 Swift", "1 .NET 247", "2 Topaz Filer", "3 Google"])
        try await phone.syncNow()
        #expect(try cloud.bookmarks() == names())
    }

    @Test(.covers("SB-F142")) func `what was deleted elsewhere meanwhile is not deleted twice`() async throws {
        let list = try phone.configuration
        let bookmark = try phone.bookmark(0)
        try cloud.execute("DELETE FROM Bookmarks WHERE BookmarkId = 1")
        try await phone.syncNow()
        list.delete(bookmark)
        #expect(list.message == "It was deleted elsewhere meanwhile.")
        #expect(!list.canUndo)
    }

    @Test(.covers("SB-F143")) func `sync now refreshes the list and says what it did`() async throws {
        try cloud.execute("INSERT INTO Bookmarks VALUES (9, 1001, 'Apress', 'http://www.apress.com', 4)")
        try await phone.edit(0, name: "Search")
        try await phone.syncNow()
        #expect(try names() == ["0 Search", "1 .NET 247", "2 Topaz Filer", "4 Apress"])
        #expect(try phone.sync.message?.hasPrefix("In step: 1 sent") == true)
        try await phone.syncNow()
        #expect(try phone.sync.message == "In step; nothing had changed.")
    }

    @Test(.covers("SB-F144", "SB-W08", "SB-W01"))
    func `bookmarks are moved by steps and by dragging, and stay who they are`()
        async throws
    {
        let list = try phone.configuration
        let keys = Set(list.rows.map(\.bookmarkId))
        #expect(list.move(try phone.bookmark(0), by: 1) == 1)
        try await phone.settle()
        #expect(try names() == ["0 .NET 247", "1 Google", "2 Topaz Filer"])
        #expect(list.move(try phone.bookmark(2), by: 1) == 3)
        try await phone.settle()
        #expect(list.move(try phone.bookmark(0), by: -1) == nil)
        list.move(row: 2, to: 0)
        try await phone.settle()
        #expect(try names() == ["0 Topaz Filer", "1 .NET 247", "3 Google"])
        try await phone.syncNow()
        #expect(try cloud.bookmarks() == names())
        let reasons = try phone.session.book.store.quarantined().map { "\($0.code) \($0.message) \($0.changes)" }
        #expect(reasons == [])
        #expect(Set(list.rows.map(\.bookmarkId)) == keys)
    }

    @Test(.covers("SB-F150", "SB-F151"))
    func `the editor keeps nothing before it saves, and a freed place begins empty`()
        async throws
    {
        phone.app.edit(0)
        phone.app.editor?.name = "Else"
        phone.app.closeEditor(saving: false)
        #expect(phone.app.screen == .configuration)
        #expect(try phone.session.waitingChanges() == 0)
        try phone.configuration.delete(try phone.bookmark(0))
        try await phone.settle()
        phone.app.edit(0)
        let editor = try #require(phone.app.editor)
        #expect(editor.isNew)
        #expect((editor.name, editor.url) == ("", ""))
        phone.app.closeEditor(saving: true)
        #expect(phone.app.screen == .editor)
        #expect(
            editor.failures == [
                "The name is missing. Give the bookmark a name.",
                "The address is missing. Give the address of a page.",
            ]
        )
        #expect(!editor.isDone)
    }

    @Test(.covers("SB-F151")) func `saving what was not changed waits for nothing`() async throws {
        phone.app.edit(0)
        phone.app.closeEditor(saving: true)
        #expect(phone.app.screen == .configuration)
        #expect(try phone.session.waitingChanges() == 0)
    }

    @Test(
        .covers("SB-F152", "SB-S10"),
        arguments: [
            ("swift.org", "https://swift.org"), (" http://a/ ", "http://a/"), ("HTTPS://A.b", "HTTPS://A.b"),
            ("localhost:8080/x", "https://localhost:8080/x"), ("a.example:80", "https://a.example:80"),
            ("a.example/?u=javascript:1", "https://a.example/?u=javascript:1"), ("http://[::1]/", "http://[::1]/"),
        ]
    ) func `an address is taken as a browser means it`(typed: String, kept: String) throws {
        #expect(try BookmarkAddress.checked(typed) == kept)
    }

    @Test(
        .covers("SB-F152", "SB-S10"),
        arguments: [
            ("javascript:alert(1)", BookmarkError.refusedScheme("javascript")),
            ("JaVaScRiPt:1", .refusedScheme("javascript")), ("file:///etc/passwd", .refusedScheme("file")),
            ("mailto:a@b.example", .refusedScheme("mailto")), ("data:text/html,x", .refusedScheme("data")),
            ("java\nscript:1", .notAnAddress("java\nscript:1")), ("swift", .notAnAddress("swift")),
            ("http://", .noHost("http://")), ("https:///x", .noHost("https:///x")),
            ("http:a.example", .notAnAddress("http:a.example")),
            ("https://:80/", .noHost("https://:80/")), ("HTTPS://ann@", .noHost("HTTPS://ann@")),
            ("https://?q", .noHost("https://?q")), ("a.example /b", .notAnAddress("a.example /b")),
            ("http://a\u{1B}[31m", .notAnAddress("http://a\u{1B}[31m")), ("", .emptyAddress),
        ]
    ) func `other addresses are refused, and nothing is stored`(typed: String, error: BookmarkError) throws {
        #expect(throws: error) { try BookmarkAddress.checked(typed) }
        let editor = try EditorModel(try phone.session, ordinal: 4)
        (editor.name, editor.url) = ("A", typed)
        #expect(!editor.save())
        #expect(editor.failures == ["\(error)"])
        #expect(try phone.session.waitingChanges() == 0)
    }

    @Test(.covers("SB-F152")) func `an address without a host is told what is missing`() {
        #expect(
            "\(BookmarkError.noHost("https://"))"
                == "\"https://\" has no host. After https:// comes the name of a site, like example.com."
        )
    }

    @Test(.covers("SB-F152", "SB-F065")) func `lengths are 128 and 256 characters, also of ten kilobytes`() throws {
        let editor = try EditorModel(try phone.session, ordinal: 4)
        let rest = 256 - "http://a/".count
        for (name, url) in [(129, rest), (128, rest + 1), (10_000, 10_000)] {
            editor.name = String(repeating: "é", count: name)
            editor.url = "http://a/" + String(repeating: "x", count: url)
            #expect(!editor.save())
        }
        #expect(
            editor.failures == [
                "The name is too long. It has at most 128 characters.",
                "The address is too long. It has at most 256 characters.",
            ]
        )
        editor.name = String(repeating: "é", count: 128)
        editor.url = "http://a/" + String(repeating: "x", count: rest)
        #expect(editor.save())
        #expect(try phone.session.waitingChanges() == 1)
    }
}
