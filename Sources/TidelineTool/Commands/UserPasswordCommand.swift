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
        let accounts = try ServerStores.accounts(directory)
        do {
            try accounts.setPassword(password, user: name, domain: domain)
        } catch {
            throw CommandFailure.wrap("The password was not changed.", error)
        }
        let isDisabled = try accounts.users(of: domain).contains {
            UserName.folded($0.name) == UserName.folded(name) && $0.isDisabled
        }
        let undo = [domain, name, "--undo", "--data", data.path].map(ShellWord.quoted).joined(separator: " ")
        Output(json: json).result(
            [("domain", .text(domain)), ("name", .text(name)), ("state", .text(isDisabled ? "disabled" : "active"))],
            text: "\(name) has a new password; all devices are signed out."
                + (isDisabled ? "\n\(name) is disabled; to allow sign-in again: tideline user disable \(undo)" : "")
        )
    }
}
