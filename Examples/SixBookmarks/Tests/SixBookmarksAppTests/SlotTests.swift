// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import Testing
import Tideline
import TidelineTestSupport

/// Places that two devices take, and places that there are not.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SlotTests {
    private static let url = "http://a.example/"

    private static func bookmark(_ key: Int32, _ ordinal: Int32) -> Bookmark {
        Bookmark(bookmarkId: key, userId: 1001, name: "b\(key)", url: url, ordinal: ordinal)
    }

    private func titles(_ phone: Phone) throws -> [String] {
        try phone.configuration.rows.map { "\($0.ordinal) \($0.name ?? "")" }
    }

    @Test(.covers("SB-W30")) func `a plan keeps what the service had first, and fills the lowest places`() {
        let plan = SlotRepair([
            Self.bookmark(-1, 0), Self.bookmark(7, 0), Self.bookmark(5, 9), Self.bookmark(6, -3), Self.bookmark(8, 2),
        ])
        #expect(plan.moves.map(\.bookmark.bookmarkId) == [5, 6, -1])
        #expect(plan.moves.map(\.ordinal) == [1, 3, 4])
        #expect(plan.homeless == [])
        #expect(
            plan.moves.map(\.text) == [
                "There is no place 10: \"b5\" is at place 2 now.", "There is no place -2: \"b6\" is at place 4 now.",
                "Place 1 was taken elsewhere: \"b-1\" is at place 5 now.",
            ]
        )
        let refused = SlotRepair([Self.bookmark(1, 0), Self.bookmark(2, 0)], refused: [1])
        #expect(refused.moves.map(\.bookmark.bookmarkId) == [1])
        let crowded = SlotRepair((1...8).map { Self.bookmark($0, $0 % 6) })
        #expect(crowded.moves == [])
        #expect(crowded.homeless.map(\.bookmarkId) == [7, 8])
        #expect(SlotRepair([]).moves == [])
    }

    @Test(.covers("SB-W07", "SB-W15")) func `a place that both devices took: the later one gets the next, and is told`()
        async throws
    {
        let cloud = try Cloud()
        let (phone, laptop) = (Phone(cloud), Phone(cloud))
        try await phone.signIn()
        try await laptop.signIn()
        try await phone.edit(3, name: "Phone", url: Self.url)
        try await laptop.edit(3, name: "Laptop", url: Self.url)
        try await phone.syncNow()
        try await laptop.syncNow()
        let expected = ["0 Google", "1 .NET 247", "2 Topaz Filer", "3 Phone", "4 Laptop"]
        #expect(try cloud.bookmarks() == expected)
        #expect(try titles(laptop) == expected)
        #expect(try laptop.sync.message?.contains("Place 4 was taken elsewhere: \"Laptop\" is at place 5 now.") == true)
        #expect(try laptop.sync.notes.count == 1)
        #expect(try laptop.sync.refused.map { $0.title + $0.reason } == [])
        try laptop.sync.clearNotes()
        #expect(try laptop.sync.notes == [])
        try await phone.syncNow()
        #expect(try phone.configuration.rows == laptop.configuration.rows)
    }

    @Test(.covers("SB-W07")) func `a bookmark that was moved to a place that was taken elsewhere moves on`()
        async throws
    {
        let cloud = try Cloud()
        let phone = Phone(cloud)
        try await phone.signIn()
        try cloud.execute("INSERT INTO Bookmarks VALUES (9, 1001, 'Apress', 'http://www.apress.com', 3)")
        #expect(try phone.configuration.move(try phone.bookmark(2), by: 1) == 3)
        try await phone.settle()
        try await phone.syncNow()
        #expect(try cloud.bookmarks() == ["0 Google", "1 .NET 247", "2 Topaz Filer", "3 Apress"])
        #expect(try titles(phone) == cloud.bookmarks())
        #expect(try phone.session.waitingChanges() == 0)
    }

    @Test(.covers("SB-W07", "SB-W32", "SB-F045"))
    func `with all places taken elsewhere the bookmark waits, and goes when one is free`()
        async throws
    {
        let cloud = try Cloud()
        let phone = Phone(cloud)
        try await phone.signIn()
        try await phone.edit(5, name: "Mine", url: Self.url)
        for place in 3...5 {
            try cloud.execute("INSERT INTO Bookmarks VALUES (\(20 + place), 1001, 'n\(place)', 'http://n/', \(place))")
        }
        try await phone.syncNow()
        #expect(try titles(phone) == ["0 Google", "1 .NET 247", "2 Topaz Filer", "3 n3", "4 n4", "5 Mine", "5 n5"])
        #expect(phone.titles.last == "n5")
        let sync = try phone.sync
        #expect(sync.message?.contains("There is no free place for \"Mine\". Delete a bookmark, then sync.") == true)
        let refused = try #require(sync.refused.first)
        #expect(refused.title == "New: Mine")
        #expect(!refused.reason.isEmpty)
        #expect(sync.state == "The service refused a change.")
        // Nothing is sent in vain before something changes.
        try await phone.syncNow()
        #expect(try cloud.bookmarks().count == 6)

        try phone.configuration.delete(try phone.bookmark(1))
        try await phone.settle()
        try await phone.syncNow()
        #expect(try cloud.bookmarks() == ["0 Google", "1 Mine", "2 Topaz Filer", "3 n3", "4 n4", "5 n5"])
        #expect(sync.refused == [])
    }

    @Test(.covers("SB-W07")) func `what was refused can be given up`() async throws {
        let cloud = try Cloud()
        let phone = Phone(cloud)
        try await phone.signIn()
        try await phone.edit(5, name: "Mine", url: Self.url)
        for place in 3...5 {
            try cloud.execute("INSERT INTO Bookmarks VALUES (\(20 + place), 1001, 'n\(place)', 'http://n/', \(place))")
        }
        try await phone.syncNow()
        let refused = try #require(try phone.sync.refused.first)
        try phone.sync.sendAgain(refused)
        #expect(try phone.sync.refused == [])
        try await phone.syncNow()
        try phone.sync.giveUp(try #require(try phone.sync.refused.first))
        try await phone.settle()
        #expect(try titles(phone).last == "5 n5")
        #expect(try phone.session.waitingChanges() == 0)
    }

    @Test(.covers("SB-W30")) func `doubled and impossible places of the service are shown, and put right for all`()
        async throws
    {
        let cloud = try Cloud(isStrict: false)
        try cloud.execute(
            """
            INSERT INTO Bookmarks VALUES (7, 1001, 'Double', 'http://d/', 0), (8, 1001, 'Far', 'http://f/', 42)
            """
        )
        let phone = Phone(cloud)
        phone.app.signIn.user = "ada"
        phone.app.signIn.password = "tide-and-time-1"
        await phone.app.submitSignIn()
        try await phone.settle()
        let expected = ["0 Google", "1 .NET 247", "2 Topaz Filer", "3 Double", "4 Far"]
        #expect(try titles(phone) == expected)
        #expect(try cloud.bookmarks() == expected)
        #expect(try phone.sync.notes.count == 2)
        #expect(phone.titles == ["Google", ".NET 247", "Topaz Filer", "Double", "Far", "…"])
    }

    @Test(.covers("SB-W30", "SB-F161")) func `two devices that put the same right come to the same`() async throws {
        let cloud = try Cloud(isStrict: false)
        let (phone, laptop) = (Phone(cloud), Phone(cloud))
        try await phone.signIn()
        try await laptop.signIn()
        try cloud.execute("INSERT INTO Bookmarks VALUES (7, 1001, 'Double', 'http://d/', 0)")
        cloud.gate { _ in await Task.yield() }
        let syncs = [try phone.sync, try laptop.sync]
        let flights = syncs.map { sync in Task { await sync.syncNow() } }
        for flight in flights { #expect(await flight.value) }
        try await phone.syncNow()
        try await laptop.syncNow()
        #expect(try phone.configuration.rows == laptop.configuration.rows)
        #expect(try titles(phone) == ["0 Google", "1 .NET 247", "2 Topaz Filer", "3 Double"])
        #expect(try phone.sync.conflicts == [])
    }

    @Test(.covers("SB-W07")) func `syncing by itself puts places right too`() async throws {
        let cloud = try Cloud()
        let schedule = SyncSchedule(quiet: .zero, interval: nil, listens: false)
        let phone = Phone(cloud, schedule: schedule)
        try await phone.signIn()
        cloud.isReachable = false
        try await phone.edit(3, name: "Phone", url: Self.url)
        try cloud.execute("INSERT INTO Bookmarks VALUES (9, 1001, 'Apress', 'http://www.apress.com', 3)")
        cloud.isReachable = true
        try phone.session.engine.notice(.reachable)
        let sync = try phone.sync
        await Viewer.wait {
            sync.notes.count == 1 && sync.status.pendingTransactions == 0 && sync.status.quarantined == 0
        }
        #expect(try cloud.bookmarks().last == "4 Phone")
        await phone.app.close()
    }
}
