// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `tideline user`.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add, list, change and remove the users of a domain.",
        discussion: """
            printf '%s\\n' "$PASSWORD" | tideline user add shop ada --role seller \\
              --data ./data --password-stdin
            tideline user list shop --data ./data
            tideline user change shop ada --role clerk --data ./data
            tideline user disable shop ada --data ./data

            A running server sees changes at once, or within five seconds where a token is
            in use.
            """,
        subcommands: [
            UserAddCommand.self, UserListCommand.self, UserChangeCommand.self, UserPasswordCommand.self,
            UserDisableCommand.self, UserRemoveCommand.self,
        ]
    )
}
