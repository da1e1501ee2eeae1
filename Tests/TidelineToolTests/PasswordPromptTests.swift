// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// The question for a password, at a terminal.
struct PasswordPromptTests {
    /// `tideline user add` in a folder of its own, at a terminal.
    private func asking(_ folder: TemporaryFolder) throws -> Process {
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let data = folder.file("data")
        try Tool(home: folder.path)
            .succeed("publish", database.path, "--data", data, "--domain", "shop", "--open")
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["user", "add", "shop", "ada", "--data", data]
        process.environment = Tool.environment(home: folder.path)
        return process
    }

    @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func `what ends the tool at the password leaves a terminal that shows again what is typed`(number: Int32) throws {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal()
        let end = try terminal.end(try asking(folder), by: number, at: ": ", after: "tide-and")
        #expect(end.asked.hasSuffix(": "))
        #expect(!end.echoed)
        #expect(end.status == 128 + number)
        #expect(terminal.echoes)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a password that is typed twice is taken, and one that is typed differently is not`() throws {
        let folder = try TemporaryFolder()
        let terminal = try PseudoTerminal()
        let process = try asking(folder)
        // The terminal's key that takes a character back, of however many bytes.
        let differs = try terminal.answer(process, at: ": ", with: ["tide and time\n", "tide and timé\u{7F}\n"])
        #expect(differs.status == 1)
        #expect(differs.asked.contains("The two passwords differ."))
        #expect(terminal.echoes)
        let again = Process()
        (again.executableURL, again.arguments) = (process.executableURL, process.arguments)
        again.environment = process.environment
        let taken = try terminal.answer(again, at: ": ", with: ["tide and time\n", "tide and timé\u{7F}e\n"])
        #expect(taken.status == 0, "\(taken.asked)")
        #expect(terminal.echoes)
    }
}
