// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import SixBookmarks
import SixBookmarksModels
import SixBookmarksTerminal
import Testing
import Tideline
import TidelineTestSupport

/// The screens, as somebody uses them who types and reads.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ScreenTests {
    private let cloud: Cloud
    private let phone: Phone
    private let screen = RecordedScreen()

    init() throws {
        cloud = try Cloud()
        phone = Phone(cloud, schedule: SyncSchedule(quiet: .zero, interval: nil, listens: false))
    }

    /// Starts, and signs in with the keyboard.
    private func signIn() async {
        screen.run(phone.app)
        await screen.wait(for: "Password")
        screen.type("ada")
        screen.press(.tab)
        screen.type("tide-and-time-1")
        await screen.wait(for: "•••••••••••••••")
        #expect(screen.row("tide-and-time-1") == nil)
        screen.press(.enter)
        await screen.wait(for: "3  Topaz Filer")
    }

    @Test(.covers("SB-F120", "SB-F121", "SB-F124")) func `the form tells what is missing and signs in`() async {
        screen.run(phone.app)
        await screen.wait(for: "Password")
        #expect(screen.rows.first == "Six Bookmarks")
        #expect(screen.row("Remember me")?.contains("[x]") == true)
        screen.press(.enter)
        await screen.wait(for: "The user name is missing.")
        #expect(screen.row("The password is missing.") != nil)
        screen.press(.tab, .tab, .character(" "))
        await screen.wait(for: "[ ] Remember me")
        screen.press(.character(" "), .tab, .tab, .tab)
        screen.type("adx")
        screen.press(.backspace)
        screen.type("a")
        screen.press(.tab)
        screen.type("wrong")
        screen.press(.enter)
        await screen.wait(for: "The name or the password is wrong.")
        #expect(screen.row("•") == nil)
        screen.type("tide-and-time-1")
        screen.press(.enter)
        await screen.wait(for: "1  Google")
        screen.press(.character("q"))
        await screen.end()
        #expect(phone.app.session == nil)
    }

    @Test(.covers("SB-F125")) func `who is new ticks a box, types the password twice, and has six empty places`() async
    {
        screen.run(phone.app)
        await screen.wait(for: "[ ] I am new here")
        #expect(screen.row("Once more") == nil)
        screen.press(.backTab, .backTab, .character(" "))
        await screen.wait(for: "[x] I am new here")
        #expect(screen.row("Enter register") != nil)
        screen.press(.tab, .tab)
        screen.type("mary")
        screen.press(.tab)
        screen.type("rising-tide")
        screen.press(.enter)
        await screen.wait(for: "The two passwords are not the same.")
        // The service was not asked: what was typed is still there.
        #expect(screen.row("› Password  •••••••••••") != nil)
        screen.press(.tab)
        screen.type("rising-tide")
        screen.press(.enter)
        await screen.wait(for: "6  …")
        #expect(screen.rows[0].hasSuffix("mary"))
        screen.press(.character("q"))
        await screen.end()
    }

    @Test(.covers("SB-F130", "SB-F131", "SB-F132", "SB-F134"))
    func `digits, arrows and letters do what the foot of the screen says`() async {
        await signIn()
        #expect(
            screen.rows[2...7].map { String($0.prefix(14)) }
                == [
                    "› 1  Google   ", "  2  .NET 247 ", "  3  Topaz Fil", "  4  …", "  5  …", "  6  …",
                ].map { String($0) }
        )
        #expect(screen.rows[0].hasSuffix("ada"))
        screen.press(.character("2"))
        await screen.wait { $0.contains { $0.hasPrefix("› 2") } }
        screen.press(.down, .enter, .up, .up, .enter, .character("i"), .character("?"))
        await screen.wait(for: "any key goes back")
        #expect(
            phone.opened == [
                "http://www.dotnet247.com/", "http://www.topazfiler.com/", "http://www.google.co.uk",
                "http://127.0.0.1/",
            ]
        )
        screen.press(.character("x"), .character("5"))
        await screen.wait(for: "Configure bookmarks")
        screen.press(.escape)
        await screen.wait { $0.first?.hasPrefix("Six Bookmarks") == true }
        screen.press(.interrupt)
        await screen.end()
    }

    @Test(.covers("SB-F140", "SB-F141", "SB-F142", "SB-F144", "SB-F150", "SB-F151", "SB-F152"))
    func `bookmarks are added, edited, moved, deleted and brought back with the keyboard`() async throws {
        await signIn()
        screen.press(.character("c"), .character("a"))
        await screen.wait(for: "New bookmark at place 4")
        screen.type("Swift")
        screen.press(.tab)
        screen.type("javascript:alert(1)")
        screen.press(.enter)
        await screen.wait(for: "Addresses of the kind \"javascript:\" are not taken.")
        for _ in 0..<"javascript:alert(1)".count { screen.press(.backspace) }
        screen.type("wift.org")
        screen.press(.home)
        screen.type("s")
        screen.press(.enter)
        // Names are padded, so that addresses stand below each other.
        await screen.wait(for: "4  Swift        https://swift.org")
        #expect(screen.row("1  Google       http://www.google.co.uk") != nil)
        #expect(screen.row("3  Topaz Filer  http://www.topazfiler.com/") != nil)

        screen.press(.end, .enter)
        await screen.wait(for: "Bookmark at place 4")
        screen.type("!!!")
        screen.press(.escape)
        await screen.wait(for: "› 4  Swift  ")

        screen.press(.character("m"), .up)
        await screen.wait(for: "↕ 3  Swift")
        screen.press(.up)
        await screen.wait(for: "↕ 2  Swift")
        screen.press(.enter, .character("d"))
        await screen.wait(for: "\"Swift\" is deleted.")
        await screen.wait { !$0.contains { $0.hasPrefix("› 2  Swift") } }
        screen.press(.character("u"))
        await screen.wait(for: "2  Swift        https://swift.org")
        await screen.wait(for: "\"Swift\" is back.")
        screen.press(.escape, .character("c"))
        // Said once, it is not said again when the list is shown again.
        await screen.wait { rows in
            rows.first?.hasPrefix("Configure bookmarks") == true && !rows.contains { $0.contains("is back.") }
        }
        screen.press(.character("s"))
        await screen.wait { [cloud] _ in (try? cloud.bookmarks().contains("1 Swift")) == true }
        #expect(try cloud.bookmarks() == ["0 Google", "1 Swift", "2 .NET 247", "3 Topaz Filer"])
        screen.press(.character("q"))
        await screen.end()
    }

    @Test(.covers("SB-F150", "SB-F151"))
    func `on a narrow screen what is typed is in sight, and what is said is whole`()
        async throws
    {
        await signIn()
        screen.resize(30, 12)
        screen.press(.character("e"))
        await screen.wait(for: "› Name     Google")
        screen.type(" and all that is found there")
        // 34 characters in the 19 columns beside the label: the cursor's is the last, and its mark the first.
        await screen.wait(for: "› Name     …t is found there")
        #expect(screen.layout?.cursor?.row == 2)
        #expect(screen.layout?.cursor?.column == 28)
        screen.press(.tab, .home)
        screen.type("javascript:")
        screen.press(.enter)
        await screen.wait(for: "Addresses of the kind")
        #expect(screen.row("…") != nil)
        let said = screen.rows.joined(separator: " ")
        #expect(said.contains("Pages of http and https; https:// may be left out."))
        #expect(said.contains("Addresses of the kind \"javascript:\" are not taken."))
        screen.press(.escape, .character("q"))
        await screen.end()
    }

    @Test(.covers("SB-F143", "SB-F161", "SB-F106")) func `what another device changes comes by itself or by a key`()
        async throws
    {
        await signIn()
        try cloud.execute("UPDATE Bookmarks SET Name = 'Search' WHERE BookmarkId = 1")
        screen.press(.character("s"))
        await screen.wait(for: "1  Search")
        await screen.wait(for: "In step")
        // A change of the store from elsewhere is drawn with no key at all.
        try phone.session.book.edit(2, name: "Live")
        await screen.wait(for: "2  Live")
        screen.press(.character("q"))
        await screen.end()
    }

    @Test(.covers("SB-F109", "SB-F115")) func `a conflict is seen, and what lost is brought back`() async throws {
        await signIn()
        let laptop = Phone(cloud)
        try await laptop.signIn()
        phone.line.isReachable = false
        try phone.session.book.edit(1, name: "Mine")
        await screen.wait(for: "Offline, 1 waiting.")
        try await laptop.edit(0, name: "Theirs")
        try await laptop.syncNow()
        phone.line.isReachable = true
        screen.press(.character("s"))
        await screen.wait(for: "1 in conflict")
        screen.press(.character("w"))
        await screen.wait(for: "› Changed on two devices: Theirs")
        #expect(screen.row("Name: \"Mine\" here, \"Theirs\" elsewhere. \"Theirs\" counts.") != nil)
        screen.press(.character("r"))
        await screen.wait(for: "No conflicts, and nothing refused.")
        screen.press(.escape)
        await screen.wait(for: "1  Mine")
        await screen.wait { [cloud] _ in (try? cloud.bookmarks().first) == "0 Mine" }
        screen.press(.character("q"))
        await screen.end()
    }

    @Test(.covers("SB-F133")) func `signing out asks where changes would be lost, and shows the form again`()
        async throws
    {
        await signIn()
        cloud.isReachable = false
        try phone.session.book.edit(1, name: "Mine")
        await screen.wait(for: "Offline, 1 waiting.")
        screen.press(.character("o"))
        await screen.wait(for: "1 change was not sent and would be lost. Sign out all the same?")
        screen.press(.character("n"))
        await screen.wait { !$0.contains { $0.contains("Sign out all the same?") } }
        #expect(phone.app.screen == .navigator)
        screen.press(.character("o"))
        await screen.wait(for: "Sign out all the same?")
        screen.press(.character("y"))
        await screen.wait(for: "You are signed out here.")
        #expect(phone.files.filter { $0.contains(".tideline") } == [])
        screen.press(.escape)
        await screen.end()
    }
}
