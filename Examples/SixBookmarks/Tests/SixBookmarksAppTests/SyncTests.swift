// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Foundation
import SixBookmarks
import SixBookmarksModels
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

/// What the sync of the book from 2010 lost, and this one does not.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SyncTests {
    private let cloud: Cloud
    private let phone: Phone

    init() async throws {
        cloud = try Cloud()
        phone = Phone(cloud)
        try await phone.signIn()
    }

    private func titles(_ phone: Phone) throws -> [String] {
        try phone.configuration.rows.map { "\($0.ordinal) \($0.name ?? "")" }
    }

    @Test(.covers("SB-F101", "SB-F103", "SB-F161", "SB-F094", "SB-W24", "SB-W25", "SB-W36"))
    func `an insert, an edit and a deletion arrive at the service and on the other device`() async throws {
        let laptop = Phone(cloud)
        try await laptop.signIn()
        try await phone.edit(3, name: "Swift", url: "swift.org")
        try await phone.edit(1, name: ".NET")
        try phone.configuration.delete(try phone.bookmark(2))
        try await phone.settle()
        let before = phone.line.requests.count
        try await phone.syncNow()
        // All changes go in one request, and what is new comes with the next.
        #expect(phone.line.requests.count == before + 2)
        #expect(try cloud.bookmarks() == ["0 Google", "1 .NET", "3 Swift"])
        try await laptop.syncNow()
        #expect(try laptop.configuration.rows == phone.configuration.rows)
        #expect(laptop.titles == phone.titles)
        #expect(try phone.configuration.rows.allSatisfy { $0.bookmarkId > 0 })
        #expect(try phone.session.waitingChanges() == 0)
    }

    @Test(.covers("SB-F102", "SB-F113", "SB-W10", "SB-W33"))
    func `with nothing changed nothing is sent or stored again`()
        async throws
    {
        try await phone.syncNow()
        let before = phone.line.requests.count
        try await phone.syncNow()
        // One request asks for the changes of all sets.
        #expect(phone.line.requests.dropFirst(before).map(\.path) == ["/odata/sixbookmarks/$batch"])
        #expect(try phone.sync.message == "In step; nothing had changed.")
        let entry = try #require(try phone.session.book.store.syncLog(limit: 1).first)
        #expect(entry.changedNothing)
    }

    @Test(.covers("SB-F090", "SB-F104")) func `every call carries the sign-in, and a change what was changed alone`()
        async throws
    {
        try await phone.edit(0, name: "Search")
        let before = phone.line.requests.count
        try await phone.syncNow()
        let calls = phone.line.requests.filter { $0.path?.hasPrefix("/odata/") == true }
        #expect(calls.allSatisfy { $0.headerFields[.authorization]?.hasPrefix("Bearer ") == true })
        // Neither the password nor a token stands in an address.
        #expect(phone.line.requests.allSatisfy { $0.path?.contains("tide-and-time-1") == false })
        let sent = try #require(phone.line.bodies.dropFirst(before).first)
        #expect(sent.contains(#"{"Name":"Search"}"#), "\(sent)")
        #expect(!sent.contains("http://www.google.co.uk"))
        #expect(!sent.lowercased().contains("modified\""))
    }

    @Test(.covers("SB-F107")) func `what waits goes in the order it was written, and then what is new is read`()
        async throws
    {
        try await phone.edit(0, name: "Search")
        try phone.configuration.delete(try phone.bookmark(1))
        try await phone.settle()
        // The place is free only when the deletion before it was done.
        try await phone.edit(1, name: "Swift", url: "swift.org")
        try await phone.edit(2, name: "Topaz")
        let before = phone.line.requests.count
        try await phone.syncNow()
        let sent = phone.line.bodies.dropFirst(before).joined(separator: "\n")
        let places = try ["\"Search\"", "delete", "\"Swift\"", "\"Topaz\"", "deltatoken"].map { word in
            try #require(sent.range(of: word, options: .caseInsensitive), "\(word): \(sent)").lowerBound
        }
        #expect(places == places.sorted(), "\(sent)")
        #expect(try cloud.bookmarks() == ["0 Search", "1 Swift", "2 Topaz"])
    }

    @Test(.covers("SB-F108", "SB-W04", "SB-W05"))
    func `deleted and added again in the same place, the new bookmark stays`()
        async throws
    {
        try phone.configuration.delete(try phone.bookmark(1))
        try await phone.settle()
        try await phone.edit(1, name: "Swift", url: "swift.org")
        try await phone.syncNow()
        #expect(try cloud.bookmarks() == ["0 Google", "1 Swift", "2 Topaz Filer"])
        #expect(try titles(phone) == ["0 Google", "1 Swift", "2 Topaz Filer"])
        // A deletion means one bookmark, and not whatever stands in its place by then.
        let gone = try phone.bookmark(1)
        try cloud.execute("UPDATE Bookmarks SET Ordinal = 5 WHERE BookmarkId = \(gone.bookmarkId)")
        try cloud.execute("INSERT INTO Bookmarks VALUES (50, 1001, 'Other', 'http://o.example/', 1)")
        try phone.configuration.delete(gone)
        try await phone.settle()
        try await phone.syncNow()
        #expect(try cloud.bookmarks().contains("1 Other"))
    }

    @Test(.covers("SB-W06")) func `what was added and deleted before a sync is never sent`() async throws {
        try await phone.edit(4, name: "Brief", url: "brief.example")
        try phone.configuration.delete(try phone.bookmark(4))
        try await phone.settle()
        #expect(try phone.session.waitingChanges() == 0)
        try await phone.syncNow()
        #expect(try phone.sync.message == "In step; nothing had changed.")
        #expect(try cloud.bookmarks().count == 3)
    }

    @Test(.covers("SB-F109", "SB-W02", "SB-W03"))
    func `edits of different fields meet, of the same one the loser is kept`()
        async throws
    {
        let laptop = Phone(cloud)
        try await laptop.signIn()
        try await phone.edit(0, name: "Mine")
        try await laptop.edit(0, url: "https://duckduckgo.com/")
        try await phone.syncNow()
        try await laptop.syncNow()
        #expect(try laptop.bookmark(0).name == "Mine")
        #expect(try laptop.sync.conflicts == [])
        try await laptop.edit(0, name: "Theirs")
        try await phone.syncNow()
        try await phone.edit(0, name: "Again")
        try await phone.syncNow()
        try await laptop.syncNow()
        let conflict = try #require(try laptop.sync.conflicts.first)
        #expect(conflict.title == "Again")
        #expect(conflict.details == ["Name: \"Theirs\" here, \"Again\" elsewhere. \"Again\" counts."])
        #expect(try laptop.sync.status.unseenConflicts == 1)
        try laptop.sync.markSeen()
        #expect(try laptop.sync.status.unseenConflicts == 0)
        try laptop.sync.restore(conflict)
        try await laptop.settle()
        #expect(try laptop.sync.conflicts == [])
        try await laptop.syncNow()
        try await phone.syncNow()
        #expect(try cloud.bookmarks().first == "0 Theirs")
        #expect(try phone.bookmark(0).name == "Theirs")
    }

    @Test(.covers("SB-W09")) func `an edit of what was deleted elsewhere is told, and can be given up`() async throws {
        try cloud.execute("DELETE FROM Bookmarks WHERE BookmarkId = 1")
        try await phone.edit(0, name: "Search")
        try await phone.syncNow()
        let conflict = try #require(try phone.sync.conflicts.first)
        #expect(conflict.details == ["Changed here, deleted elsewhere. It stays, with your change."])
        #expect(try cloud.bookmarks().first == "0 Search")
        try phone.sync.dismiss(conflict)
        #expect(try phone.sync.conflicts == [])
    }

    @Test(.covers("SB-F110", "SB-W11", "SB-W12", "SB-W15"))
    func `a network that ends anywhere leaves everything, and nothing arrives twice`()
        async throws
    {
        var cut = 0
        while true {
            let (cloud, kept) = (try Cloud(), cut)
            let phone = Phone(cloud)
            try await phone.signIn()
            try await phone.edit(3, name: "Swift", url: "swift.org")
            try await phone.edit(0, name: "Search")
            let seen = Mutex(0)
            cloud.gate { _ in
                let place = seen.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if place >= kept { throw ClientError(.interrupted, "Cut.", advice: "") }
            }
            let isDone = await (try phone.sync).syncNow()
            let expected = ["0 Search", "1 .NET 247", "2 Topaz Filer", "3 Swift"]
            try await phone.settle()
            #expect(try titles(phone) == expected, "after \(kept) requests")
            cloud.gate(nil)
            try await phone.syncNow()
            #expect(try cloud.bookmarks() == expected, "after \(kept) requests")
            #expect(try phone.session.waitingChanges() == 0)
            if isDone { break }
            cut += 1
        }
        #expect(cut > 1)
    }

    @Test(.covers("SB-F111", "SB-W13")) func `an edit while a sync runs stays, and goes with the next`() async throws {
        let book = try phone.session.book
        try await phone.edit(0, name: "Search")
        let isEdited = Mutex(false)
        cloud.gate { _ in
            let isFirst = isEdited.withLock { edited in
                defer { edited = true }
                return !edited
            }
            guard isFirst else { return }
            try book.edit(2, name: "Meanwhile")
        }
        try await phone.syncNow()
        #expect(isEdited.withLock { $0 })
        #expect(try titles(phone) == ["0 Search", "1 Meanwhile", "2 Topaz Filer"])
        try await phone.syncNow()
        #expect(try cloud.bookmarks() == ["0 Search", "1 Meanwhile", "2 Topaz Filer"])
    }

    @Test(.covers("SB-F115", "SB-W16", "SB-W22")) func `one sync runs at a time, tells that it runs, and can be ended`()
        async throws
    {
        let sync = try phone.sync
        try await phone.edit(0, name: "Search")
        let before = cloud.exchanges
        let (asked, bell) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        cloud.gate { _ in
            bell.finish()
            for await _ in gate {}
            try Task.checkCancellation()
        }
        let first = Task { await sync.syncNow() }
        for await _ in asked {}
        #expect(sync.isSyncing)
        let second = Task { await sync.syncNow() }
        await Task.yield()
        #expect(cloud.exchanges == before + 1)
        sync.cancel()
        opening.finish()
        #expect(await first.value == false)
        #expect(await second.value == false)
        #expect(!sync.isSyncing)
        #expect(sync.message == "Stopped. What was not sent waits for the next sync.")
        #expect(try phone.session.waitingChanges() == 1)
        cloud.gate(nil)
        try await phone.syncNow()
        #expect(try cloud.bookmarks().first == "0 Search")
    }
}
