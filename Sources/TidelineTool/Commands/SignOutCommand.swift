// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineClient

/// `tideline sign-out`.
struct SignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "End the sign-in of a store; its data stays.",
        discussion: "tideline sign-out shop.tideline"
    )

    @Argument(help: "The store file.") var file: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let what = "The service did not end the sign-in; this machine has forgotten it."
        try await DeviceFailure.during(what, store: file) {
            let wasSignedIn = try await DeviceStore(file).session().signOut()
            Output(json: json).result(
                [("signedOut", .boolean(wasSignedIn))],
                text: wasSignedIn ? "Signed out." : "Nobody was signed in."
            )
        }
    }
}
