// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `tideline conflict`.
struct ConflictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflict",
        abstract: "Show the values that lost on the server, and restore them.",
        discussion: """
            tideline conflict list shop --data ./data
            tideline conflict show shop 7 --data ./data
            tideline conflict restore shop 7 --data ./data

            The log of a device is shown by tideline conflicts FILE.
            """,
        subcommands: [ConflictListCommand.self, ConflictShowCommand.self, ConflictRestoreCommand.self]
    )
}
