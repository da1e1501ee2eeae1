// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `tideline device`.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "List the devices of a domain, and refuse one.",
        discussion: """
            tideline device list shop --data ./data
            tideline device revoke shop 5f0c…-…-9b1e --data ./data

            A running server sees changes within five seconds.
            """,
        subcommands: [DeviceListCommand.self, DeviceRevokeCommand.self]
    )
}
