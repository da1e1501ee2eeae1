// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Testing
import TidelineTestSupport

/// The question for a password, at a terminal.
@Suite(.enabled(if: Program.binary != nil, "no built program"))
struct PasswordPromptTests {
    @Test(.timeLimit(.minutes(2)))
    func `Ctrl-C at the password ends the program as interrupted, and the terminal shows again what is typed`() throws {
        let terminal = try PseudoTerminal()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.binary ?? "")
        process.arguments = ["--home", ProcessFolder.path + "/prompt-\(UUID())", "sign-in", "ada"]
        let end = try terminal.interrupt(process, at: "Password: ", after: "tide-and")
        #expect(end.asked == "Password: ")
        #expect(!end.echoed)
        #expect(end.status == 130)
        #expect(terminal.echoes)
    }
}
#endif
