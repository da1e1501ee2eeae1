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
                try store.retry(quarantined: id)
                output.result(
                    [("retry", .integer(id))],
                    text: "It is sent again with the next sync: tideline sync \(file)"
                )
            case (.discard?, let id?):
                let discarded = try store.discard(quarantined: id)
                output.result(
                    [("discarded", .raw("[" + discarded.map { "\($0)" }.joined(separator: ",") + "]"))],
                    text: "\(discarded.count) transactions are given up; their rows are as the service has them."
                )
            default: try list(store, output)
            }
        }
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
