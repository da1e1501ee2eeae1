// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts

/// `tideline user password`.
struct UserPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Give a user another password and sign all their devices out.",
        discussion: """
            printf '%s\\n' "$PASSWORD" | tideline user password shop ada \\
              --data ./data --password-stdin
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The user's name.") var name: String
    @Flag(name: .customLong("password-stdin"), help: "Read the password from the first line of standard input.")
    var passwordFromInput = false
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domainOfUsers(domain, in: directory)
        let password = try PasswordInput.read(
            fromStandardInput: passwordFromInput,
            prompt: "New password for \(name): ",
            isNew: true
        )
        do {
            try ServerStores.accounts(directory).setPassword(password, user: name, domain: domain)
        } catch {
            throw CommandFailure.wrap("The password was not changed.", error)
        }
        Output(json: json).result(
            [("domain", .text(domain)), ("name", .text(name))],
            text: "\(name) has a new password; all devices are signed out."
        )
    }
}
