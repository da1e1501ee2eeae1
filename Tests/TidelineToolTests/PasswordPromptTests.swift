// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import TidelineTestSupport

/// The question for a password, at a terminal.
struct PasswordPromptTests {
    @Test(.timeLimit(.minutes(2)))
    func `Ctrl-C at the password ends the tool as interrupted, and the terminal shows again what is typed`() throws {
        let folder = try TemporaryFolder()
        let database = Database(path: folder.file("shop.sqlite"))
        try database.execute("CREATE TABLE Goods (Id INTEGER PRIMARY KEY)")
        let data = folder.file("data")
        try Tool(home: folder.path)
            .succeed("publish", database.path, "--data", data, "--domain", "shop", "--open")
        let terminal = try PseudoTerminal()
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["user", "add", "shop", "ada", "--data", data]
        process.environment = Tool.environment(home: folder.path)
        let end = try terminal.interrupt(process, at: ": ", after: "tide-and")
        #expect(end.asked.hasSuffix(": "))
        #expect(!end.echoed)
        #expect(end.status == 130)
        #expect(terminal.echoes)
    }
}
