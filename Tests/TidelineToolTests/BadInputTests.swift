// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Bad input gets a clear error on standard error and changes nothing.
@Suite(.serialized)
struct BadInputTests {
    /// Expects a failure with one sentence that a person can use, and no trace of the program's inside.
    private func expectRefusal(
        _ result: ProcessResult,
        mentioning words: String...,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status != 0, "\(result)", sourceLocation: location)
        #expect(result.status < 128, "ended by a signal: \(result)", sourceLocation: location)
        #expect(result.output.isEmpty, "\(result)", sourceLocation: location)
        for word in words {
            #expect(
                result.errors.localizedCaseInsensitiveContains(word),
                "‘\(word)’ is not said in:\n\(result.errors)",
                sourceLocation: location
            )
        }
        for inside in ["Fatal error", ".swift", "StorageError", "LocalStoreError", "ODataError", "GRDB"] {
            #expect(!result.errors.contains(inside), "\(result.errors)", sourceLocation: location)
        }
    }

    @Test func `a simulation refuses what it would not heed`() throws {
        let tool = Tool(home: NSTemporaryDirectory())
        expectRefusal(try tool.run("simulate", "--small", "--ledger", "small.json"), mentioning: "takes no ledger")
        expectRefusal(try tool.run("simulate", "--small", "--seeds", "5"), mentioning: "takes no seeds")
        expectRefusal(
            try tool.run("simulate", "--seed", "5", "--ledger", "one.json"),
            mentioning: "--seeds or --minutes"
        )
    }

    @Test(arguments: [["--seeds", "1"], ["--disk", "--scenario", "push"]])
    func `a ledger that is none, or has no place, is told by its name before anything is run`(runs: [String]) throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let (other, nowhere) = (folder.file("other.json"), folder.file("nowhere/new.json"))
        try Data(#"{"name":"nothing"}"#.utf8).write(to: URL(filePath: other))
        for (path, words) in [
            (other, "\(other) is no ledger"), (nowhere, "There is no folder \(folder.path)/nowhere."),
            (folder.path, "is a folder."),
        ] {
            let refused = try tool.run(arguments: ["simulate"] + runs + ["--ledger", path])
            expectRefusal(refused, mentioning: words, "name")
            #expect(!refused.errors.contains("Domain=") && !refused.errors.contains("DecodingError"), "\(refused)")
        }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == #"{"name":"nothing"}"#)
    }

    @Test func `a device refuses wrong types, unknown properties, unknown sets and malformed JSON`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        let tool = device.tool
        expectRefusal(try tool.run("insert", device.file, "Customers", #"{"Name":5}"#), mentioning: "Name")
        expectRefusal(try tool.run("insert", device.file, "Customers", #"{"Nmae":"x"}"#), mentioning: "Nmae")
        expectRefusal(try tool.run("insert", device.file, "Customers", #"{"City":"x"}"#), mentioning: "Name")
        expectRefusal(try tool.run("insert", device.file, "Kustomers", #"{"Name":"x"}"#), mentioning: "Kustomers")
        expectRefusal(try tool.run("insert", device.file, "Customers", #"{"Name":"x""#), mentioning: "JSON")
        expectRefusal(try tool.run("update", device.file, "Customers", "99", #"{"City":"x"}"#), mentioning: "99")
        expectRefusal(try tool.run("update", device.file, "Customers", "'abc'", #"{"City":"x"}"#), mentioning: "key")
        expectRefusal(try tool.run("insert", device.file, "Orders", #"{"CustomerId":99}"#), mentioning: "Customer")
        expectRefusal(
            try tool.run("insert", device.file, "Seats", #"{"Code":"Z","Number":1}"#),
            mentioning: "Number"
        )
        expectRefusal(try tool.run("query", device.file, "Customers?$filter=Name eq"), mentioning: "filter")
        expectRefusal(try tool.run("query", device.file, "Customers?$filter=Nmae eq 'x'"), mentioning: "Nmae")
        expectRefusal(try tool.run("query", device.file, "Customers?$count=true"), mentioning: "Set/$count?$filter=…")
        expectRefusal(try tool.run("query", device.file, "Customers?$format=json"), mentioning: "--json")
        expectRefusal(try tool.run("query", device.file, "Customers?fliter=Name eq 'Ada'"), mentioning: "fliter")
        expectRefusal(try tool.run("query", device.file, "Customers?$expand=Orders($count=true)"), mentioning: "$count")
        #expect(try device.values(of: "Name", in: "Customers?$orderby=Name") == ["Ada", "Alan", "Grace"])
        try device.verify()
    }

    @Test func `a corrupt, a foreign and a missing store file are named as such`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let corrupt = folder.file("corrupt.store")
        try Data(repeating: 0x5A, count: 8192).write(to: URL(filePath: corrupt))
        expectRefusal(try tool.run("status", corrupt), mentioning: "corrupt.store")
        #expect(try Data(contentsOf: URL(filePath: corrupt)) == Data(repeating: 0x5A, count: 8192))
        let foreign = Database(path: folder.file("foreign.sqlite"))
        try foreign.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        expectRefusal(try tool.run("sync", foreign.path), mentioning: "foreign.sqlite")
        #expect(try foreign.texts("SELECT name FROM sqlite_schema") == ["t"])
        expectRefusal(try tool.run("status", folder.file("missing.store")), mentioning: "missing.store")
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing.store")))
    }

    @Test func `a table without a key is refused by name and the database is as it was`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("plain.sqlite"))
        try database.execute("CREATE TABLE Good (Id INTEGER PRIMARY KEY); CREATE TABLE Keyless (a TEXT)")
        let before = try database.texts("SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY name")
        let tool = Tool(home: folder.path)
        expectRefusal(
            try tool.run(
                "publish",
                "sqlite:" + database.path,
                "--data",
                folder.file("data"),
                "--domain",
                "d",
                "--open"
            ),
            mentioning: "Keyless",
            "key"
        )
        #expect(try database.texts("SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY name") == before)
        #expect(!FileManager.default.fileExists(atPath: folder.file("data")))
    }

    @Test func `publishing without open or policies is refused with an example, and unpublish leaves no trace`() throws
    {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute(Shop.tables)
        let schema = "SELECT coalesce(name, '') || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
        let before = try database.texts(schema)
        let tool = Tool(home: folder.path)
        let data = folder.file("data")
        expectRefusal(
            try tool.run("publish", "sqlite:" + database.path, "--data", data, "--domain", "shop"),
            mentioning: "--open",
            "@me"
        )
        #expect(try database.texts(schema) == before)
        try tool.succeed("publish", "sqlite:" + database.path, "--data", data, "--domain", "shop", "--open")
        #expect(try database.texts(schema) != before)
        try tool.succeed("unpublish", "shop", "--data", data)
        #expect(try database.texts(schema) == before)
        #expect(!FileManager.default.fileExists(atPath: data + "/domains/shop/domain.yaml"))
    }

    @Test func `the store of a device is published by nobody`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        let data = shop.folder.file("other")
        expectRefusal(
            try device.tool.run("publish", device.file, "--domain", "copy", "--data", data, "--open"),
            mentioning: "the store of a device",
            "tideline help create"
        )
        #expect(!FileManager.default.fileExists(atPath: data + "/domains/copy/domain.yaml"))
        try device.verify()
    }

    @Test func `an address of https where the service has no TLS is said so`() throws {
        let shop = try Shop()
        let file = shop.folder.file("secure.store")
        expectRefusal(
            try Tool(home: shop.folder.path).run("clone", shop.service.replacing("http://", with: "https://"), file),
            mentioning: "does not answer in TLS",
            "has http:// before its name"
        )
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `a backup that is older than a column is refused with what to do, and that helps`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        let (data, backup) = (folder.file("data"), Database(path: folder.file("backup.sqlite")))
        try database.execute(
            "CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT); INSERT INTO Notes VALUES (1, 'a')"
        )
        let publish = ["publish", database.path, "--data", data, "--domain", "shop", "--open"]
        #expect(try tool.run(arguments: publish).status == 0)
        try tool.succeed("backup", "shop", backup.path, "--data", data)
        try database.execute("ALTER TABLE Notes ADD COLUMN Colour TEXT; UPDATE Notes SET Text = 'b'")
        #expect(try tool.run(arguments: publish).status == 0)
        expectRefusal(
            try tool.run("restore", "shop", backup.path, "--data", data),
            mentioning: "no table Notes with the column Colour",
            "make it in a copy of the backup"
        )
        #expect(try database.texts("SELECT Text FROM Notes") == ["b"])
        try backup.execute("ALTER TABLE Notes ADD COLUMN Colour TEXT")
        try tool.succeed("restore", "shop", backup.path, "--data", data)
        #expect(try database.texts("SELECT Text || coalesce(Colour, '-') FROM Notes") == ["a-"])
    }

    @Test func `a backup that is older than a table is refused with what to do, and that helps`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        let (data, backup) = (folder.file("data"), Database(path: folder.file("backup.sqlite")))
        try database.execute(
            "CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT); INSERT INTO Notes VALUES (1, 'a')"
        )
        let publish = ["publish", database.path, "--data", data, "--domain", "shop", "--open"]
        #expect(try tool.run(arguments: publish).status == 0)
        try tool.succeed("backup", "shop", backup.path, "--data", data)
        try database.execute("CREATE TABLE Tags (Id INTEGER PRIMARY KEY, Word TEXT); UPDATE Notes SET Text = 'b'")
        #expect(try tool.run(arguments: publish).status == 0)
        let refused = try tool.run("restore", "shop", backup.path, "--data", data)
        expectRefusal(refused, mentioning: "has no table Tags.", "CREATE TABLE", "--skip TABLE", "as it was")
        #expect(!refused.errors.contains("column") && !refused.errors.contains("COLUMN"), "\(refused)")
        #expect(try database.texts("SELECT Text FROM Notes") == ["b"])
        try backup.execute("CREATE TABLE Tags (Id INTEGER PRIMARY KEY, Word TEXT)")
        try tool.succeed("restore", "shop", backup.path, "--data", data)
        #expect(try tool.run(arguments: publish).status == 0)
        #expect(try database.texts("SELECT Text FROM Notes") == ["a"])
        try database.execute("INSERT INTO Tags VALUES (7, 'new')")
        #expect(
            try database.texts("SELECT set_name || operation FROM tideline_log WHERE set_name = 'Tags'") == ["TagsI"]
        )
    }

    @Test func `a database that was restored is said to be, where the domain's file cannot be written`() throws {
        let folder = try TemporaryFolder()
        let tool = Tool(home: folder.path)
        let database = Database(path: folder.file("shop.sqlite"))
        let (data, backup) = (folder.file("data"), folder.file("backup.sqlite"))
        try database.execute(
            "CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT); INSERT INTO Notes VALUES (1, 'a')"
        )
        try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--open")
        try tool.succeed("backup", "shop", backup, "--data", data)
        try database.execute("UPDATE Notes SET Text = 'b'")
        // Larger than a file may become below; the database is smaller.
        let own = data + "/domains/shop/domain.yaml"
        let comments = String(repeating: "# " + String(repeating: "x", count: 1_000) + "\n", count: 2_000)
        let text = try String(contentsOfFile: own, encoding: .utf8) + comments
        try Data(text.utf8).write(to: URL(filePath: own))
        let command = #"trap '' XFSZ; ulimit -f 1024; exec "$0" restore shop "$1" --data "$2""#
        let result = try tool.run(
            arguments: ["-c", command, Tool.binary, backup, data],
            executable: "/bin/bash"
        )
        expectRefusal(
            result,
            mentioning: "The database of shop is that of \(backup)",
            "the domain's file could not be written",
            "Start the server again",
            "shop.sqlite.before-restore"
        )
        #expect(!result.errors.contains("as it was"), "\(result)")
        #expect(try database.texts("SELECT Text FROM Notes") == ["a"])
        #expect(try Database(path: database.path + ".before-restore").texts("SELECT Text FROM Notes") == ["b"])
        #expect(try String(contentsOfFile: own, encoding: .utf8) == text)
    }

    @Test func `a port in use is said in a sentence`() throws {
        let shop = try Shop()
        let result = try Tool(home: shop.folder.path)
            .run("serve", "--data", shop.folder.file("other"), "--port", "\(shop.server.port)")
        #expect(result.status != 0)
        #expect(result.errors.contains("\(shop.server.port)"), "\(result)")
    }

    @Test func `the demo refuses every address but loopback`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool(home: folder.path)
            .run("serve", "--demo", "--data", folder.file("data"), "--host", "0.0.0.0", "--port", "0")
        expectRefusal(result, mentioning: "loopback")
    }

    @Test func `a disk that is full fails a write cleanly and the store is as it was`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        let long = String(repeating: "x", count: 4_000_000)
        let command = #"trap '' XFSZ; ulimit -f 1024; exec "$0" insert "$1" Customers -"#
        let result = try device.tool.run(
            arguments: ["-c", command, Tool.binary, device.file],
            input: #"{"Name":"\#(long)"}"#,
            executable: "/bin/bash"
        )
        #expect(result.status != 0 && result.status < 128, "\(result)")
        #expect(!result.errors.isEmpty)
        #expect(try device.values(of: "Name", in: "Customers?$orderby=Name") == ["Ada", "Alan", "Grace"])
        try device.insert("Customers", #"{"Name":"Edsger"}"#)
        try device.sync()
        try device.verify()
    }
}
