// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineTestSupport

private struct DumpFailure: Error {}

extension PostgresCluster {
    /// What `pg_dump -s` says of a database, without the line that differs from run to run.
    func dumpSchema(_ conninfo: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pg_dump", "-s", "-d", conninfo]
        let output = try process.begin {
            let output = Pipe()
            process.standardOutput = output
            return output
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw DumpFailure() }
        return text.split(separator: "\n").filter { !$0.contains("restrict ") }.joined(separator: "\n")
    }
}
