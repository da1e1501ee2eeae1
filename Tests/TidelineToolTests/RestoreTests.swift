// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `tideline restore` says and does where there is no sound database in the place: whole processes, real files.
@Suite(.serialized)
struct RestoreTests {
    /// A published database, its data folder and a backup.
    private struct Place {
        let folder: TemporaryFolder
        let tool: Tool
        let database: Database
        let data: String
        let backup: String
        var kept: String { database.path + ".before-restore" }

        init() throws {
            folder = try TemporaryFolder()
            tool = Tool(home: folder.path)
            database = Database(path: folder.file("shop.sqlite"))
            (data, backup) = (folder.file("data"), folder.file("backup.sqlite"))
            try database.execute(
                "CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT); INSERT INTO Notes VALUES (1, 'a')"
            )
            try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--open")
            try tool.succeed("backup", "shop", backup, "--data", data)
        }

        func restore() throws -> String { try tool.succeed("restore", "shop", backup, "--data", data).output }

        /// Removes the database and what lies beside it, and puts a text in the place of some.
        func lose(_ text: String, in suffixes: String...) throws {
            for suffix in ["", "-wal", "-shm"] where isThere(database.path + suffix) {
                try FileManager.default.removeItem(atPath: database.path + suffix)
            }
            for suffix in suffixes { try Data(text.utf8).write(to: URL(filePath: database.path + suffix)) }
        }

        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    }

    @Test(
        arguments: zip(
            ["gone", "text", "cut", "empty"],
            [
                "There was no file", "is no SQLite database, or only a part of one",
                "is no SQLite database, or only a part of one", "is empty or not published",
            ]
        )
    )
    func `a restore says what it found where there is no database, what that means, and goes on`(
        loss: String,
        words: String
    ) throws {
        let place = try Place()
        let path = URL(filePath: place.database.path)
        let left: Data? =
            switch loss {
            case "text": Data("no database at all, but long enough".utf8)
            case "cut": try Data(contentsOf: path).prefix(5_000)
            case "empty": Data()
            default: nil
            }
        try FileManager.default.removeItem(at: path)
        try left?.write(to: path)

        let told = try place.restore()
        for text in [words, "nobody knows which keys it gave", "counts as a change of a row that was deleted"] {
            #expect(told.contains(text), "\(told)")
        }
        #expect(told.contains(#""kept":null"#) == (loss == "gone"), "\(told)")
        #expect(place.isThere(place.kept) == (loss != "gone"))
        if loss == "text" || loss == "cut" { #expect(try Data(contentsOf: URL(filePath: place.kept)) == left) }
        #expect(try place.database.texts("SELECT Text FROM Notes") == ["a"])
        try place.database.execute("INSERT INTO Notes (Text) VALUES ('new')")
        #expect(try place.database.texts("SELECT table_name || key FROM tideline_reused") == ["Notes2"])
        // Where the database is one, there is nothing to warn of.
        let again = try place.restore()
        #expect(again.contains(#""warning":null"#), "\(again)")
    }

    @Test func `what lay beside a file that is gone is named, and nothing is kept beside it later`() throws {
        let place = try Place()
        try place.lose("log", in: "-wal", "-shm")
        let told = try place.restore()
        #expect(!told.contains("nothing is kept"), "\(told)")
        #expect(told.contains("what lay beside it is in \(place.kept)-wal, \(place.kept)-shm."), "\(told)")
        #expect(told.contains(#""kept":"\#(place.kept)-wal""#), "\(told)")
        // What is kept of a whole database is one, though the name's log is another's.
        #expect(try place.restore().contains(#""kept":"\#(place.kept)-2""#))
        #expect(try Database(path: place.kept + "-2").texts("SELECT Text FROM Notes") == ["a"])
        // Another loss of this kind goes on, too.
        try place.lose("log", in: "-wal")
        #expect(try place.restore().contains(#""kept":"\#(place.kept)-3-wal""#))
        #expect(try String(contentsOfFile: place.kept + "-wal", encoding: .utf8) == "log")
        #expect(try place.database.texts("SELECT Text FROM Notes") == ["a"])
    }

    @Test func `commands that need a database that is gone name the one that restores it`() throws {
        let place = try Place()
        let other = Database(path: place.folder.file("other.sqlite"))
        try other.execute("CREATE TABLE Notes (Id INTEGER PRIMARY KEY)")
        for file in [other.path, place.folder.file("nothing.sqlite")] {
            let refused = try place.tool.run("restore", "shop", file, "--data", place.data)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("Name a file that tideline backup wrote"), "\(refused)")
        }
        try FileManager.default.removeItem(atPath: place.database.path)
        for command in [
            ["backup", "shop", place.folder.file("new.sqlite")], ["conflict", "list", "shop"], ["compact", "shop"],
        ] {
            let lost = try place.tool.run(arguments: command + ["--data", place.data])
            #expect(lost.status == 1)
            #expect(lost.errors.contains("tideline restore shop BACKUP --data \(place.data)\n"), "\(lost)")
        }
        _ = try place.restore()
        try place.tool.succeed("compact", "shop", "--data", place.data)
    }

    @Test(arguments: ["tideline_capture", "tideline_keys"])
    func `a database that lacks a table of Tideline's is damaged, and the backup is not blamed`(table: String) throws {
        let place = try Place()
        try place.database.execute("DROP TABLE \(table)")
        let told = try place.restore()
        #expect(told.contains("What was there before is damaged"), "\(told)")
        #expect(try place.database.texts("SELECT Text FROM Notes") == ["a"])
    }

    @Test func `where the path is a link the database and what is kept stay in the folder that it leads to`() throws {
        let place = try Place()
        let folder = place.folder.file("volume")
        let target = folder + "/shop.sqlite"
        try place.lose("")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place.database.path, withDestinationPath: target)
        try Data("no database at all, but long enough".utf8).write(to: URL(filePath: target))
        _ = try place.restore()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.database.path) == target)
        #expect(try Database(path: target).texts("SELECT Text FROM Notes") == ["a"])
        #expect(place.isThere(target + ".before-restore") && !place.isThere(place.kept))
    }

    @Test func `a database that lies beside its domain is told of by a path without detours`() throws {
        let place = try Place()
        let domain = place.data + "/domains/shop/domain.yaml"
        let told = try String(contentsOfFile: domain, encoding: .utf8)
        let moved = told.replacing(place.database.path, with: "../../../shop.sqlite")
        #expect(moved != told)
        try moved.write(toFile: domain, atomically: true, encoding: .utf8)
        #expect(try place.restore().contains(#""kept":"\#(place.kept)""#))
        try place.lose("")
        #expect(try place.restore().contains("There was no file \(place.database.path) any more"))
    }

    @Test func `a device does not take a row for the one that was lost with the database`() throws {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        let device = try shop.device("a")
        let backup = shop.folder.file("backup.sqlite")
        try tool.succeed("backup", "shop", backup, "--data", shop.data)
        try device.insert("Customers", #"{"Name":"Lost"}"#)
        try device.sync()
        try device.update("Customers", "4", #"{"City":"waits"}"#)
        try FileManager.default.removeItem(atPath: shop.database.path)
        try tool.succeed("restore", "shop", backup, "--data", shop.data)
        try shop.database.execute("INSERT INTO Customers (Name) VALUES ('Stranger')")
        for _ in 0..<2 { try device.sync() }
        #expect(
            try shop.database.texts("SELECT Name || coalesce(City, '-') FROM Customers WHERE Id > 1000003 ORDER BY Id")
                == ["Stranger-", "Lostwaits"]
        )
        #expect(try shop.database.integer("SELECT count(*) FROM Customers WHERE Id BETWEEN 4 AND 1000003") == 0)
        try device.verify()
    }
}
