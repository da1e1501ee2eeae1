// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineStore
import TidelineSync

/// `tideline status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say where a store comes from, what it holds, what waits, and how the last sync went.",
        discussion: """
            tideline status trade.tideline

            Needs no connection.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("The status of \(file) cannot be told.") {
            let report = try StatusReport(DeviceStore(file).store)
            let output = Output(json: json)
            output.result(report.fields(file: file), text: report.text(file: file, now: DeviceClock.now, output))
        }
    }
}
