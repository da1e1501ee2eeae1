// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing
import TidelineTestSupport

/// Runs the built `tideline` binary, each call a process of its own.
struct Tool: Sendable {
    /// The user's configuration folder for this call: a device of its own.
    var home: String
    /// More of the environment, such as a fail point.
    var environment: [String: String] = [:]

    /// The binary that was built beside the tests, or the one that `TIDELINE_BINARY` names.
    static let binary: String = {
        if let path = ProcessInfo.processInfo.environment["TIDELINE_BINARY"] { return path }
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "tideline").path
    }()

    /// Runs the tool to its end.
    ///
    /// - Parameters:
    ///   - arguments: the command and its arguments.
    ///   - input: the text on standard input.
    ///   - deadline: after this the process is killed and the test fails.
    func run(
        _ arguments: String...,
        input: String = "",
        deadline: Duration = .seconds(60),
        executable: String = Tool.binary
    ) throws -> ProcessResult {
        try run(arguments: arguments, input: input, deadline: deadline, executable: executable)
    }

    /// Runs the tool, and fails the test unless it ends well.
    @discardableResult
    func succeed(
        _ arguments: String...,
        input: String = "",
        location: SourceLocation = #_sourceLocation
    ) throws -> ProcessResult {
        let result = try run(arguments: arguments, input: input)
        #expect(result.status == 0, "tideline \(arguments.joined(separator: " "))\n\(result)", sourceLocation: location)
        return result
    }

    func run(
        arguments: [String],
        input: String = "",
        deadline: Duration = .seconds(60),
        executable: String = Tool.binary
    ) throws -> ProcessResult {
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = Tool.environment(home: home, adding: environment)
        let (standardInput, output, errors) = try process.beginPiped()
        let killer = Deadline(deadline, process: process.processIdentifier)
        // The process may refuse its arguments and end before it has read all.
        _ = signal(SIGPIPE, SIG_IGN)
        DispatchQueue.global().async {
            try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? standardInput.fileHandleForWriting.close()
        }
        let errorText = Mutex(Data())
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let data = errors.fileHandleForReading.readDataToEndOfFile()
            errorText.withLock { $0 = data }
        }
        let outputText = output.fileHandleForReading.readDataToEndOfFile()
        group.wait()
        process.waitUntilExit()
        killer.cancel()
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        return ProcessResult(
            status: process.terminationStatus + signal,
            output: String(decoding: outputText, as: UTF8.self),
            errors: String(decoding: errorText.withLock { $0 }, as: UTF8.self)
        )
    }

    /// The environment of a process: a configuration folder of its own, no colour, what is asked for.
    static func environment(home: String, adding more: [String: String] = [:]) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_CONFIG_HOME"] = home
        environment["HOME"] = home
        environment["TIDELINE_FAIL_POINT"] = nil
        return environment.merging(more) { $1 }
    }
}
