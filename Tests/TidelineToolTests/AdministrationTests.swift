// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// What an administrator does while the server runs and devices are ahead of it: whole processes, real files.
@Suite(.serialized)
struct AdministrationTests {
    @Test func `after a restore devices load anew, keep what waits, and agree with the server`() throws {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        let (a, b) = (try shop.device("a"), try shop.device("b"))
        try a.update("Customers", "1", #"{"City":"before"}"#)
        try a.sync()
        let backup = shop.folder.file("backup.sqlite")
        try tool.succeed("backup", "shop", backup, "--data", shop.data)
        #expect(try tool.run("backup", "shop", backup, "--data", shop.data).status != 0)

        try a.update("Customers", "1", #"{"City":"after"}"#)
        try a.insert("Customers", #"{"Name":"Lost"}"#)
        try a.sync()
        try b.sync()
        try a.update("Customers", "2", #"{"City":"waits"}"#)
        try b.update("Customers", "1", #"{"Phone":"999"}"#)
        try tool.succeed("restore", "shop", backup, "--data", shop.data)
        let kept = Database(path: shop.database.path + ".before-restore")
        #expect(try kept.texts("SELECT City FROM Customers WHERE Id = 1") == ["after"])

        for device in [a, b, a] { try device.sync() }
        #expect(
            try shop.database.texts("SELECT Name || ' ' || City || ' ' || Phone FROM Customers ORDER BY Id") == [
                "Ada before 999", "Grace waits 222", "Alan Wilmslow 333",
            ]
        )
        try a.verify()
        try b.verify()
    }

    @Test func `a backup tells its size as a person reads it, and a program as a number`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("films.sqlite"))
        // Of 4,096 bytes a page, 220 for each film and few more: 20 * 220 * 4,096 = 18,022,400.
        try database.execute(
            """
            CREATE TABLE Films (Id INTEGER PRIMARY KEY, Content BLOB NOT NULL);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20)
            INSERT INTO Films SELECT i, zeroblob(900000) FROM n
            """
        )
        let data = folder.file("data")
        let tool = Tool(home: folder.path)
        try tool.succeed("publish", database.path, "--data", data, "--domain", "films", "--open")
        let told = try tool.succeed("backup", "films", folder.file("a.sqlite"), "--data", data, "--json").output
        let bytes = try #require(told.firstMatch(of: /"bytes":(\d+)/).flatMap { Int($0.1) })
        #expect((18_022_400..<18_500_000).contains(bytes))
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["backup", "films", folder.file("b.sqlite"), "--data", data]
        process.environment = Tool.environment(home: folder.path)
        let (shown, status) = try PseudoTerminal().screen(of: process, until: "MB.")
        #expect(status == 0)
        #expect(shown.contains("holds the database of films, 18 MB."), "\(shown)")
    }

    @Test func `unpublishing counts the devices that may have sent something without an answer`() throws {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        for name in ["a", "b"] {
            let device = try shop.device(name)
            try device.update("Customers", "1", #"{"City":"\#(name)"}"#)
            try device.sync()
        }
        #expect(try tool.succeed("device", "list", "shop", "--data", shop.data, "--json").lines.count == 2)
        let told = try tool.succeed("unpublish", "shop", "--data", shop.data, "--json").lines
        try #require(told.count == 1)
        #expect(told[0].contains(#""devices":2"#), "\(told[0])")
    }

    @Test func `a revoked device is told so, keeps what waits, and sends it when it is let in again`() throws {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        let device = try shop.device("a")
        try device.update("Customers", "1", #"{"City":"sent"}"#)
        try device.sync()
        let listed = try tool.succeed("device", "list", "shop", "--data", shop.data, "--json").lines
        try #require(listed.count == 1)
        #expect(listed[0].contains(#""decided":1"#) && listed[0].contains(#""state":"active""#))
        let client = try #require(listed[0].split(separator: "\"").dropFirst(3).first.map(String.init))

        try tool.succeed("device", "revoke", "shop", client, "--data", shop.data)
        // The server sees it within five seconds. A device with nothing to send waits for that: in a sync that sends,
        // the change could be in before the pull is refused.
        var refused = try device.tool.run("sync", device.file)
        for _ in 0..<500 where refused.status == 0 { refused = try device.tool.run("sync", device.file) }
        #expect(refused.errors.contains("This device was revoked"))
        let compared = try device.tool.run("verify", device.file)
        #expect(compared.status == 1 && compared.errors.contains("This device was revoked"), "\(compared)")
        try device.update("Customers", "1", #"{"City":"waits"}"#)
        refused = try device.tool.run("sync", device.file)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("This device was revoked"))
        #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 1") == ["waits"])
        #expect(try device.tool.succeed("status", device.file, "--json").output.contains(#""pending":1"#))

        try tool.succeed("device", "revoke", "shop", client, "--undo", "--data", shop.data)
        var sent = try device.tool.run("sync", device.file)
        for _ in 0..<500 where sent.status != 0 { sent = try device.tool.run("sync", device.file) }
        #expect(sent.status == 0)
        try device.verify()
        #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 1") == ["waits"])
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["waits"])
    }

    @Test func `a damaged database of the users is named where the server does not start`() throws {
        let folder = try TemporaryFolder()
        let data = folder.file("data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        try Data(String(repeating: "no database ", count: 1_000).utf8)
            .write(to: URL(filePath: data + "/control.sqlite"))
        let result = try Tool(home: folder.path).run("serve", "--data", data, "--port", "0")
        #expect(result.status == 1)
        #expect(result.errors.contains("  \(data)/control.sqlite: The file is not an SQLite database.\n"), "\(result)")
    }

    @Test func `what a write without a version replaced is listed, shown and restored, and devices receive it`() throws
    {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        let device = try shop.device("a")
        #expect(try tool.succeed("conflict", "list", "shop", "--data", shop.data, "--json").lines == [])
        #expect(try tool.run("conflict", "show", "shop", "1", "--data", shop.data).status != 0)
        let patched = try tool.run(
            "-sS",
            "-f",
            "-g",
            "-X",
            "PATCH",
            "-H",
            "Content-Type: application/json",
            "-d",
            #"{"City":"Paris"}"#,
            shop.service + "Customers(1)",
            executable: "/usr/bin/curl"
        )
        #expect(patched.status == 0)
        let listed = try tool.succeed("conflict", "list", "shop", "--data", shop.data, "--json").lines
        try #require(listed.count == 1)
        #expect(listed[0].contains(#""kind":"unseen""#) && listed[0].contains(#""lost":{"City":"London"}"#))
        let shown = try tool.succeed("conflict", "show", "shop", "1", "--data", shop.data, "--json").output
        #expect(shown.contains(#""won":{"City":"Paris"}"#) && shown.contains(#""state":"kept""#))
        try device.sync()
        #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 1") == ["Paris"])

        try tool.succeed("conflict", "restore", "shop", "1", "--data", shop.data)
        try device.sync()
        #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 1") == ["London"])
        let after = try tool.succeed("conflict", "list", "shop", "--data", shop.data, "--json").lines
        try #require(after.count == 2)
        #expect(after[0].contains(#""lost":{"City":"Paris"}"#) && after[1].contains(#""state":"restored""#))
    }
}
