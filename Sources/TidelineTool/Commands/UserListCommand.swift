// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts

/// `tideline user list`.
struct UserListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the users of a domain.",
        discussion: "tideline user list shop --data ./data"
    )

    @Argument(help: "The domain.") var domain: String
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON, one object a line.") var json = false

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domainOfUsers(domain, in: directory)
        do {
            let users = try ServerStores.accounts(directory).users(of: domain)
            let output = Output(json: json)
            output.rows(
                ["name", "id", "roles", "attributes", "state"],
                users.map { user in
                    [
                        .text(user.name), UserIdentifier.cell(user.id),
                        output.isJSON ? .raw(JSONText.array(user.roles)) : .text(user.roles.joined(separator: ", ")),
                        UserAttributes.cell(user.attributes, isJSON: output.isJSON),
                        .text(user.isDisabled ? "disabled" : "active"),
                    ]
                },
                empty:
                    "The domain \(domain) has no users. Add one: "
                    + "tideline user add \(domain) NAME --data \(ShellWord.quoted(data.path))"
            )
        } catch {
            throw CommandFailure.wrap("The users cannot be listed.", error)
        }
    }
}
