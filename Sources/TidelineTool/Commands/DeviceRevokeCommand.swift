// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts

/// `tideline device revoke`.
struct DeviceRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Refuse a device from its next request on.",
        discussion: """
            tideline device revoke shop 5f0c…-…-9b1e --data ./data
            tideline device revoke shop 5f0c…-…-9b1e --undo --data ./data

            Its sync stops and says why; what waits on it stays there. Its data is not
            removed from it, and its user may synchronise with another device: to keep a
            person out, disable the user.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @Argument(help: "The client, as tideline device list shows it.") var client: String
    @Flag(help: "Let it synchronise again.") var undo = false
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let directory = try data.existing()
        _ = try ServerStores.domain(domain, in: directory)
        do {
            try ServerStores.accounts(directory).setRevoked(!undo, device: client, domain: domain)
        } catch {
            throw CommandFailure.wrap(
                "The device was not changed.",
                error,
                next: "The devices of the domain: tideline device list \(domain) --data \(ShellWord.quoted(data.path))"
            )
        }
        Output(json: json).result(
            [("domain", .text(domain)), ("client", .text(client)), ("state", .text(undo ? "active" : "revoked"))],
            text: undo
                ? "\(client) may synchronise with \(domain) again."
                : "\(client) is refused by \(domain) from its next request on; what waits on it stays there."
        )
    }
}
