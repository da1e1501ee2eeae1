// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineServer
import TidelineStorage

/// `tideline conflict list`.
struct ConflictListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what lost on the server, the newest first.",
        discussion: """
            tideline conflict list shop --data ./data

            unseen    a write without If-Match replaced what its writer may not have seen
            refused   a device was refused, since the row had changed; it decides by the
                      conflict policy. The entry is open while this device has not
                      written the row since, as where it gave its values up
            decided   that device wrote the same properties again, over what is shown
                      as lost

            Where lost is empty (null in JSON), a deletion lost; where won is, the row is
            gone.

            An entry is kept as long as the change log keeps changes, and 10,000 entries
            or 64 MiB at most.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @OptionGroup var data: DataOption
    @Option(help: ArgumentHelp("The most entries.", valueName: "number")) var limit = 100
    @Flag(help: "Write JSON, one object a line.") var json = false

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit is 1 or more.") }
    }

    func run() async throws {
        let service = try DomainConflicts(domain, data)
        do {
            let conflicts = try service.entries(ConflictQuery(limit: limit))
            Output(json: json).rows(
                ["id", "time", "kind", "set", "key", "lost", "won", "user", "client", "state"],
                conflicts.map { conflict in
                    [
                        .integer(conflict.id), ConflictText.time(conflict.time), .text(conflict.kind.rawValue),
                        .text(conflict.set), .text(conflict.key), ConflictText.values(conflict.lost),
                        ConflictText.values(conflict.won), ConflictText.text(conflict.user),
                        ConflictText.text(conflict.client), .text(ConflictText.state(conflict)),
                    ]
                },
                empty: "Nothing has lost in \(domain)."
            )
        } catch {
            throw CommandFailure.wrap("The conflicts cannot be listed.", error)
        }
    }
}
