// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineStorage

/// `tideline conflict show`.
struct ConflictShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all that is known of one entry.",
        discussion: "tideline conflict show shop 7 --data ./data"
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The number of the entry.") var id: Int64
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let service = try DomainConflicts(domain, data)
        let conflict = try service.entry(id)
        let fields: [(String, Output.Cell)] = [
            ("id", .integer(conflict.id)), ("time", ConflictText.time(conflict.time)),
            ("kind", .text(conflict.kind.rawValue)), ("set", .text(conflict.set)), ("key", .text(conflict.key)),
            ("lost", ConflictText.values(conflict.lost)), ("won", ConflictText.values(conflict.won)),
            ("user", ConflictText.text(conflict.user)), ("client", ConflictText.text(conflict.client)),
            ("request", ConflictText.text(conflict.request)), ("policy", ConflictText.text(conflict.policy)),
            ("state", .text(ConflictText.state(conflict))),
            ("restoredAt", conflict.restoredAt.map(ConflictText.time) ?? .null),
        ]
        Output(json: json).result(
            fields,
            text: fields.map { $0 + String(repeating: " ", count: 12 - $0.count) + $1.plain }.joined(separator: "\n")
        )
    }
}
