// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A database that is published again: what was decided about it the first time stays decided.
@Suite(.serialized)
struct PublishingAgainTests {
    private let folder: TemporaryFolder
    private let database: Database
    private let tool: Tool
    private var data: String { folder.file("data") }
    private var file: String { data + "/domains/shop/domain.yaml" }

    init() throws {
        folder = try TemporaryFolder()
        database = Database(path: folder.file("shop.sqlite"))
        try database.execute(
            """
            CREATE TABLE staff (id INTEGER PRIMARY KEY, login TEXT NOT NULL, hash TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, code TEXT, total REAL);
            CREATE VIEW totals AS SELECT 1 AS id, sum(total) AS total FROM orders;
            """
        )
        tool = Tool(home: folder.path)
    }

    private func publish(_ options: String...) throws -> ProcessResult {
        try tool.run(arguments: ["publish", database.path, "--data", data, "--domain", "shop", "--open"] + options)
    }

    /// The sets and their properties that the model of the domain's file has, `orders: id code total`.
    private func model() throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").reduce(into: []) { sets, line in
            if let set = line.firstMatch(of: /^  - name: (\w+)$/) { sets.append("\(set.1):") }
            if let property = line.firstMatch(of: /^      - {name: (\w+),/) { sets[sets.count - 1] += " \(property.1)" }
        }
    }

    @Test func `what was left out, keys and guesses stay, whatever else is asked for`() throws {
        #expect(try publish("--skip", "staff.hash", "--key", "totals=id", "--guess", "complex").status == 0)
        #expect(try model() == ["orders: id code total", "staff: id login", "totals: id total"])
        let again = try publish("--skip", "orders.code")
        #expect(again.status == 0, "\(again)")
        #expect(try model() == ["orders: id total", "staff: id login", "totals: id total"])
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            text.contains(
                """
                publishing:
                  skip: [orders.code, staff.hash]
                  keys: {totals: [id]}
                  guess: [complex]

                """
            ),
            "\(text)"
        )
    }

    @Test func `a column that was left out, dropped and comes back is left out again`() throws {
        #expect(try publish("--skip", "orders.code").status == 0)
        try database.execute("DROP VIEW totals; ALTER TABLE orders DROP COLUMN code")
        let without = try publish()
        #expect(without.status == 0 && !without.output.contains("no such column"), "\(without)")
        #expect(
            without.output.contains("orders.code stands under publishing in the domain's file, and is not there."),
            "\(without)"
        )
        try database.execute("ALTER TABLE orders ADD COLUMN code TEXT")
        #expect(try publish().status == 0)
        #expect(try model() == ["orders: id total", "staff: id login hash"])
        // Named now, it has to be there.
        let wrong = try publish("--skip", "orders.cod")
        #expect(wrong.errors.contains("orders.cod is to be left out, but there is no such column."), "\(wrong)")
    }

    @Test func `what is included again is named, and so is what is new in the model`() throws {
        #expect(try publish("--skip", "staff.hash").status == 0)
        try database.execute("ALTER TABLE orders ADD COLUMN note TEXT; CREATE TABLE tags (id INTEGER PRIMARY KEY)")
        let more = try publish("--include", "staff.hash")
        for name in ["staff.hash", "orders.note", "tags"] {
            #expect(more.output.contains(#""message":"\#(name) is new in the model.""#), "\(more)")
        }
        #expect(try model() == ["orders: id code total note", "staff: id login hash", "tags: id"])
        #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("publishing:"))
        let both = try publish("--include", "staff.hash", "--skip", "staff.hash")
        #expect(both.errors.contains("staff.hash is both left out and included."), "\(both)")
        let wrong = try publish("--include", "staff.hash")
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("staff.hash is not left out of shop."), "\(wrong)")
    }

    @Test func `a backup of a database that is published no more is not written`() throws {
        #expect(try publish().status == 0)
        let copy = folder.file("copy.sqlite")
        try tool.succeed("backup", "shop", copy, "--data", data)
        for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + name) }
        try database.execute("CREATE TABLE staff (id INTEGER PRIMARY KEY)")
        let refused = try tool.run("backup", "shop", folder.file("other.sqlite"), "--data", data)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("The database is not published."), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("other.sqlite")))
    }

    @Test func `bytes that are no text are no password`() throws {
        #expect(try publish().status == 0)
        let command =
            "printf '\\344\\366\\374\\337\\351\\350\\340\\347\\n' | \"$0\" user add shop ada --data \"$1\" --password-stdin"
        let refused = try tool.run(arguments: ["-c", command, Tool.binary, data], executable: "/bin/sh")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("The password is not text in UTF-8."), "\(refused)")
        #expect(try tool.succeed("user", "list", "shop", "--data", data).output == "")
        let added = try tool.run(
            "user",
            "add",
            "shop",
            "jörg",
            "--data",
            data,
            "--password-stdin",
            input: "Flut-und-Ebbe-ö\r\nmore\n"
        )
        #expect(added.status == 0, "\(added)")
    }
}
