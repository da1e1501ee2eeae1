// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts

/// `tideline user remove`.
struct UserRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a user and sign all their devices out.",
        discussion: """
            tideline user remove shop ada --data ./data

            The rows of the user stay in the database. What waits on a device of the
            user is kept there and not sent, unless somebody signs in there again by that
            name. Where the user may come back, tideline user disable refuses sign-in and
            keeps roles, attributes and identifier.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The user's name.") var name: String
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domainOfUsers(domain, in: directory)
        do {
            try ServerStores.accounts(directory).removeUser(name, domain: domain)
        } catch {
            throw CommandFailure.wrap("The user was not removed.", error)
        }
        Output(json: json).result(
            [("domain", .text(domain)), ("name", .text(name)), ("state", .text("removed"))],
            text: "Removed \(name) from \(domain), and all devices are signed out."
        )
    }
}
