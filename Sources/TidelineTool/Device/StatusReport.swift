// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStore

/// All that a store says of itself without a connection.
struct StatusReport {
    private let identity: StoreIdentity
    private let status: StoreStatus
    private let subscriptions: [Subscription]
    private let rows: [String: Int]
    private let quarantine: [QuarantinedTransaction]
    private let questions: OpenQuestions

    init(_ store: LocalStore) throws {
        identity = try store.identity()
        status = try store.status()
        subscriptions = try store.subscriptions()
        rows = try store.rowCounts()
        quarantine = try store.quarantined()
        questions = try OpenQuestions(store)
    }

    // MARK: For programs

    /// - Parameter file: the name of the store's file, for the commands that are named.
    func fields(file: String) -> [(String, Output.Cell)] {
        let sets = subscriptions.map(Self.name)
        return [
            ("service", (identity.origin?.serviceURL).map { .text($0) } ?? .null),
            ("user", (identity.origin?.userName).map { .text($0) } ?? .null),
            ("client", .text(identity.clientID.text)),
            ("sets", .raw(JSONText.array(sets))), ("subscriptions", .raw(Self.array(subscriptions.map(fields)))),
            ("pending", .integer(status.pendingTransactions)), ("sent", .integer(status.sentTransactions)),
            ("conflicts", .integer(status.conflicts)), ("unseenConflicts", .integer(status.unseenConflicts)),
            ("quarantined", .integer(status.quarantined)), ("quarantine", .raw(Self.array(quarantine.map(fields)))),
            ("lastSuccess", .time(status.lastSuccess)),
            ("lastFailure", SyncLogText.failure(status.lastFailure, store: file)),
        ]
    }

    private func fields(_ subscription: Subscription) -> [(String, Output.Cell)] {
        [
            ("set", .text(subscription.set)), ("filter", subscription.filter.map { .text($0) } ?? .null),
            ("rows", .integer(rows[subscription.set] ?? 0)),
            ("upTo", status.lastSuccess == nil ? .null : .time(status.lastSuccess)),
        ]
    }

    private func fields(_ entry: QuarantinedTransaction) -> [(String, Output.Cell)] {
        [
            ("id", .integer(entry.id)), ("code", .text(entry.code)), ("reason", .text(entry.message)),
            ("status", .integer(entry.status)), ("dependsOn", entry.dependsOn.map { .integer($0) } ?? .null),
            ("changes", .integer(entry.changes.count)),
        ]
    }

    private static func array(_ objects: [[(String, Output.Cell)]]) -> String {
        "[" + objects.map(JSONText.object).joined(separator: ",") + "]"
    }

    // MARK: For people

    /// - Parameters:
    ///   - file: the name of the store's file, for the commands that are named.
    ///   - now: the time by this device's clock.
    func text(file: String, now: DateTimeOffset, _ output: Output) -> String {
        func styled(_ isGood: Bool, _ meaning: Style.Meaning, _ text: String) -> String {
            let meaning = isGood ? .inStep : meaning
            return output.styled(meaning, Style.mark(meaning) + " " + text)
        }
        func part(_ count: Int, _ word: String) -> String { count > 0 ? ", \(count) of them \(word)" : "" }
        let name = ShellWord.quoted(file)
        let waiting = PlainText.count(status.pendingTransactions, "transaction") + part(status.sentTransactions, "sent")
        let conflicts = "\(status.conflicts)" + part(status.unseenConflicts, "new")
        let isSeen = status.conflicts > 0 && status.unseenConflicts == 0
        var lines = [
            ("service", identity.origin?.serviceURL ?? "none"),
            ("user", identity.origin?.userName ?? "nobody, the domain is open"),
            ("client", identity.clientID.text),
            ("last sync", lastSync(now, styled)),
        ]
        let advice = status.lastFailure.flatMap { DeviceFailure.next($0, store: file) } ?? ""
        lines += advice.split(separator: "\n").map { ("", String($0)) }
        lines += [
            ("pending", styled(status.pendingTransactions == 0, .pending, waiting)),
            // Green is for what is in step: a conflict that somebody has looked at is none, and nothing to do.
            ("conflicts", isSeen ? conflicts : styled(status.conflicts == 0, .conflict, conflicts)),
        ]
        if status.unseenConflicts > 0 { lines.append(("", "See what lost: tideline conflicts \(name)")) }
        lines.append(("quarantine", styled(status.quarantined == 0, .refused, "\(status.quarantined)")))
        lines += quarantine.map { ("", "\($0.id)  \(PlainText.foreign("\($0.code): \($0.message)"))") }
        if let decide = questions.advice(store: file) { lines.append(("", decide)) }
        if questions.leaveSomething { lines.append(("", "Retry or discard: tideline quarantine \(name)")) }
        lines += sets(now)
        return lines.map { Self.padded($0.0, 12) + $0.1 }.joined(separator: "\n")
    }

    private func lastSync(_ now: DateTimeOffset, _ styled: (Bool, Style.Meaning, String) -> String) -> String {
        let success = status.lastSuccess.map {
            "succeeded \(PlainText.ago($0, now: now)), \(PlainText.time($0))"
        }
        guard let failure = status.lastFailure else { return success.map { styled(true, .inStep, $0) } ?? "none yet" }
        let meaning: Style.Meaning = failure.kind == .needsPerson ? .refused : .pending
        let since = success.map { "; the last one that \($0)" } ?? "; none has succeeded"
        let message = PlainText.foreign(failure.message)
        return styled(false, meaning, "\(SyncLogText.words(failure.kind)): \(message)") + since
    }

    private func sets(_ now: DateTimeOffset) -> [(String, String)] {
        let names = subscriptions.map(Self.name)
        let width = names.map(\.count).max() ?? 0
        let counts = subscriptions.map { PlainText.count(rows[$0.set] ?? 0, "row") }
        let widest = counts.map(\.count).max() ?? 0
        let age = status.lastSuccess.map { PlainText.ago($0, now: now) } ?? "not in step yet"
        return zip(names, counts).enumerated().map { place, line in
            let count = String(repeating: " ", count: widest - line.1.count) + line.1
            return (place == 0 ? "sets" : "", Self.padded(line.0, width + 2) + count + "  " + age)
        }
    }

    private static func name(_ subscription: Subscription) -> String {
        subscription.set + (subscription.filter.map { "?$filter=" + $0 } ?? "")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
