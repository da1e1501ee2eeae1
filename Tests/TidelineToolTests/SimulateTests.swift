// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

struct SimulateTests {
    private func process(_ arguments: [String], in folder: TemporaryFolder) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["simulate"] + arguments
        process.environment = Tool.environment(home: folder.path)
        return process
    }

    /// Waits until the terminal shows some figures, sends a signal, and reads on to what comes last.
    ///
    /// - Returns: what the terminal showed, and the exit status as a shell has it.
    private func end(
        _ process: Process,
        by number: Int32,
        at figures: String,
        until last: String
    ) throws -> (shown: String, status: Int32) {
        let terminal = try PseudoTerminal()
        try terminal.seat(process)
        let deadline = Deadline(.seconds(100), process: process.processIdentifier)
        defer { deadline.cancel() }
        var shown = terminal.shown(until: figures)
        _ = kill(process.processIdentifier, number)
        shown += terminal.shown(until: last)
        process.waitUntilExit()
        return (shown, process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0))
    }

    private func kept(in ledger: String) throws -> [String: JSON] {
        try JSONDecoder().decode([String: JSON].self, from: Data(contentsOf: URL(filePath: ledger)))
    }

    @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM])
    func `seeds are counted as they are run; a signal ends them with what was run told and in the ledger`(
        number: Int32
    ) throws {
        let folder = try TemporaryFolder()
        let ledger = folder.file("ledger.json")
        let process = process(["--seeds", "100000", "--seed", "7", "--jobs", "2", "--ledger", ledger], in: folder)
        let last = "with the other options as they were"
        let (shown, status) = try end(process, by: number, at: " of 100,000 seeds", until: last)
        #expect(status == 1, "\(shown)")
        #expect(shown.contains("Not all seeds were run."), "\(shown)")
        let kept = try kept(in: ledger)
        guard case .number(let runs)? = kept["runs"] else { throw CocoaError(.coderReadCorrupt) }
        let count = Int(runs)
        #expect(count > 0 && count < 1_000)
        #expect(kept["next"] == .number(runs + 7))
        #expect(kept["failed"] == .array([]))
        let words = count == 1 ? "1 seed in" : "\(count) seeds in"
        #expect(shown.contains(words), "\(shown)")
        let next = "tideline simulate --seed \(count + 7) --seeds \(100_000 - count), with the other options"
        #expect(shown.contains(next), "\(shown)")
    }

    @Test(.timeLimit(.minutes(2)))
    func `a search through states shows how many it has seen, and a signal ends it with what was seen told`() throws {
        let folder = try TemporaryFolder()
        let process = process(["--small", "--writes", "4", "--faults", "4"], in: folder)
        let (shown, status) = try end(process, by: SIGINT, at: " states", until: "The search was asked to end.")
        #expect(status == 1, "\(shown)")
        #expect(shown.contains("4 writes and 4 faults at most: "), "\(shown)")
        #expect(shown.contains("(not all)"), "\(shown)")
        #expect(shown.contains("no violations") || shown.contains("0 violations"), "\(shown)")
    }

    @Test(.timeLimit(.minutes(2)))
    func `a signal ends scenarios after the play that runs, and the ledger has what was played`() throws {
        let folder = try TemporaryFolder()
        let ledger = folder.file("disk.json")
        let process = process(["--disk", "--scenario", "push", "--ledger", ledger], in: folder)
        let (shown, status) = try end(process, by: SIGINT, at: " plays", until: "Go on with the same command")
        #expect(status == 1, "\(shown)")
        let kept = try kept(in: ledger)
        guard case .object(let entries)? = kept["entries"], case .object(let push)? = entries["push"],
            case .number(let plays)? = push["plays"]
        else { throw CocoaError(.coderReadCorrupt) }
        #expect(plays > 0 && plays < 1_000)
        #expect(push["violations"] == .array([]))
        #expect(shown.contains("push: ") && shown.contains("\(Int(plays)) of "), "\(shown)")
    }
}
