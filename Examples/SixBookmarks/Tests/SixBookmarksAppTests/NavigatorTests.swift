// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarks
import SixBookmarksModels
import Testing
import Tideline
import TidelineTestSupport

/// The six buttons, and leaving.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct NavigatorTests {
    private let cloud: Cloud
    private let phone: Phone

    init() async throws {
        cloud = try Cloud(isStrict: false)
        phone = Phone(cloud)
        try await phone.signIn()
    }

    @Test(.covers("SB-F130")) func `six buttons always, which follow edits and syncs by themselves`() async throws {
        #expect(phone.app.navigator?.title == "Six Bookmarks")
        #expect(phone.titles == ["Google", ".NET 247", "Topaz Filer", "…", "…", "…"])
        try await phone.edit(5, name: "Swift", url: "https://www.swift.org/")
        #expect(phone.titles.last == "Swift")
        try cloud.execute("UPDATE Bookmarks SET Name = 'Search' WHERE BookmarkId = 1")
        try await phone.syncNow()
        #expect(phone.titles.first == "Search")
        try cloud.execute("UPDATE Bookmarks SET Name = NULL WHERE BookmarkId = 1")
        try await phone.syncNow()
        #expect(phone.titles.first == "http://www.google.co.uk")
    }

    @Test(.covers("SB-F131")) func `a button opens its page in the browser, an empty one the configuration`() {
        phone.app.press(1)
        #expect(phone.opened == ["http://www.dotnet247.com/"])
        #expect(phone.app.screen == .navigator)
        phone.app.press(3)
        #expect(phone.app.screen == .configuration)
        #expect(phone.app.navigator?.press(6) == .failed)
        #expect(phone.app.navigator?.message == "There is no place 7. Places are 1 to 6.")
        #expect(phone.opened.count == 1)
    }

    @Test(
        .covers("SB-S10"),
        arguments: ["javascript:alert(1)", "file:///etc/passwd", "http://", "JavaScript:1", "a b"]
    )
    func `what another program stored is not opened unless it is a web page`(address: String) async throws {
        try cloud.execute("UPDATE Bookmarks SET Url = '\(address)' WHERE BookmarkId = 1")
        try await phone.syncNow()
        #expect(phone.app.navigator?.press(0) == .failed)
        #expect(phone.app.navigator?.message?.isEmpty == false)
        #expect(phone.opened == [])
    }

    @Test func `a browser that is not there is told`() async throws {
        struct NoBrowser: Error, CustomStringConvertible { var description: String { "There is no browser." } }
        let navigator = NavigatorModel(try phone.session) { _ in throw NoBrowser() }
        #expect(navigator.about() == .failed)
        #expect(navigator.message == "http://127.0.0.1/ could not be opened. There is no browser.")
    }

    @Test(.covers("SB-F132", "SB-F134"))
    func `about opens the page of the service, and configuration is one step away`() {
        #expect(phone.app.navigator?.about() == .opened("http://127.0.0.1/"))
        #expect(phone.opened == ["http://127.0.0.1/"])
        phone.app.show(.configuration)
        #expect(phone.app.screen == .configuration)
        phone.app.show(.navigator)
        #expect(phone.app.screen == .navigator)
    }

    @Test(.covers("SB-F133", "SB-S07", "SB-F016"))
    func `signing out revokes the sign-in and leaves nothing of the user`()
        async throws
    {
        #expect(cloud.doorkeeper.refreshTokens == 1)
        #expect(await phone.app.signOut() == .done)
        #expect(phone.app.screen == .signIn)
        #expect(phone.app.signIn.user == "")
        #expect(phone.app.signIn.message == nil)
        #expect(cloud.doorkeeper.refreshTokens == 0)
        #expect(
            phone.files.filter { $0.contains(".tideline") || $0.hasPrefix("tokens/") || $0.hasPrefix("stores/") } == []
        )
        await phone.restart()
        #expect(phone.app.screen == .signIn)
    }

    @Test(.covers("SB-F133")) func `signing out asks when changes would be lost, and loses them only then`()
        async throws
    {
        try await phone.edit(0, name: "Search")
        cloud.isReachable = false
        #expect(await phone.app.signOut() == .wouldLose(1))
        #expect(phone.app.screen == .configuration)
        #expect(phone.titles.first == "Search")
        #expect(await phone.app.signOut(discardingChanges: true) == .done)
        #expect(phone.app.screen == .signIn)
        #expect(phone.app.signIn.message?.contains("signed out here") == true)
        cloud.isReachable = true
        try await phone.signIn()
        #expect(phone.titles.first == "Google")
    }

    @Test(.covers("SB-F133")) func `a press of keys after the sign-out does nothing`() async {
        #expect(await phone.app.signOut() == .done)
        phone.app.show(.configuration)
        phone.app.edit(0)
        phone.app.add()
        phone.app.press(0)
        #expect(phone.app.screen == .signIn)
        #expect(await phone.app.signOut() == .done)
        #expect(phone.opened == [])
    }
}
