// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore
import TidelineSync

/// Sync that runs by itself, seen on a terminal until Ctrl-C: a line for each sync, and one that says how things stand.
struct SyncWatch: Sendable {
    let engine: SyncEngine
    let store: LocalStore
    /// The file of the store, for the commands that are named.
    let file: String
    let output: Output

    /// Runs until Ctrl-C or SIGTERM.
    ///
    /// - Throws: a failure that only a person can end, such as a sign-in that is over.
    func run() async throws {
        try await Interruption.cancelling {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await engine.run() }
                group.addTask { try await show() }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private func show() async throws {
        let line = StatusLine()
        defer { line.clear() }
        var log = SyncLogReader(store)
        _ = try log.news(limit: 1)
        // What an earlier sync failed of may have passed: the first of this run tells.
        var hasSynced = false
        // What was told of a sync that could not be noted, as on a full disk.
        var told: SyncFailure?
        // Why the last sync failed, whose remedy was named: once, however often it is tried again.
        var advised: String?
        for await status in engine.status {
            // Of a store that cannot be read, its status tells.
            for entry in (try? log.news(limit: 1_000)) ?? [] {
                hasSynced = true
                told = nil
                line.clear()
                output.result(SyncLogText.fields(entry, store: file), text: SyncLogText.line(entry, output))
                if let failure = entry.failure, failure.code != advised { advise(failure) }
                advised = entry.failure?.code
            }
            line.show(Self.text(status))
            if let failure = engine.unnotedFailure, failure != told {
                told = failure
                line.clear()
                DeviceFailure.told("The sync failed.", failure, store: file).write()
            }
            if hasSynced, case .stopped = status.phase, let failure = status.lastFailure, !failure.isRetried {
                throw DeviceFailure.told("The store does not sync by itself any more.", failure, store: file)
            }
        }
    }

    /// Names what a person can do about a sync that failed and is tried again; what ends the watching is told at its end.
    private func advise(_ failure: SyncFailure) {
        guard failure.isRetried, let next = DeviceFailure.next(failure, store: file) else { return }
        for line in next.split(separator: "\n") { output.note("  \(line)") }
    }

    /// How things stand, in a few words: `✓ In step`, `… Offline, 3 waiting`.
    static func text(_ status: SyncStatus) -> String {
        let pending = status.pendingTransactions
        var parts: [String] = []
        if pending > 0 { parts.append("\(ProgressLine.grouped(pending)) waiting") }
        if status.unseenConflicts > 0 { parts.append(PlainText.count(status.unseenConflicts, "new conflict")) }
        if status.quarantined > 0 { parts.append("\(ProgressLine.grouped(status.quarantined)) in quarantine") }
        let (meaning, words) = phase(status)
        return ([Style.mark(meaning) + " " + words] + parts).joined(separator: ", ")
    }

    private static func phase(_ status: SyncStatus) -> (Style.Meaning, String) {
        func counted(_ word: String, _ unit: String) -> String {
            guard status.done > 0 else { return word }
            let part = status.expected == nil ? "" : "\(ProgressLine.grouped(status.done)) of "
            return "\(word) \(part)\(PlainText.count(status.expected ?? status.done, unit))"
        }
        switch status.phase {
        case .idle: return status.isCaughtUp ? (.inStep, "In step") : (.pending, "Not in step")
        case .sending: return (.pending, counted("Sending", "transaction"))
        case .loading: return (.pending, counted("Loading \(status.set ?? "")", "row"))
        case .receiving: return (.pending, "Receiving")
        case .applying: return (.pending, "Applying")
        case .waiting(let time): return (.pending, "Waiting until \(PlainText.time(time))")
        case .offline(let time?): return (.pending, "Offline until \(PlainText.time(time)) at least")
        case .offline(nil): return (.pending, "Offline")
        case .stopped(let time):
            guard let failure = status.lastFailure else { return (.pending, "Not in step") }
            let until = time.map { " until \(PlainText.time($0))" } ?? ""
            return (.refused, "Stopped\(until): \(PlainText.foreign(failure.message))")
        @unknown default: return (.pending, "Not in step")
        }
    }
}
