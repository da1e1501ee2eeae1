// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TidelineSimulator

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A process of this program that runs seeds, one after another as they are given.
struct WorkerProcess {
    /// A process that is started while another thread opens pipes keeps them open, and nobody would see their end.
    private static let starting = Mutex(())

    private let process: Process
    private let input: Pipe
    private let output: Pipe

    /// Starts the process, in the environment of this one.
    init(_ profile: String) throws {
        (process, input, output) = try Self.starting.withLock { _ in try Self.started(profile) }
    }

    private static func started(_ profile: String) throws -> sending (Process, Pipe, Pipe) {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        // To write to a process that has ended is an error, and not the end of this one.
        _ = signal(SIGPIPE, SIG_IGN)
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = ["simulate", "--worker", "--profile", profile]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        return (process, input, output)
    }

    /// Runs a seed.
    ///
    /// - Returns: what it told, or `nil` when the process ended.
    func report(of seed: UInt64) -> RunReport? {
        // What the process does not read it does not answer.
        try? input.fileHandleForWriting.write(contentsOf: Data("\(seed)\n".utf8))
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { return nil }
            line += piece
        }
        return RunReport(line: String(decoding: line, as: UTF8.self))
    }

    /// Waits until the process has ended, which is given no more seeds.
    ///
    /// - Returns: the status that it ended with.
    @discardableResult
    func end() -> Int32 {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
