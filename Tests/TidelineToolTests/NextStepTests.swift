// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// What a device's commands advise: it fits, and can be copied into a shell.
@Suite(.serialized)
struct NextStepTests {
    /// What a command shows at a terminal, without colours.
    private func screen(_ tool: Tool, _ arguments: [String], until last: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = arguments
        process.environment = Tool.environment(home: tool.home, adding: ["NO_COLOR": "1"])
        let (shown, status) = try PseudoTerminal().screen(of: process, until: last)
        #expect(status == 0 && shown.contains(last), "‘\(last)’ is not in:\n\(shown)")
        return shown
    }

    /// Runs a command that may not write what is not its to write: root may, unless that is taken from it.
    private func runUnprivileged(_ tool: Tool, _ arguments: [String]) throws -> ProcessResult {
        guard geteuid() == 0 else { return try tool.run(arguments: arguments) }
        return try tool.run(
            arguments: ["--bounding-set=-dac_override", Tool.binary] + arguments,
            executable: "/usr/bin/setpriv"
        )
    }

    private func permit(_ permissions: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a command that is advised is quoted where the name of the file has a blank`() throws {
        let shop = try Shop()
        let tool = Tool(home: shop.folder.path)
        let file = shop.folder.file("bob file.tideline")
        let missing = try tool.run("status", file)
        #expect(missing.errors.contains("tideline clone URL '\(file)'\n"), "\(missing)")
        _ = try screen(
            tool,
            ["clone", shop.service, file],
            until: "See some: tideline query '\(file)' 'Customers?$top=5'\r\n"
        )
        // A conflict and a refusal.
        try tool.succeed("update", file, "Customers", "1", #"{"City":"Paris"}"#)
        try tool.succeed("insert", file, "Seats", #"{"Code":"D","Number":9}"#)
        try shop.database.execute(
            "UPDATE Customers SET City = 'Rome' WHERE Id = 1; INSERT INTO Seats VALUES ('E', 9, NULL)"
        )
        let refused = "See what was refused: tideline quarantine '\(file)'\r\n"
        let synced = try screen(tool, ["sync", file], until: refused)
        #expect(synced.contains("See what lost: tideline conflicts '\(file)'\r\n"), "\(synced)")
        let status = try screen(tool, ["status", file], until: "Retry or discard: tideline quarantine '\(file)'\r\n")
        #expect(status.contains("See what lost: tideline conflicts '\(file)'\r\n"), "\(status)")
        _ = try screen(
            tool,
            ["quarantine", file, "retry", "1"],
            until: "1 transaction (1) is sent again with the next sync: tideline sync '\(file)'\r\n"
        )
        try tool.succeed("sync", file)
        _ = try screen(tool, ["quarantine", file, "discard", "2"], until: "1 transaction (2) is given up.")
    }

    @Test func `a retry says which entries it sends again`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        try device.insert("Seats", #"{"Code":"D","Number":9}"#)
        try shop.database.execute("INSERT INTO Seats VALUES ('E', 9, NULL)")
        try device.sync()
        try device.update("Seats", "'D'", #"{"Holder":"Ada"}"#)
        #expect(try device.tool.succeed("quarantine", device.file, "--json").lines.count == 2)
        let retried = try device.tool.succeed("quarantine", device.file, "retry", "1", "--json")
        #expect(retried.output == #"{"retry":1,"released":[1,2],"conflicts":0}"# + "\n")
    }

    @Test(.timeLimit(.minutes(2)))
    func `a change that a person is asked about is decided by another command than one that was refused`() throws {
        let shop = try Shop()
        let domain = shop.data + "/domains/shop/domain.yaml"
        let text = try String(contentsOfFile: domain, encoding: .utf8)
        let asking = text.replacing("{name: City, ", with: "{name: City, conflict: ask, ")
        #expect(asking != text)
        #expect(shop.server.stop() == 0)
        try asking.write(toFile: domain, atomically: true, encoding: .utf8)
        let server = try ServerProcess(data: shop.data)
        let device = try Device("a", of: server.address + "/odata/shop/", in: shop.folder)
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        try shop.database.execute("UPDATE Customers SET City = 'Rome' WHERE Id = 1")
        let decide = "Decide what counts: tideline conflicts \(device.file) mine|theirs 1\r\n"
        let synced = try screen(device.tool, ["sync", device.file], until: decide)
        #expect(!synced.contains("tideline quarantine"), "\(synced)")
        let status = try screen(device.tool, ["status", device.file], until: decide)
        #expect(!status.contains("tideline quarantine"), "\(status)")
        try device.tool.succeed("conflicts", device.file, "mine", "1")
        try device.sync()
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
    }

    @Test(.timeLimit(.minutes(2)))
    func `a conflict that is restored says what is done again, by what had lost`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        func restore(until last: String) throws {
            let listed = try device.tool.succeed("conflicts", device.file, "--json")
            let entry = try #require(listed.lines.first, "\(listed)")
            let fields = try JSONDecoder().decode([String: JSON].self, from: Data(entry.utf8))
            guard case .number(let id)? = fields["id"] else {
                Issue.record("\(entry)")
                return
            }
            _ = try screen(device.tool, ["conflicts", device.file, "restore", "\(Int(id))"], until: last + "\r\n")
        }
        try device.delete("Customers", "3")
        try shop.database.execute("UPDATE Customers SET City = 'Ely' WHERE Id = 3")
        try device.sync()
        #expect(try device.values(of: "City", in: "Customers?$filter=Id eq 3") == ["Ely"])
        try restore(until: "Customers(3) is deleted again; the next sync sends it.")
        try device.sync()
        #expect(try shop.database.texts("SELECT Name FROM Customers ORDER BY Id") == ["Ada", "Grace"])
        try device.update("Customers", "1", #"{"City":"Paris"}"#)
        try shop.database.execute("UPDATE Customers SET City = 'Rome' WHERE Id = 1")
        try device.sync()
        try restore(until: "The values of Customers(1) are restored; the next sync sends them.")
        try device.sync()
        #expect(try shop.database.texts("SELECT City FROM Customers WHERE Id = 1") == ["Paris"])
    }

    @Test(.timeLimit(.minutes(2)))
    func `an update to what is there already, or to nothing, says that nothing was to be changed`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        for changes in ["{}", #"{"City":"London"}"#] {
            _ = try screen(
                device.tool,
                ["update", device.file, "Customers", "1", changes],
                until: "Customers(1) is as it was: nothing was to be changed.\r\n"
            )
        }
        let status = try device.tool.succeed("status", device.file, "--json")
        #expect(status.output.contains(#""pending":0"#), "\(status)")
        _ = try screen(
            device.tool,
            ["update", device.file, "Customers", "1", #"{"City":"Paris"}"#],
            until: "Customers(1) is changed.\r\n"
        )
    }

    @Test func `a store that may not be written says what helps`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        try permit(0o444, device.file)
        let refused = try runUnprivileged(device.tool, ["query", device.file, "Customers"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("make both writable (chmod u+w)"), "\(refused)")
        try permit(0o644, device.file)
        let folder = shop.folder.file("read")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try permit(0o555, folder)
        let clone = try runUnprivileged(device.tool, ["clone", shop.service, folder + "/b.tideline"])
        #expect(clone.status == 1)
        #expect(clone.errors.contains("error: \(folder)/b.tideline cannot be made.\n"), "\(clone)")
        #expect(clone.errors.contains("/read may not be written.\n  Make it writable"), "\(clone)")
        try permit(0o755, folder)
    }

    @Test func `a password without a name is asked for its user`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.tideline")
        let result = try Tool(home: folder.path)
            .run("clone", "http://127.0.0.1:9/odata/shop/", file, "--password-stdin", input: "tide-and-time-1\n")
        #expect(result.status == 64)
        #expect(result.errors.contains("give --user NAME too"), "\(result)")
    }

    @Test(.timeLimit(.minutes(2)))
    func `a sign-in that failed too often says in how many seconds to try again`() throws {
        let folder = try TemporaryFolder()
        let (tool, data) = (Tool(home: folder.path), folder.file("data"))
        try tool.publishGuarded("shop", in: folder, data: data)
        let user = ["user", "add", "shop", "ada", "--data", data, "--password-stdin"]
        #expect(try tool.run(arguments: user, input: "tide and time\n").status == 0)
        let server = try ServerProcess(data: data)
        let clone = [
            "clone", server.address + "/odata/shop/", folder.file("a.tideline"), "--user", "ada", "--password-stdin",
        ]
        var told = try tool.run(arguments: clone, input: "wrong\n")
        #expect(told.errors.contains("The name or the password is wrong."), "\(told)")
        for _ in 0..<20 where !told.errors.contains("too often") {
            told = try tool.run(arguments: clone, input: "wrong\n")
        }
        #expect(told.status == 1)
        // The first wait is 30 seconds; some of it may have passed.
        let wait = try #require(
            told.errors.firstMatch(of: /Wait, then try again\.\n  Try again in ([0-9]+) s\.\n/)?.output.1,
            "\(told)"
        )
        #expect((1...30).contains(Int(wait) ?? 0), "\(told)")
    }

    @Test(.timeLimit(.minutes(2)))
    func `a move says at a terminal what lost, in its number`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        try device.update("Customers", "1", #"{"City":"Paris","Phone":"5"}"#)
        try shop.database.execute("UPDATE Customers SET City = 'Rome' WHERE Id = 1")
        #expect(shop.server.stop() == 0)
        let server = try ServerProcess(data: shop.data)
        let shown = try screen(
            device.tool,
            ["move", device.file, server.address + "/odata/shop/"],
            until: "\r\n1 conflict: tideline conflicts \(device.file)\r\n"
        )
        #expect(shown.contains(": 1 transaction sent, "), "\(shown)")
    }
}
