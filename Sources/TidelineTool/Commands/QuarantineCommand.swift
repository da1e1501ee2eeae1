// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineModel
import TidelineStore

/// `tideline quarantine`.
struct QuarantineCommand: AsyncParsableCommand {
    enum Action: String, ExpressibleByArgument, CaseIterable {
        case retry, discard
    }

    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Show the changes that the service refused, with its reason; send them again, or give them up.",
        discussion: """
            tideline quarantine trade.tideline
            tideline quarantine trade.tideline retry 3
            tideline quarantine trade.tideline discard 3

            Those that build on it go with it, and are named; with retry, those that it
            builds on too.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Argument(help: "retry: send it again with the next sync. discard: give it up.") var action: Action?
    @Argument(help: "The number of the entry.") var id: Int64?
    @Flag(help: "Write JSON, one object a line.") var json = false

    func validate() throws {
        guard (action == nil) == (id == nil) else { throw ValidationError("Give retry or discard with a number.") }
    }

    func run() async throws {
        try await DeviceFailure.during("The quarantine of \(file) cannot be handled.") {
            let store = try DeviceStore(file).store
            let output = Output(json: json)
            switch (action, id) {
            case (.retry?, let id?):
                let known = Set(try store.conflicts().map(\.id))
                let released = try store.retry(quarantined: id)
                let lost = try store.conflicts().count { !known.contains($0.id) && !$0.mineWon }
                let file = ShellWord.quoted(file)
                output.result(
                    [("retry", .integer(id)), ("released", Self.cell(released)), ("conflicts", .integer(lost))],
                    text: "\(Self.text(released)) sent again with the next sync: tideline sync \(file)"
                        + (lost == 0
                            ? ""
                            : "\nWhat \(PlainText.count(lost, "row")) had lost to the service: tideline conflicts \(file)")
                )
            case (.discard?, let id?):
                let discarded = try store.discard(quarantined: id)
                output.result(
                    [("discarded", Self.cell(discarded))],
                    text: "\(Self.text(discarded)) given up. The rows are as the service has them."
                )
            default: try list(store, output)
            }
        }
    }

    private static func cell(_ ids: [Int64]) -> Output.Cell {
        .raw("[" + ids.map { "\($0)" }.joined(separator: ",") + "]")
    }

    /// The beginning of a sentence about entries: `1 transaction (3) is`, `2 transactions (3, 4) are`.
    private static func text(_ ids: [Int64]) -> String {
        let numbers = ids.map { "\($0)" }.joined(separator: ", ")
        return "\(PlainText.count(ids.count, "transaction")) (\(numbers)) \(ids.count == 1 ? "is" : "are")"
    }

    private func list(_ store: LocalStore, _ output: Output) throws {
        var rows: [[Output.Cell]] = []
        for entry in try store.quarantined() {
            for change in entry.changes {
                let key = store.model[set: change.set].map { KeyText.text(change.key, of: $0) } ?? ""
                rows.append([
                    .integer(entry.id), .text(entry.code), .text(entry.message), .text(change.set), .text(key),
                    .text(change.operation.rawValue), .raw(ValueCell.object(change, in: store.model)),
                    entry.dependsOn.map { .integer($0) } ?? .null,
                ])
            }
        }
        output.rows(
            ["id", "code", "reason", "set", "key", "operation", "values", "dependsOn"],
            rows,
            empty: "Nothing is in quarantine."
        )
    }
}
