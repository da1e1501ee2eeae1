// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing
import TidelineTestSupport

/// Output that cannot be written.
struct LostOutputTests {
    /// Runs the tool with its output on a disk that is full.
    ///
    /// - Parameter errors: where its errors go, if not to who asks.
    private func run(_ tool: Tool, _ arguments: [String], errors: String? = nil) throws -> (said: String, status: Int32)
    {
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = arguments
        process.environment = Tool.environment(home: tool.home)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        let pipe = try process.begin {
            let pipe = Pipe()
            process.standardError = errors.flatMap { FileHandle(forWritingAtPath: $0) } ?? pipe
            if errors != nil { try? pipe.fileHandleForWriting.close() }
            return pipe
        }
        let deadline = Deadline(.seconds(60), process: process.processIdentifier)
        defer { deadline.cancel() }
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (said, process.terminationStatus)
    }

    private static let said = "error: The output cannot be written: No space left on device.\n"

    @Test(.timeLimit(.minutes(4)))
    func `a command whose output is lost says so once and does not end well`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        let commands = [
            ["query", device.file, "Customers"], ["query", device.file, "Customers", "--json"],
            ["status", device.file], ["status", device.file, "--json"], ["sync", device.file], ["sync", "--help"],
            // What goes on until Ctrl-C ends.
            ["log", device.file, "--follow"], ["sync", device.file, "--watch"],
        ]
        for command in commands {
            let end = try run(device.tool, command)
            #expect(end.said == Self.said, "\(command)")
            #expect(end.status == 1, "\(command)")
        }
        let silent = try run(device.tool, ["query", device.file, "Customers"], errors: "/dev/full")
        #expect(silent.status == 1)
    }

    @Test func `errors that cannot be written change nothing else`() throws {
        let shop = try Shop()
        let device = try shop.device("a")
        let shell = #""$0" query "$1" Customers --json 2>/dev/full"#
        let result = try device.tool.run("-c", shell, Tool.binary, device.file, executable: "/bin/sh")
        #expect(result.status == 0 && result.lines.count == 3, "\(result)")
    }
}
