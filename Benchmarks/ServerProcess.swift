// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process of `tideline serve`, whose memory and life are its own; `TIDELINE_BINARY` names the program.
final class ServerProcess {
    let address: String
    let identifier: Int32
    private let process: Process

    /// Publishes a SQLite file as the open domain `bench`.
    ///
    /// - Returns: the data directory.
    static func publish(_ path: String, folder: URL) throws -> String {
        let data = folder.appending(path: "data").path
        let process = try program(["publish", "sqlite:" + path, "--data", data, "--domain", "bench", "--open"])
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WholeSet.Failed(status: Int(process.terminationStatus)) }
        return data
    }

    /// Starts the server, and waits until it says where it listens.
    init(data: String, port: Int = 0) throws {
        process = try Self.program(["serve", "--data", data, "--host", "127.0.0.1", "--port", "\(port)"])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        identifier = process.processIdentifier
        var text = ""
        while !text.contains("Listening on ") || text.last != "\n" {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw WholeSet.Failed(status: 0) }
            text += String(decoding: piece, as: UTF8.self)
        }
        guard let found = text.firstMatch(of: /Listening on (\S+)/) else { throw WholeSet.Failed(status: 0) }
        address = String(found.1)
        // What it says later is taken, so that it never waits for its reader.
        output.fileHandleForReading.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
    }

    deinit { kill() }

    var port: Int { URL(string: address)?.port ?? 0 }

    /// Ends it as a power cut would.
    func kill() {
        guard process.isRunning else { return }
        _ = Foundation.kill(identifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Its resident memory in bytes, where the system tells.
    var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
        return (text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0) << 10
    }

    private static func program(_ arguments: [String]) throws -> Process {
        guard let binary = ProcessInfo.processInfo.environment["TIDELINE_BINARY"] else {
            throw Unnamed()
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = arguments
        return process
    }

    private struct Unnamed: Error, CustomStringConvertible {
        var description: String { "TIDELINE_BINARY must name the program; script/bench does." }
    }
}
