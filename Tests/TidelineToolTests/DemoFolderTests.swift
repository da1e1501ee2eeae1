// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The demo's folder with a half missing: a database or a domain's file that somebody deleted.
@Suite(.serialized)
struct DemoFolderTests {
    private static let domains = ["pctrade", "sixbookmarks", "fishing"]

    @Test func `a deleted database of the demo is named at the start, with what to do, and what is to do helps`() throws
    {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        try #require(try ServerProcess(data: data, arguments: ["--demo"]).stop() == 0)
        let tool = Tool(home: folder.path)
        for name in Self.domains {
            let database = "\(data)/demo/\(name).sqlite"
            try FileManager.default.moveItem(atPath: database, toPath: database + ".aside")
            let result = try serve(tool, data)
            #expect(result.status == 1)
            #expect(
                result.errors.contains("The database of the demo's domain \(name) is missing: \(database)."),
                "\(result)"
            )
            #expect(result.errors.contains("tideline unpublish \(name) --data \(data) --forget\n"), "\(result)")
            #expect(!FileManager.default.fileExists(atPath: database))
            try FileManager.default.moveItem(atPath: database + ".aside", toPath: database)
        }
        try FileManager.default.removeItem(atPath: "\(data)/demo/fishing.sqlite")
        try tool.succeed("unpublish", "fishing", "--data", data, "--forget")
        let server = try ServerProcess(data: data, arguments: ["--demo"])
        let spots = Database(path: "\(data)/demo/fishing.sqlite")
        #expect(try spots.integer("SELECT count(*) FROM FishingSpots") == 12)
        #expect(server.stop() == 0)
    }

    @Test func `a deleted file of a domain is made anew, and its devices go on where they were`() throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        let first = try ServerProcess(data: data, arguments: ["--demo"])
        let (a, b) = (
            try Device("a", of: first.address + "/odata/pctrade/", in: folder),
            try Device("b", of: first.address + "/odata/pctrade/", in: folder)
        )
        try a.insert("Workers", #"{"LastName":"Lovelace","FirstName":"Ada","Position":"Analyst"}"#)
        try a.sync()
        try b.update("Workers", "1", #"{"Position":"Director"}"#)
        #expect(first.stop() == 0)
        let file = "\(data)/domains/pctrade/domain.yaml"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        try FileManager.default.removeItem(atPath: file)

        let second = try ServerProcess(data: data, arguments: ["--demo"], port: first.port)
        #expect(second.output.contains("\(file) was missing and was made anew"), "\(second.output)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        for device in [b, a, b] { try device.sync() }
        for device in [a, b] {
            try device.verify()
            #expect(try device.values(of: "Position", in: "Workers?$filter=WorkerId eq 1") == ["Director"])
            #expect(try device.values(of: "FirstName", in: "Workers?$filter=LastName eq 'Lovelace'") == ["Ada"])
        }
        #expect(second.stop() == 0)
        let third = try ServerProcess(data: data, arguments: ["--demo"])
        #expect(!third.output.contains("missing"))
    }

    @Test
    func `both halves of a domain deleted are made as on the first day, without what a deleted one left beside it`()
        throws
    {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        let first = try ServerProcess(data: data, arguments: ["--demo"])
        let device = try Device("a", of: first.address + "/odata/pctrade/", in: folder)
        try device.insert("Workers", #"{"LastName":"Lovelace","FirstName":"Ada","Position":"Analyst"}"#)
        try device.sync()
        // Killed, it leaves its write-ahead log beside the database.
        first.kill()
        try #require(FileManager.default.fileExists(atPath: "\(data)/demo/pctrade.sqlite-wal"))
        try FileManager.default.removeItem(atPath: "\(data)/demo/pctrade.sqlite")
        try FileManager.default.removeItem(atPath: "\(data)/domains/pctrade/domain.yaml")

        let second = try ServerProcess(data: data, arguments: ["--demo"])
        let workers = Database(path: "\(data)/demo/pctrade.sqlite")
        #expect(try workers.integer("SELECT count(*) FROM Workers") == 8)
        #expect(try workers.texts("PRAGMA integrity_check") == ["ok"])
        #expect(second.stop() == 0)
    }

    @Test func `a database of the demo that another domain holds by now is left to it`() throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        try #require(try ServerProcess(data: data, arguments: ["--demo"]).stop() == 0)
        let tool = Tool(home: folder.path)
        let database = "\(data)/demo/pctrade.sqlite"
        try tool.succeed("unpublish", "pctrade", "--data", data)
        try tool.succeed("publish", "sqlite:" + database, "--data", data, "--domain", "shop", "--open")
        let result = try serve(tool, data)
        #expect(result.status == 1)
        #expect(
            result.errors.contains(
                "The demo's domain pctrade is missing, and its database \(database) is that of the domain shop now."
            ),
            "\(result)"
        )
        #expect(result.errors.contains("Serve without --demo"))
    }

    @Test func `a database of the demo that is none is named`() throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        try FileManager.default.createDirectory(atPath: data + "/demo", withIntermediateDirectories: true)
        try Data("This is a letter and no database, and long enough to be looked at.\n".utf8)
            .write(to: URL(filePath: data + "/demo/pctrade.sqlite"))
        let result = try serve(Tool(home: folder.path), data)
        #expect(result.status == 1)
        #expect(
            result.errors.contains("The demo's domain pctrade cannot be made from \(data)/demo/pctrade.sqlite."),
            "\(result)"
        )
    }

    private func serve(_ tool: Tool, _ data: String) throws -> ProcessResult {
        try tool.run("serve", "--data", data, "--demo", "--port", "0")
    }
}
