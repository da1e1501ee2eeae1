// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// The question for a password in the midst of a sync, and the line of words that change, at a terminal.
struct SyncPromptTests {
    private static let prompt = "Password of ada at 127.0.0.1: "
    /// What takes the words of the last line away.
    private static let erase = "\r\u{1B}[2K"

    /// A shop with a user, and her device, which is signed out.
    private final class World {
        let folder: TemporaryFolder
        let server: ServerProcess
        let device: Device

        init() throws {
            folder = try TemporaryFolder()
            let database = Database(path: folder.file("shop.sqlite"))
            try database.execute(Shop.tables)
            let (tool, data, policies) = (Tool(home: folder.path), folder.file("data"), folder.file("policies.yaml"))
            try Data(#"policies: [{role: "*", sets: "*", operations: [read, insert, update, delete]}]"#.utf8)
                .write(to: URL(filePath: policies))
            try tool.succeed("publish", database.path, "--data", data, "--domain", "shop", "--policies", policies)
            let user = ["user", "add", "shop", "ada", "--data", data, "--password-stdin"]
            #expect(try tool.run(arguments: user, input: "tide and time\n").status == 0)
            server = try ServerProcess(data: data)
            device = try Device(
                "a",
                of: server.address + "/odata/shop/",
                in: folder,
                arguments: ["--user", "ada", "--password-stdin"],
                password: "tide and time"
            )
            try device.tool.succeed("sign-out", device.file)
        }

        /// `tideline sync` of the device.
        func sync(_ more: String...) -> Process {
            let process = Process()
            process.executableURL = URL(filePath: Tool.binary)
            process.arguments = ["sync", device.file] + more
            process.environment = Tool.environment(home: device.tool.home)
            return process
        }
    }

    /// - Returns: the exit status as a shell has it.
    private func end(_ process: Process, by number: Int32) -> Int32 {
        _ = kill(process.processIdentifier, number)
        let deadline = Deadline(.seconds(60), process: process.processIdentifier)
        defer { deadline.cancel() }
        process.waitUntilExit()
        return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    }

    @Test(.timeLimit(.minutes(2)), arguments: zip([SIGINT, SIGTERM, SIGHUP], [0, 0, 128 + SIGHUP]))
    func `one signal at the password of a sync that watches ends it as ever, and the terminal shows what is typed`(
        number: Int32,
        status: Int32
    ) throws {
        let world = try World()
        let terminal = try PseudoTerminal()
        let process = world.sync("--watch")
        try terminal.seat(process)
        let shown = terminal.shown(until: Self.prompt)
        #expect(shown.hasSuffix(Self.erase + Self.prompt), "\(shown)")
        #expect(!terminal.echoes)
        try terminal.type("tide-and")
        #expect(end(process, by: number) == status)
        #expect(terminal.echoes)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a Ctrl-C at the password of a sync ends it, and the question has a line of its own`() throws {
        let world = try World()
        let terminal = try PseudoTerminal()
        let process = world.sync()
        try terminal.seat(process)
        let shown = terminal.shown(until: Self.prompt)
        #expect(shown.hasSuffix(Self.erase + Self.prompt), "\(shown)")
        #expect(end(process, by: SIGINT) == 128 + SIGINT)
        #expect(terminal.echoes)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a Ctrl-D at the password of a sync is told as a sign-in that is missing, then and later`() throws {
        let world = try World()
        let terminal = try PseudoTerminal()
        let end = try terminal.answer(world.sync(), at: Self.prompt, with: ["\u{4}"])
        #expect(end.status == 1)
        let advice = "Sign in: tideline sign-in \(world.device.file) --user ada"
        #expect(end.asked.hasSuffix("  The service asks who you are.\n  \(advice)\n"), "\(end.asked)")
        let status = try world.device.tool.succeed("status", world.device.file, "--json")
        #expect(status.output.contains("The service asks who you are."), "\(status)")
        #expect(status.output.contains(advice), "\(status)")
        let log = try world.device.tool.succeed("log", world.device.file, "--json")
        #expect(log.output.contains("The service asks who you are."), "\(log)")
        #expect(!(status.output + log.output).contains("CommandFailure"), "\(log)")
    }

    @Test(.timeLimit(.minutes(2)))
    func `nothing is shown over a question, which is asked again where the program goes on`() throws {
        let world = try World()
        let terminal = try PseudoTerminal()
        let process = world.sync("--watch")
        try terminal.seat(process)
        _ = terminal.shown(until: Self.prompt)
        // The words would tell of it: "1 waiting".
        try world.device.update("Customers", "1", #"{"City":"Rome"}"#)
        _ = kill(process.processIdentifier, SIGCONT)
        let again = terminal.shown(until: Self.prompt)
        #expect(again == Self.erase + Self.prompt)
        #expect(!terminal.echoes)
        try terminal.type("tide and time\n")
        let rest = terminal.shown(until: "sent 1")
        #expect(rest.hasPrefix("\r\n" + Self.erase), "\(rest)")
        #expect(terminal.echoes)
        #expect(end(process, by: SIGINT) == 0)
    }

    @Test(.timeLimit(.minutes(2)))
    func `words that the line does not hold end with three dots`() throws {
        let world = try World()
        world.server.kill()
        let terminal = try PseudoTerminal()
        let process = world.sync()
        try terminal.seat(process)
        let shown = terminal.shown(until: "…")
        // Of the 80 columns that a terminal has where it does not say, the last stays free.
        let line = try #require(shown.components(separatedBy: Self.erase).last)
        #expect(line.hasPrefix("Offline: "), "\(shown)")
        #expect(line.hasSuffix("…") && line.count == 79, "\(line)")
        #expect(end(process, by: SIGINT) == 128 + SIGINT)
    }
}
