// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// An entry of the log of syncs, for people and for programs.
enum SyncLogText {
    /// One line.
    ///
    ///     2026-11-22 14:02:11Z  ✓ sent 3, received 12  (0.4 s, 1.2 kB out, 3.4 kB in)
    ///     2026-11-22 14:03:10Z  ✗ offline: No connection could be made.  (4 times until 14:10:02Z)
    static func line(_ entry: SyncLogEntry, _ output: Output) -> String {
        let time = PlainText.time(entry.startedAt)
        let meaning: Style.Meaning
        var text: String
        if let failure = entry.failure {
            meaning = failure.kind == .needsPerson ? .refused : .pending
            let done = entry.changedNothing ? "" : counts(entry) + "; then "
            text = "\(done)\(words(failure.kind)): \(PlainText.foreign(failure.message))"
        } else {
            meaning = entry.quarantined > 0 ? .refused : entry.conflicts > 0 ? .conflict : .inStep
            text = entry.changedNothing ? "nothing new" : counts(entry)
        }
        text = output.styled(meaning, Style.mark(meaning)) + " " + text
        var notes: [String] = []
        if entry.times > 1 {
            notes.append("\(ProgressLine.grouped(entry.times)) times until \(PlainText.time(entry.endedAt))")
        } else {
            notes.append(PlainText.span(from: entry.startedAt, to: entry.endedAt))
        }
        notes.append("\(PlainText.size(entry.bytesSent)) out, \(PlainText.size(entry.bytesReceived)) in")
        return "\(time)  \(text)  \(output.styled(.dim, "(" + notes.joined(separator: ", ") + ")"))"
    }

    /// Whose turn it is, in a word or two.
    static func words(_ kind: SyncFailure.Kind) -> String {
        switch kind {
        case .offline: "offline"
        case .passing: "not now"
        case .needsPerson: "failed"
        @unknown default: "failed"
        }
    }

    /// What changed: the counts that are not zero.
    private static func counts(_ entry: SyncLogEntry) -> String {
        [
            ("sent", entry.sent), ("received", entry.received), ("removed", entry.removed), ("merged", entry.merged),
            ("conflicts", entry.conflicts), ("quarantined", entry.quarantined),
        ].filter { $0.1 > 0 }.map { "\($0.0) \(ProgressLine.grouped($0.1))" }.joined(separator: ", ")
    }

    /// The fields of the JSON object.
    ///
    /// - Parameter file: the store's, for the commands that are named.
    static func fields(_ entry: SyncLogEntry, store file: String) -> [(String, Output.Cell)] {
        [
            ("id", .integer(entry.id)), ("startedAt", .time(entry.startedAt)), ("endedAt", .time(entry.endedAt)),
            ("times", .integer(entry.times)), ("sent", .integer(entry.sent)), ("received", .integer(entry.received)),
            ("removed", .integer(entry.removed)), ("merged", .integer(entry.merged)),
            ("conflicts", .integer(entry.conflicts)), ("quarantined", .integer(entry.quarantined)),
            ("bytesSent", .integer(entry.bytesSent)), ("bytesReceived", .integer(entry.bytesReceived)),
            ("failure", failure(entry.failure, store: file)),
        ]
    }

    /// A failure as a JSON object, or null.
    static func failure(_ failure: SyncFailure?, store file: String) -> Output.Cell {
        guard let failure else { return .null }
        return .raw(
            JSONText.object([
                ("kind", .text(failure.kind.rawValue)), ("code", .text(failure.code)),
                ("message", .text(failure.message)),
                ("advice", .text(DeviceFailure.next(failure, store: file) ?? "")),
            ])
        )
    }
}

extension Output.Cell {
    /// A time as JSON has it, or null.
    static func time(_ time: DateTimeOffset?) -> Output.Cell {
        time.flatMap { Value.dateTimeOffset($0).text }.map { .text($0) } ?? .null
    }
}
