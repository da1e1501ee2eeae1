// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineAccounts
import TidelineOData

/// Notes the devices that synchronise, and refuses those that were revoked.
///
/// A device is known by `Repeatability-Client-ID`, which its pushes and pulls carry; other programs send none.
struct DeviceGate: Sendable {
    let accounts: Accounts

    /// Blocks.
    ///
    /// - Throws: ``Refusal`` with 403 for a revoked device.
    func pass(_ request: HTTPRequest, domain: String, user: String?) throws {
        guard let client = request.headerFields[.repeatabilityClientID], !client.isEmpty, client.utf8.count <= 128
        else { return }
        do {
            try accounts.noteDevice(client, domain: domain, user: user, agent: request.headerFields[.userAgent])
        } catch let error as AccountsError where error.code == .revokedDevice {
            throw Refusal(.forbidden, "DeviceRevoked", error.message)
        }
    }
}
