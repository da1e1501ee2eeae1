// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineSimulator

/// A process of this program that runs some seeds.
struct WorkerProcess {
    private let process = Process()
    private let output = Pipe()

    /// Starts the process, in the environment of this one.
    init(_ profile: String, _ first: UInt64, _ count: Int) throws {
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = [
            "simulate", "--worker", "--seed", "\(first)", "--seeds", "\(count)", "--profile", profile,
        ]
        process.standardOutput = output
        try process.run()
    }

    /// What the seeds told, in their order; fewer than there were when the process crashed.
    func reports() -> [RunReport] {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { RunReport(line: String($0)) }
    }

    /// The status that the process ended with.
    var status: Int32 { process.terminationStatus }
}
