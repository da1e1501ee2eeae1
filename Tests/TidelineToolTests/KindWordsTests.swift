// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What the tool says: help that is shown as it is written, and answers to wrong turns.
@Suite(.serialized)
struct KindWordsTests {
    /// A command with those below it, as the tool writes them for other tools.
    private struct Commands: Decodable {
        struct Command: Decodable {
            let commandName: String
            let subcommands: [Command]?

            /// The words that call this command and each below it.
            var calls: [[String]] {
                let below = (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.calls)
                return [[commandName]] + below.map { [commandName] + $0 }
            }
        }
        let command: Command
    }

    @Test func `no line of a help's explanation is broken by a terminal of 80 columns`() throws {
        let folder = try TemporaryFolder()
        let dumped = try Tool(home: folder.path).run(arguments: ["--experimental-dump-help"])
        let calls = try JSONDecoder().decode(Commands.self, from: Data(dumped.output.utf8)).command.calls
        #expect(
            calls.contains(["tideline", "move"]) && calls.contains(["tideline", "briefcase", "export"]),
            "\(calls)"
        )
        for call in calls {
            try expectUnbroken(command: Array(call.dropFirst()), folder: folder)
        }
    }

    private func expectUnbroken(command: [String], folder: TemporaryFolder) throws {
        let narrow = try Tool(home: folder.path, environment: ["COLUMNS": "80"]).run(arguments: command + ["--help"])
        let broad = try Tool(home: folder.path, environment: ["COLUMNS": "200"]).run(arguments: command + ["--help"])
        let explanation = { (text: String) -> String in
            let paragraphs = text.components(separatedBy: "\nUSAGE:")[0].components(separatedBy: "\n\n")
            return paragraphs.dropFirst().joined(separator: "\n")
        }
        #expect(broad.output.contains("USAGE:"))
        #expect(explanation(narrow.output) == explanation(broad.output), "\(command)")
        #expect(explanation(broad.output).split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command)")
    }

    @Test func `a table to leave out that is not there stops publishing, for another one was meant`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute("CREATE TABLE Wages (Id INTEGER PRIMARY KEY); CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let tool = Tool(home: folder.path)
        let data = folder.file("data")
        let wrong = try tool.run(
            arguments: ["publish", database.path, "--data", data, "--domain", "shop", "--open", "--skip", "Wage"]
        )
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("Wage is to be left out, but there is no such table."), "\(wrong)")
        #expect(!FileManager.default.fileExists(atPath: data + "/domains/shop"))
        try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--open", "--skip", "Wages")
    }

    @Test func `a user's identifier is shown as the GUID that it is`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let tool = Tool(home: folder.path)
        let data = folder.file("data")
        try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--open")
        let added = try tool.succeed(
            "user",
            "add",
            "shop",
            "ada",
            "--data",
            data,
            "--password-stdin",
            input: "tide-and-time-1\n"
        )
        let identifier = try #require(
            added.output.firstMatch(of: /"id":"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/)?.output.0,
            "\(added)"
        )
        let list = try tool.succeed("user", "list", "shop", "--data", data)
        #expect(list.output.contains(identifier))
        let change = ["user", "password", "shop", "ada", "--data", data, "--password-stdin"]
        let active = try tool.run(arguments: change, input: "tide-and-time-2\n")
        #expect(active.output == #"{"domain":"shop","name":"ada","state":"active"}"# + "\n", "\(active)")
        try tool.succeed("user", "disable", "shop", "ada", "--data", data)
        let disabled = try tool.run(arguments: change, input: "tide-and-time-3\n")
        #expect(disabled.output == #"{"domain":"shop","name":"ada","state":"disabled"}"# + "\n", "\(disabled)")
    }

    @Test func `a user is changed and removed, and the wrong turns there say what to do`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let tool = Tool(home: folder.path)
        let data = folder.file("data")
        try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--open")
        func user(_ arguments: String...) throws -> ProcessResult {
            try tool.run(arguments: ["user"] + arguments + ["--data", data], input: "tide-and-time-1\n")
        }
        let added = try user("add", "shop", "ada", "--id", "7", "--role", "seller", "--password-stdin")
        #expect(added.status == 0, "\(added)")
        let changed = try user(
            "change",
            "shop",
            "ada",
            "--attribute",
            "Team=1",
            "--attribute",
            "Team=b",
            "--role",
            "clerk"
        )
        let seen = #""name":"ada","id":7,"roles":["clerk"],"attributes":{"Team":[1,"b"]}"#
        #expect(changed.output == #"{"domain":"shop",\#(seen)}"# + "\n", "\(changed)")
        #expect(try user("list", "shop").output == #"{\#(seen),"state":"active"}"# + "\n")
        let bare = try user("change", "shop", "ada", "--no-roles", "--no-attribute", "Team")
        #expect(bare.output.contains(#""roles":[],"attributes":{}"#), "\(bare)")
        for (arguments, message) in [
            (["change", "shop", "ada"], "Say what changes: --role, --no-roles, --attribute or --no-attribute."),
            (["change", "shop", "ada", "--role", "a", "--no-roles"], "--role and --no-roles do not go together."),
            (["change", "shop", "ada", "--attribute", "=1"], "--attribute =1 is not NAME=VALUE."),
            (
                ["change", "shop", "ada", "--attribute", "A=1", "--no-attribute", "A"],
                "The attribute A is both given and taken away."
            ),
            (["change", "shop", "bob", "--no-roles"], "The domain shop has no user bob."),
            (["remove", "shop", "bob"], "The domain shop has no user bob."),
        ] {
            let refused = try tool.run(arguments: ["user"] + arguments + ["--data", data])
            #expect(refused.status != 0)
            #expect(refused.errors.contains(message), "\(refused)")
        }
        #expect(try user("remove", "shop", "ada").output == #"{"domain":"shop","name":"ada","state":"removed"}"# + "\n")
        #expect(try user("list", "shop").output == "")
    }

    @Test func `a clone into a folder that is not there says so`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool(home: folder.path)
            .run("clone", "http://127.0.0.1:9/odata/shop/", folder.file("nowhere/shop.tideline"))
        #expect(result.status == 1)
        #expect(result.errors.contains("There is no folder \(folder.path)/nowhere."), "\(result)")
    }

    @Test func `a server that cannot listen under a name says so`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool(home: folder.path)
            .run("serve", "--data", folder.file("data"), "--host", "no-such-host.invalid", "--port", "0")
        #expect(result.status == 1)
        #expect(result.errors.contains("no-such-host.invalid is no address or name of this machine."), "\(result)")
        #expect(!result.errors.contains("SocketAddressError"))
    }
}
