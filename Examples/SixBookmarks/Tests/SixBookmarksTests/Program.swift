// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TidelineTestSupport

/// `sixbookmarks`, started and awaited.
enum Program {
    struct Result {
        let status: Int32
        let output: String
        let error: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The program, which script/test names in SIXBOOKMARKS_BINARY; without it these tests are skipped.
    static let binary = ProcessInfo.processInfo.environment["SIXBOOKMARKS_BINARY"]

    static func run(_ arguments: [String], input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: binary ?? "")
        process.arguments = arguments
        // Nothing is to be opened while tests run.
        process.environment = ProcessInfo.processInfo.environment.merging(["BROWSER": "true"]) { $1 }
        let (standardInput, output, error) = try process.beginPiped()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        // The texts are shorter than what a pipe holds, so one may be read after the other.
        let texts = [output, error].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: texts[0], error: texts[1])
    }
}
