// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TidelineAccounts
import TidelineModel
import TidelineServer
import TidelineStorage

/// `tideline device list`.
struct DeviceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the devices that synchronise with a domain.",
        discussion: """
            tideline device list shop --data ./data

            A device is a store file: a clone or copy of one is another device. The last
            decided transaction is the last of its pushes that the domain accepted or
            refused. It was seen last at most ten minutes after the time that is shown.
            """
    )

    @Argument(help: "The domain.") var domain: String
    @OptionGroup var data: DataOption
    @Flag(help: "Write JSON, one object a line.") var json = false

    func run() async throws {
        let directory = try data.existing()
        let published = try ServerStores.domain(domain, in: directory)
        do {
            let devices = try ServerStores.accounts(directory).devices(of: domain)
            let store =
                devices.isEmpty ? nil : try ServerStores.open(published, folder: directory.folder(domain: domain))
            let decided = try store?.read { reader in try devices.map { try reader.mark(client: $0.client) } } ?? []
            Output(json: json).rows(
                ["client", "user", "firstSeen", "lastSeen", "decided", "version", "state"],
                zip(devices, decided).map { device, mark in
                    [
                        .text(device.client), device.user.isEmpty ? .null : .text(device.user),
                        Self.time(device.firstSeen), Self.time(device.lastSeen),
                        mark.map { .integer($0.transaction) } ?? .null, .text(device.agent),
                        .text(device.revokedAt == nil ? "active" : "revoked"),
                    ]
                },
                empty: "No device has synchronised with \(domain) yet."
            )
        } catch {
            throw CommandFailure.wrap(
                "The devices cannot be listed.",
                error,
                next: DatabaseSource.adviceForLoss(of: published, in: data)
            )
        }
    }

    private static func time(_ seconds: Int64) -> Output.Cell { .text(DateTimeOffset(seconds: seconds).text) }
}
