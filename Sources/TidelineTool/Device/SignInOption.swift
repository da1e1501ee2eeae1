// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient

/// `--user NAME`, `--password-stdin`: who asks a service.
struct SignInOption: ParsableArguments {
    @Option(help: "Sign in as this user.") var user: String?
    @Flag(name: .customLong("password-stdin"), help: "Read the password from standard input.") var passwordStdin = false

    func validate() throws {
        guard user != nil || !passwordStdin else {
            throw ValidationError("--password-stdin is the password of a user: give --user NAME too.")
        }
    }

    /// A session at an address, signed in where a user is named.
    func session(at address: String) async throws -> Session {
        let session = Session(
            address: try ServiceAddress(address),
            transport: PlatformTransport.shared,
            device: HostName.text
        )
        try await signIn(session)
        return session
    }

    /// Signs in where a user is named.
    func signIn(_ session: Session) async throws {
        guard let user else { return }
        let prompt = "Password of \(user) at \(session.address.host): "
        let password = try PasswordInput.read(fromStandardInput: passwordStdin, prompt: prompt)
        try await session.signIn(Credentials(user: user, password: password))
    }
}
