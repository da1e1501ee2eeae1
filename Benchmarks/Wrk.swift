// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The load generator `wrk`, a process of its own with 32 connections.
enum Wrk {
    /// How many requests were answered, all of them well.
    ///
    /// - Parameter script: the path of a Lua script that makes the requests.
    static func requests(_ address: String, seconds: Int, script: String? = nil) async throws -> Int {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let scripted = script.map { ["-s", $0] } ?? []
        process.arguments = ["wrk", "-t1", "-c32", "-d\(seconds)s"] + scripted + [address]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try output.fileHandleForReading.readToEnd() ?? Data() })
            }
        }
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        guard process.terminationStatus == 0, !text.contains("Non-2xx"),
            let count = text.firstMatch(of: /(\d+) requests in/).flatMap({ Int($0.1) })
        else { throw WholeSet.Failed(status: Int(process.terminationStatus)) }
        return count
    }
}
