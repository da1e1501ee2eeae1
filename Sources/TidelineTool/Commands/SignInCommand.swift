// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient
import TidelineModel
import TidelineStore

/// `tideline sign-in`.
struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign in at the service of a store.",
        discussion: """
            tideline sign-in shop.tideline --user ann

            The sign-in is kept in your configuration folder, readable by you alone; never
            in the store file.
            """
    )

    @Argument(help: "The store file.") var file: String
    @Option(help: "The name of the user.") var user: String
    @Flag(name: .customLong("password-stdin"), help: "Read the password from standard input.") var passwordStdin = false
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await DeviceFailure.during("\(user) cannot be signed in.", store: file) {
            let device = try DeviceStore(file)
            // In memory until it is known who that is: a service may know one user by several names.
            let session = try device.session(tokens: .memory())
            let identity = try device.store.identity()
            let prompt = "Password of \(user) at \(session.address.host): "
            let password = try PasswordInput.read(fromStandardInput: passwordStdin, prompt: prompt)
            try await session.signIn(Credentials(user: user, password: password))
            let name = try await session.userName() ?? user
            let owner = try device.store.takeUser(name)
            guard owner == name else {
                _ = try? await session.signOut()
                throw CommandFailure(
                    "\(file) belongs to \(owner).",
                    next: "Clone the data of \(name) into a file of its own."
                )
            }
            try await session.keepTokens(in: DeviceStore.tokens(identity.clientID.text))
            Output(json: json).result([("user", .text(name))], text: "\(name) is signed in.")
        }
    }
}
