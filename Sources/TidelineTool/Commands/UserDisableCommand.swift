// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts

/// `tideline user disable`.
struct UserDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Refuse a user's sign-in and sign all their devices out.",
        discussion: """
            tideline user disable shop ada --data ./data
            tideline user disable shop ada --undo --data ./data
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The user's name.") var name: String
    @Flag(help: "Allow sign-in again.") var undo = false
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domainOfUsers(domain, in: directory)
        do {
            try ServerStores.accounts(directory).setDisabled(!undo, user: name, domain: domain)
        } catch {
            throw CommandFailure.wrap("The user was not changed.", error)
        }
        Output(json: json).result(
            [("domain", .text(domain)), ("name", .text(name)), ("state", .text(undo ? "active" : "disabled"))],
            text: undo
                ? "\(name) may sign in to \(domain) again."
                : "\(name) may no longer sign in to \(domain), and all devices are signed out."
        )
    }
}
