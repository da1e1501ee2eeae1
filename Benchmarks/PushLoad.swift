// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// T3: rows pushed in durable batches of 500, beside Datasette with its change log and the Django REST framework: as
/// inserts, where Tideline takes a group of `$batch`, and as upserts, where it takes a delta.
///
/// `Benchmarks/Peers/push.py` serves and asks all three, with one client; `TIDELINE_BENCH_PYTHON` names a Python that has
/// what `requirements.txt` beside it lists.
enum PushLoad {
    static func measure(rows: Int, folder: URL) async throws -> [Figure] {
        guard let python = ProcessInfo.processInfo.environment["TIDELINE_BENCH_PYTHON"],
            let program = ProcessInfo.processInfo.environment["TIDELINE_BINARY"]
        else { throw Unnamed() }
        // The peers take minutes for more.
        let count = min(rows, 100_000)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [
            "Benchmarks/Peers/push.py", "--tideline", program, "--rows", "\(count)", "--folder", folder.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WholeSet.Failed(status: Int(process.terminationStatus)) }
        let taken = try JSONDecoder().decode([String: [String: Double]].self, from: data)
        return try taken.sorted { $0.key < $1.key }.flatMap { what, services in
            var peers = services
            guard let ours = peers.removeValue(forKey: "Tideline") else { throw WholeSet.Failed(status: 0) }
            return peers.sorted { $0.value < $1.value }.map { peer, seconds in
                Figure(
                    what: "500 \(what) a batch, four connections",
                    rows: count,
                    seconds: ours,
                    limitName: peer,
                    limitSeconds: seconds,
                    isRate: true,
                    bound: 2
                )
            }
        }
    }

    private struct Unnamed: Error, CustomStringConvertible {
        var description: String { "TIDELINE_BENCH_PYTHON and TIDELINE_BINARY must name programs; script/bench does." }
    }
}
