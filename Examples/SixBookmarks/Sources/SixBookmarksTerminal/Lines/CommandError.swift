// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// A mistake in what was typed, or a state that a command cannot work in: what, why, and what next.
public struct CommandError: Error, Hashable, CustomStringConvertible {
    public let description: String
    /// What the program exits with: 2 for a command line that cannot be read, else 1.
    public let status: Int32

    public init(_ description: String, status: Int32 = 1) {
        self.description = description
        self.status = status
    }

    static let nobody = CommandError(
        "Nobody is signed in on this device, so there are no bookmarks to work with. "
            + "Sign in: sixbookmarks sign-in ada (the password comes on standard input)."
    )

    static func unknown(_ command: String) -> CommandError {
        let near = CommandLineRequest.names.filter { $0.hasPrefix(command.prefix(1)) }
        let hint = near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
        return CommandError("There is no command \"\(command)\".\(hint) sixbookmarks --help lists all.", status: 2)
    }

    static func form(_ form: String) -> CommandError {
        CommandError("The command is written so: sixbookmarks \(form)", status: 2)
    }
}
