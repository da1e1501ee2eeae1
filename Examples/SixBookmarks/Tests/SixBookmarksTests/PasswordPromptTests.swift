// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// The question for a password, at a terminal.
@Suite(.enabled(if: Program.binary != nil, "no built program"))
struct PasswordPromptTests {
    @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM, SIGHUP])
    func `what ends the program at the password leaves a terminal that shows again what is typed`(
        number: Int32
    ) throws {
        let terminal = try PseudoTerminal()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.binary ?? "")
        process.arguments = ["--home", ProcessFolder.path + "/prompt-\(UUID())", "sign-in", "ada"]
        let end = try terminal.end(process, by: number, at: "Password: ", after: "tide-and")
        #expect(end.asked == "Password: ")
        #expect(!end.echoed)
        #expect(end.status == 128 + number)
        #expect(terminal.echoes)
    }
}
#endif
