// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts
import TidelineModel

/// `tideline user add`.
struct UserAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a user to a domain.",
        discussion: """
            printf '%s\\n' "$PASSWORD" | tideline user add shop ada --role seller \\
              --data ./data --password-stdin

            A user of rows that exist already gets the identifier that they name (here a
            policy OwnerId eq @me):
              tideline user add shop ada --id 1001 --attribute Region=north --data ./data
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The name to sign in with.") var name: String
    @Option(name: .customLong("role"), help: "A role of the user; may be given more than once.") var roles: [String] =
        []
    @Option(help: "What @me stands for: a whole number, a GUID or text. A new GUID without this option.") var id:
        String?
    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp("What @me/NAME stands for; may be given more than once.", valueName: "name=value")
    )
    var attributes: [String] = []
    @Flag(name: .customLong("password-stdin"), help: "Read the password from the first line of standard input.")
    var passwordFromInput = false
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domainOfUsers(domain, in: directory)
        let values = try UserAttributes.values(attributes)
        let password = try PasswordInput.read(
            fromStandardInput: passwordFromInput,
            prompt: "Password for \(name): ",
            isNew: true
        )
        do {
            let user = try ServerStores.accounts(directory).addUser(
                name,
                password: password,
                domain: domain,
                id: id.map(UserIdentifier.value),
                roles: roles,
                attributes: values
            )
            Output(json: json).result(
                [("domain", .text(domain)), ("name", .text(name)), ("id", UserIdentifier.cell(user.id))],
                text: "Added \(name) to \(domain). @me is \(UserIdentifier.text(user.id))."
            )
        } catch {
            throw CommandFailure.wrap("The user was not added.", error)
        }
    }
}
