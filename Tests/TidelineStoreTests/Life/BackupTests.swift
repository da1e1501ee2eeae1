// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineModel
import TidelineTestSupport

@testable import TidelineStore

struct BackupTests {
    let folder: TestFolder
    let store: LocalStore
    var backup: String { folder.file("backup") }

    init() throws {
        folder = try TestFolder()
        store = try LocalStore.open(
            path: folder.file("a.tideline"),
            model: Fixture.model,
            settings: StoreSettings(identityFolder: folder.file("identities"))
        )
        try store.write { try $0.insert(["Code": .string("a")], into: "Tags") }
    }

    @Test func `a backup is one whole file, made while the store is in use`() throws {
        // Another process reads meanwhile: its snapshot holds nothing up.
        let other = try LocalStore(path: folder.file("a.tideline"))
        try other.reading { connection in
            #expect(try connection.integer("SELECT COUNT(*) FROM main.\"Tags\"") == 1)
            try store.write { try $0.insert(["Code": .string("b")], into: "Tags") }
            try store.backup(to: backup)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("backup") } == [
                "backup"
            ]
        )
        let copy = try LocalStore(path: backup)
        #expect(try Fixture.rows(copy, "Tags").count == 2)
        #expect(try copy.waitingChanges() == store.waitingChanges())
        #expect(try copy.check().isSound)
    }

    @Test func `an opened backup is another client, also where the store itself is gone`() throws {
        let settings = store.settings
        let client = try store.identity().clientID
        try store.backup(to: backup)
        try store.close()
        try FileManager.default.removeItem(atPath: folder.file("a.tideline"))
        let restored = try LocalStore(path: backup, settings: settings)
        #expect(try restored.identity().clientID != client)
        #expect(try restored.identity().previousClientID == client)
        #expect(try restored.waitingChanges().count == 1)
    }

    @Test func `a backup takes the place of an earlier one, and of no other file`() throws {
        try store.backup(to: backup)
        try store.write { try $0.insert(["Code": .string("b")], into: "Tags") }
        try store.backup(to: backup)
        #expect(try Fixture.rows(LocalStore(path: backup), "Tags").count == 2)
        let text = folder.file("letter")
        try Data("Dear Ada".utf8).write(to: URL(fileURLWithPath: text))
        #expect(code { try store.backup(to: text) } == .foreignFile)
        #expect(try Data(contentsOf: URL(fileURLWithPath: text)) == Data("Dear Ada".utf8))
    }

    @Test func `a process that is killed before the backup has its name leaves the earlier one`() async throws {
        try await store.backup(to: backup)
        let earlier = try Data(contentsOf: URL(fileURLWithPath: backup))
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder.path as String] in
            unsafe setenv("TIDELINE_FAIL_POINT", "backup.before-rename", 1)
            try await LocalStore(path: folder + "/a.tideline").backup(to: folder + "/backup")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == earlier)
    }

    @Test func `a check names what is wrong with a file`() throws {
        #expect(try store.check() == StoreCheck(problems: []))
        try store.writing { connection in
            try connection.run("UPDATE tideline_outbox SET record = x'01FF'")
            try connection.run("DROP TABLE \"Marks\"")
            try connection.run("ALTER TABLE \"Orders\" DROP COLUMN \"Status\"")
            try connection.run("INSERT INTO tideline_sent (number, request, bytes) VALUES (77, x'', x'')")
            return ((), [])
        }
        #expect(
            try store.check().problems == [
                "The table of 'Orders' has no column 'Status'.",
                "The table of 'Marks' is missing.",
                "Outbox: A record of the outbox is damaged.",
                "Values last seen from the server: A record of the outbox is damaged.",
                "1 sent transactions have no changes in the outbox.",
            ]
        )
    }

    @Test func `a damaged store gives no backup`() throws {
        try store.writing { connection in
            try connection.run("UPDATE tideline_outbox SET record = x'01FF'")
            return ((), [])
        }
        #expect(code { try store.backup(to: backup) } == .corrupt)
        #expect(!FileManager.default.fileExists(atPath: backup))
    }
}
