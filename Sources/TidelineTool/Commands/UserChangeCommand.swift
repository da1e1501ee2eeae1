// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts
import TidelineModel

/// `tideline user change`.
struct UserChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Give a user other roles or attributes.",
        discussion: """
            tideline user change shop ada --role seller --role clerk --data ./data
            tideline user change shop ada --attribute Region=south --no-attribute Team \\
              --data ./data

            The roles given are all that the user has from then on. An attribute given
            takes the place of the values that it had; the others stay. Devices stay
            signed in: what the user may see no more leaves them with their next sync,
            and what the user may see now comes.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The user's name.") var name: String
    @Option(name: .customLong("role"), help: "A role of the user; may be given more than once.") var roles: [String] =
        []
    @Flag(help: "Take all roles from the user.") var noRoles = false
    @Option(
        name: .customLong("attribute"),
        help: ArgumentHelp("What @me/NAME stands for; may be given more than once.", valueName: "name=value")
    )
    var attributes: [String] = []
    @Option(
        name: .customLong("no-attribute"),
        help: ArgumentHelp("Take an attribute from the user; may be given more than once.", valueName: "name")
    )
    var removed: [String] = []
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        guard !roles.isEmpty || noRoles || !attributes.isEmpty || !removed.isEmpty else {
            throw ValidationError("Say what changes: --role, --no-roles, --attribute or --no-attribute.")
        }
        guard roles.isEmpty || !noRoles else { throw ValidationError("--role and --no-roles do not go together.") }
    }

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domainOfUsers(domain, in: directory)
        var values = try UserAttributes.values(attributes)
        for name in removed {
            guard values.updateValue([], forKey: name) == nil else {
                throw CommandFailure("The attribute \(name) is both given and taken away.")
            }
        }
        let user: User
        do {
            user = try ServerStores.accounts(directory)
                .changeUser(name, domain: domain, roles: roles.isEmpty && !noRoles ? nil : roles, attributes: values)
        } catch {
            throw CommandFailure.wrap("The user was not changed.", error)
        }
        let held = user.roles.isEmpty ? "no roles" : "the roles \(user.roles.joined(separator: ", "))"
        let known = user.attributes.isEmpty ? "no attributes" : UserAttributes.text(user.attributes)
        Output(json: json).result(
            [
                ("domain", .text(domain)), ("name", .text(user.name)), ("id", UserIdentifier.cell(user.id)),
                ("roles", .raw(JSONText.array(user.roles))),
                ("attributes", UserAttributes.cell(user.attributes, isJSON: true)),
            ],
            text: "\(user.name) has \(held) in \(domain), and \(known)."
        )
    }
}
