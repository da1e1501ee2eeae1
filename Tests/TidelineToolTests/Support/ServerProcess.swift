// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing
import TidelineTestSupport

/// A running `tideline serve` on a free port of loopback, ended by its own process id.
final class ServerProcess: Sendable {
    /// The address that the server printed, without a slash at the end.
    let address: String
    private let process: Mutex<Process>
    let identifier: Int32
    private let log: Mutex<Data>

    /// Starts the server and waits until it says where it listens.
    init(
        data: String,
        arguments: [String] = [],
        environment: [String: String] = [:],
        port: Int = 0,
        deadline: Duration = .seconds(60)
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: Tool.binary)
        process.arguments = ["serve", "--data", data, "--host", "127.0.0.1", "--port", "\(port)"] + arguments
        process.environment = Tool.environment(home: data, adding: environment)
        process.standardInput = FileHandle.nullDevice
        let output = try process.begin {
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            return output
        }
        identifier = process.processIdentifier
        let killer = Deadline(deadline, process: identifier)
        var text = Data()
        var found: String?
        while found == nil {
            let chunk = output.fileHandleForReading.availableData
            guard !chunk.isEmpty else { break }
            text.append(chunk)
            found = ServerProcess.address(in: String(decoding: text, as: UTF8.self))
        }
        killer.cancel()
        address = try #require(found, "the server ended:\n\(String(decoding: text, as: UTF8.self))")
        self.process = Mutex(process)
        log = Mutex(text)
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let chunk = handle.availableData
            if chunk.isEmpty { handle.readabilityHandler = nil }
            self?.log.withLock { $0.append(chunk) }
        }
    }

    deinit { kill() }

    /// What the server has printed so far.
    var output: String { log.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The port that it listens on.
    var port: Int { Int(address.split(separator: ":").last ?? "") ?? 0 }

    /// Ends the server as a power cut would, and waits for its end.
    func kill() {
        process.withLock { process in
            guard process.isRunning else { return }
            _ = Glibc.kill(identifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Asks the server to stop and waits for its end.
    ///
    /// - Returns: the exit status.
    func stop() -> Int32 {
        let killer = Deadline(.seconds(30), process: identifier)
        defer { killer.cancel() }
        return process.withLock { process in
            process.terminate()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// Waits until the process has ended by itself, as at a fail point.
    func waitForEnd() {
        let killer = Deadline(.seconds(60), process: identifier)
        defer { killer.cancel() }
        process.withLock { $0.waitUntilExit() }
    }

    private static func address(in text: String) -> String? {
        guard let start = text.range(of: "Listening on ") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.firstIndex(where: \.isWhitespace) else { return nil }
        return String(rest[..<end]).trimmingCharacters(in: ["/", "."])
    }
}
