// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStore

/// `tideline log`.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what the syncs of a store did, the newest last. Needs no connection.",
        discussion: """
            tideline log trade.tideline
            tideline log trade.tideline --follow

            The last two hundred syncs are kept in the file. Syncs in a row that did
            nothing, or failed for the same reason, are one line. Times are UTC, by
            this device's clock.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Option(help: "The most lines.") var last = 20
    @Flag(help: "Go on, and show each sync as it ends, until Ctrl-C.") var follow = false
    @Flag(help: "Write JSON, one object a line.") var json = false

    func validate() throws {
        guard last > 0 else { throw ValidationError("--last takes 1 or more.") }
    }

    func run() async throws {
        try await DeviceFailure.during("The log of \(file) cannot be shown.") {
            let store = try DeviceStore(file).store
            let output = Output(json: json)
            var reader = SyncLogReader(store)
            let entries = try reader.news(limit: last)
            if entries.isEmpty, !follow {
                output.note("No sync yet. Begin one: tideline sync \(ShellWord.quoted(file))")
            }
            show(entries, output)
            guard follow else { return }
            try await Interruption.cancelling { [reader] in
                var reader = reader
                let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                let place = store.ring(bell)
                defer { store.stopRinging(place) }
                for await _ in rings { show(try reader.news(limit: 1_000), output) }
            }
        }
    }

    private func show(_ entries: [SyncLogEntry], _ output: Output) {
        for entry in entries {
            output.result(SyncLogText.fields(entry, store: file), text: SyncLogText.line(entry, output))
        }
    }
}
