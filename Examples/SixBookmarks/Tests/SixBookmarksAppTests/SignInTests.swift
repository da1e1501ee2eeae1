// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SixBookmarksModels
import Testing
import Tideline
import TidelineTestSupport

/// The first screen, and what the device keeps of a sign-in.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SignInTests {
    private let cloud: Cloud

    init() throws { cloud = try Cloud() }

    @Test(.covers("SB-F120")) func `what is missing is told at once, and nothing is asked of the service`() async {
        let app = Phone(cloud).app
        app.start()
        #expect(app.screen == .signIn)
        await app.submitSignIn()
        #expect(app.signIn.message == "The user name is missing.\nThe password is missing.")
        app.signIn.user = "  "
        app.signIn.password = " "
        await app.submitSignIn()
        #expect(app.signIn.message == "The user name is missing.")
        app.signIn.user = "ada"
        app.signIn.password = ""
        await app.submitSignIn()
        #expect(app.signIn.message == "The password is missing.")
        #expect(cloud.exchanges == 0)
    }

    @Test(.covers("SB-F106", "SB-F130", "SB-F100"))
    func `a sign-in brings the bookmarks and shows the six buttons`() async throws {
        let phone = Phone(cloud)
        phone.app.signIn.user = " ada "
        try await phone.signIn("ada")
        #expect(phone.app.screen == .navigator)
        #expect(phone.titles == ["Google", ".NET 247", "Topaz Filer", "…", "…", "…"])
        #expect(phone.app.signIn.password == "")
        #expect(try phone.sync.state == "In step with the service.")
    }

    @Test(.covers("SB-F121", "SB-F122", "SB-F123", "SB-S06"))
    func `remembered is the usual, keeps a token and no password, and signs in by itself`() async throws {
        let phone = Phone(cloud)
        #expect(phone.app.signIn.isRemembered)
        try await phone.signIn()
        for name in phone.files {
            let path = phone.folder + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            let content = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
            #expect(!content.contains("tide-and-time-1"), "\(name)")
            if content.contains("refreshToken") { #expect(attributes[.posixPermissions] as? Int == 0o600) }
        }
        #expect(phone.files.contains { $0.hasPrefix("tokens/") })

        await phone.restart()
        #expect(phone.app.screen == .navigator)
        #expect(cloud.doorkeeper.signIns == 1)
        #expect(try await phone.sync.syncNow())
        #expect(cloud.doorkeeper.signIns == 1)
    }

    @Test(.covers("SB-F121")) func `not remembered, the sign-in ends with the program, and what was remembered goes`()
        async throws
    {
        let phone = Phone(cloud)
        try await phone.signIn()
        await phone.restart()
        await phone.app.close()
        phone.app.signIn.isRemembered = false
        try await phone.signIn()
        #expect(phone.files.filter { $0.hasPrefix("tokens/") } == [])
        #expect(try await phone.sync.syncNow())
        try await phone.edit(3, name: "Swift", url: "swift.org")

        await phone.restart()
        #expect(phone.app.screen == .signIn)
        #expect(phone.app.signIn.message == nil)
        // What was not sent is not lost: it is there at the next sign-in.
        try await phone.signIn()
        #expect(try cloud.bookmarks().last == "3 Swift")
    }

    @Test(.covers("SB-F122")) func `a sign-in that the service takes no more is forgotten, and the form is shown`()
        async throws
    {
        let phone = Phone(cloud)
        try await phone.signIn()
        try await phone.edit(0, name: "Search")
        await phone.app.close()
        cloud.doorkeeper.endAll()
        await phone.restart()
        #expect(phone.app.screen == .navigator)
        let sync = try phone.sync
        #expect(await !sync.syncNow())
        #expect(phone.app.screen == .signIn)
        #expect(phone.app.signIn.user == "ada")
        #expect(phone.app.signIn.message?.contains("has ended") == true)
        #expect(phone.files.filter { $0.hasPrefix("tokens/") } == [])
        await phone.restart()
        #expect(phone.app.screen == .signIn)
        try await phone.signIn()
        #expect(try cloud.bookmarks().first == "0 Search")
    }

    @Test(.covers("SB-W17", "SB-F112")) func `the app starts, shows and edits with no connection, and sends later`()
        async throws
    {
        let phone = Phone(cloud)
        try await phone.signIn()
        cloud.isReachable = false
        await phone.restart()
        #expect(phone.app.screen == .navigator)
        try await phone.settle()
        #expect(phone.titles.first == "Google")
        try await phone.edit(0, name: "Search")
        #expect(await !(try phone.sync.syncNow()))
        #expect(try phone.sync.state == "Offline, 1 waiting. Everything works; changes are sent later.")
        #expect(try phone.sync.waiting == "1 change waits to be sent.")
        #expect(phone.app.screen == .configuration)
        cloud.isReachable = true
        try await phone.syncNow()
        #expect(try cloud.bookmarks().first == "0 Search")
    }

    @Test(.covers("SB-F124", "SB-W18", "SB-W19", "SB-S13"))
    func `a refusal is told the same for an unknown name and a wrong password, and the wait ends`() async throws {
        let phone = Phone(cloud)
        var messages: [String?] = []
        for (user, password) in [("ada", "wrong"), ("nobody", "wrong")] {
            phone.app.signIn.user = user
            phone.app.signIn.password = password
            await phone.app.submitSignIn()
            #expect(!phone.app.signIn.isBusy)
            #expect(phone.app.screen == .signIn)
            messages.append(phone.app.signIn.message)
        }
        #expect(messages[0]?.contains("name or the password is wrong") == true)
        #expect(messages[0] == messages[1])
        cloud.isReachable = false
        await phone.app.submitSignIn()
        #expect(phone.app.signIn.message == "The service is not reached. Look at the connection.")
        #expect(!phone.app.signIn.isBusy)
        #expect(phone.files.filter { $0.hasSuffix(".tideline") } == [])
    }

    @Test(.covers("SB-F124")) func `while the service is asked the form says so`() async throws {
        let phone = Phone(cloud)
        phone.app.signIn.user = "ada"
        phone.app.signIn.password = "tide-and-time-1"
        let (asked, bell) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        cloud.gate { _ in
            bell.finish()
            for await _ in gate {}
        }
        let signIn = Task { await phone.app.submitSignIn() }
        for await _ in asked {}
        #expect(phone.app.signIn.isBusy)
        opening.finish()
        await signIn.value
        #expect(!phone.app.signIn.isBusy)
        #expect(phone.app.screen == .navigator)
    }

    @Test(.covers("SB-F125")) func `who is new registers, is signed in, and comes back with the same password`()
        async throws
    {
        let phone = Phone(cloud)
        phone.app.signIn.isNew = true
        phone.app.signIn.user = "ada"
        phone.app.signIn.password = "rising-tide"
        await phone.app.submitSignIn()
        #expect(phone.app.signIn.message == "The two passwords are not the same.")
        #expect(cloud.exchanges == 0)
        phone.app.signIn.again = "rising-tide"
        await phone.app.submitSignIn()
        #expect(phone.app.signIn.message?.contains("This name is taken. Choose another one.") == true)
        #expect(phone.app.screen == .signIn)
        phone.app.signIn.user = "mary"
        phone.app.signIn.password = "rising-tide"
        await phone.app.submitSignIn()
        #expect(phone.app.screen == .navigator)
        #expect(phone.titles == ["…", "…", "…", "…", "…", "…"])
        #expect(!phone.app.signIn.isNew && phone.app.signIn.again == "")
        #expect(cloud.doorkeeper.signIns == 0)
        // On the next device the name is known.
        let laptop = Phone(cloud)
        try await laptop.signIn("Mary", "rising-tide")
        #expect(laptop.titles == phone.titles)
    }

    @Test(.covers("SB-S14")) func `blanks of a password count`() async throws {
        let phone = Phone(cloud)
        phone.app.signIn.user = "grace"
        phone.app.signIn.password = "spaces count"
        await phone.app.submitSignIn()
        #expect(phone.app.screen == .signIn)
        try await phone.signIn("grace", " spaces count ")
        #expect(phone.titles.first == "Apress")
    }

    @Test(.covers("SB-S08")) func `a file is named by chance, and once for a user, however the name is written`()
        async throws
    {
        let phone = Phone(cloud)
        try await phone.signIn("Ada")
        let file = try #require(phone.files.first { $0.hasSuffix(".tideline") })
        #expect(!file.lowercased().contains("ada"))
        await phone.app.close()
        try await phone.signIn("ada")
        #expect(phone.files.filter { $0.hasSuffix(".tideline") } == [file])
        #expect(try phone.session.account.user == "ada")
    }

    @Test(.covers("SB-F084", "SB-W27", "SB-W28", "SB-F071"))
    func `two users of one device have a file each, and each sign-in is its own`() async throws {
        let phone = Phone(cloud)
        try await phone.signIn()
        try await phone.edit(4, name: "Ada's", url: "ada.example")
        await phone.app.close()
        try await phone.signIn("grace", " spaces count ")
        #expect(phone.titles == ["Apress", "…", "…", "…", "…", "…"])
        try await phone.edit(5, name: "Grace's", url: "grace.example")
        try await phone.syncNow()
        #expect(try cloud.bookmarks(of: 1002) == ["0 Apress", "5 Grace's"])
        #expect(try cloud.bookmarks().count == 3)
        await phone.app.close()
        try await phone.signIn()
        #expect(phone.titles[4] == "Ada's")
        #expect(try cloud.bookmarks().last == "4 Ada's")
        #expect(phone.files.filter { $0.hasSuffix(".tideline") }.count == 2)
    }
}
