// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct StoreFilesTests {
    let folder: TestFolder
    let files: StoreFiles

    init() throws {
        folder = try TestFolder()
        files = StoreFiles(folder: folder.file("data"), name: "SixBookmarks")
    }

    @Test(.covers("SB-F083", "SB-F084"))
    func `two users have a file each and never see each other's rows`() throws {
        let ada = try files.open(user: "ada", model: Fixture.model)
        try ada.write { try $0.insert(["Code": .string("hers")], into: "Tags") }
        let upper = try files.open(user: "Ada", model: Fixture.model)
        #expect(try Fixture.rows(upper, "Tags").isEmpty)
        try files.signOut(ada, wiping: false)
        let bob = try files.open(user: "bob/../ada", model: Fixture.model)
        #expect(try Fixture.rows(bob, "Tags").isEmpty)
        #expect(files.users() == ["Ada", "ada", "bob/../ada"])
        let names = try FileManager.default.contentsOfDirectory(atPath: files.folder)
        #expect(
            names.filter { $0.hasSuffix(".tideline") }.sorted() == [
                "SixBookmarks-%41da.tideline", "SixBookmarks-ada.tideline", "SixBookmarks-bob%2f..%2fada.tideline",
            ]
        )
        let mode = try FileManager.default.attributesOfItem(atPath: files.folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let again = try files.open(user: "ada", model: Fixture.model)
        #expect(try Fixture.rows(again, "Tags").count == 1)
    }

    @Test(.covers("SB-F083"))
    func `a user's file is a plain SQLite database`() throws {
        let store = try files.open(user: "ada", model: Fixture.model)
        try store.write { try $0.insert(["Code": .string("x")], into: "Tags") }
        try store.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: files.path(user: "ada")))
        #expect(bytes.starts(with: Data("SQLite format 3\u{0}".utf8)))
    }

    @Test(.covers("SB-F071", "SB-F084"))
    func `a file that was moved to another user's place is refused`() throws {
        try files.open(user: "ada", model: Fixture.model).close()
        try FileManager.default.moveItem(atPath: files.path(user: "ada"), toPath: files.path(user: "bob"))
        #expect(code { try files.open(user: "bob", model: Fixture.model) } == .foreignFile)
        // The tables of a user who is new are made, whoever was there before.
        let ada = try files.open(user: "ada", model: Fixture.model)
        #expect(try Fixture.rows(ada, "Tags").isEmpty)
    }

    @Test func `signing out with a wipe refuses to lose changes, and then takes the file away`() throws {
        let settings = StoreSettings(identityFolder: folder.file("identities"))
        let store = try files.open(user: "ada", model: Fixture.model, settings: settings)
        try store.write { try $0.insert(["Code": .string("x")], into: "Tags") }
        let error = #expect(throws: LocalStoreError.self) { try files.signOut(store, wiping: true) }
        #expect(error?.code == .pendingChanges)
        #expect(error?.changes.map(\.set) == ["Tags"])
        try store.write { try $0.insert(["Code": .string("y")], into: "Tags") }
        let discarded = try files.signOut(store, wiping: true, discardingChanges: true)
        #expect(discarded.map(\.key) == [Key([.string("x")]), Key([.string("y")])])
        #expect(code { try store.status() } == .closed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("identities")) == [])
        #expect(files.users() == [])
    }

    @Test func `names that no file can have are refused`() throws {
        #expect(code { try files.path(user: "") } == .unsupported)
        #expect(code { try files.path(user: String(repeating: "x", count: 300)) } == .unsupported)
        #expect(try files.path(user: nil) == files.folder + "/SixBookmarks.tideline")
    }
}
