// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStore
import TidelineSync

/// `tideline sync`.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring a store and its service in step.",
        discussion: """
            tideline sync trade.tideline
            tideline sync trade.tideline --watch

            A sync that is cut off is completed by the next: nothing is lost, nothing is
            applied twice. A service that does not answer, or is busy, is asked again
            until twenty seconds were waited, beside the time its answers take.

            With --watch it syncs by itself until Ctrl-C: after changes of other
            programs to the file, from time to time, and as soon as a service that
            was away is there again. Each sync that ends is a line.

            The exit status is 0 also where the service refused changes: they are in
            quarantine, and tideline status --json or tideline quarantine tells them.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Flag(help: "Go on syncing by itself, until Ctrl-C.") var watch = false
    @Flag(help: "Write JSON; with --watch, one object a sync.") var json = false

    func run() async throws {
        try await DeviceFailure.during("\(file) is not in step.", store: file) {
            let device = try DeviceStore(file)
            // With the last connection all is in the one file: a copy that is put back later meets no journal of before.
            defer { try? device.store.close() }
            let engine = SyncEngine(store: device.store, client: try device.client())
            if watch {
                let output = Output(json: json)
                return try await SyncWatch(engine: engine, store: device.store, file: file, output: output).run()
            }
            let line = ProgressLine()
            let steps = engine.progress
            let watcher = Task { for await step in steps { line.show(step) } }
            defer {
                watcher.cancel()
                line.finish()
            }
            let report = try await engine.sync()
            line.finish()
            show(report, try OpenQuestions(device.store), Output(json: json))
        }
    }

    private func show(_ report: SyncReport, _ questions: OpenQuestions, _ output: Output) {
        var text = [
            ("sent", report.sent), ("received", report.received), ("removed", report.removed),
            ("merged", report.merged), ("conflicts", report.conflicts), ("quarantined", report.quarantined),
        ].map { "\($0.0) \(ProgressLine.grouped($0.1))" }.joined(separator: ", ")
        text += report.leftOutText
        let name = ShellWord.quoted(file)
        if report.conflicts > 0 { text += "\n" + output.styled(.conflict, "See what lost: tideline conflicts \(name)") }
        if let decide = questions.advice(store: file) { text += "\n" + output.styled(.conflict, decide) }
        if questions.leaveSomething {
            text += "\n" + output.styled(.refused, "See what was refused: tideline quarantine \(name)")
        }
        output.result(
            [
                ("sent", .integer(report.sent)), ("received", .integer(report.received)),
                ("removed", .integer(report.removed)), ("merged", .integer(report.merged)),
                ("conflicts", .integer(report.conflicts)), ("quarantined", .integer(report.quarantined)),
                ("leftOut", .raw(JSONText.array(report.leftOut))),
            ],
            text: text
        )
    }
}
