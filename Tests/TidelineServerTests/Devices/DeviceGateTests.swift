// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TidelineAccounts
import TidelineOData
import TidelineServer

struct DeviceGateTests {
    private let world: ServerWorld

    init() throws { world = try ServerWorld() }

    /// The request by which a device pulls.
    private func pull(_ client: some TestClientProtocol, as device: String?) async throws -> TestResponse {
        var fields: HTTPFields = [.contentType: "application/json", .userAgent: "Tideline/9"]
        fields[.repeatabilityClientID] = device
        return try await client.execute(
            uri: "/odata/shop/$batch",
            method: .post,
            headers: fields,
            body: ByteBuffer(string: #"{"requests":[{"id":"1","method":"get","url":"Notes"}]}"#)
        )
    }

    @Test func `a device that pulls is noted, and refused once it is revoked`() async throws {
        try await world.server.application().test(.live) { client in
            #expect(try await pull(client, as: "device-1").status == .ok)
            #expect(try await pull(client, as: "device-2").status == .ok)
            #expect(try await pull(client, as: nil).status == .ok)
            let noted = try world.accounts.devices(of: "shop")
            #expect(noted.map(\.client) == ["device-1", "device-2"])
            #expect(noted.map(\.agent) == ["Tideline/9", "Tideline/9"] && noted.map(\.user) == ["", ""])
            try world.accounts.setRevoked(true, device: "device-1", domain: "shop")
            let refused = try await pull(client, as: "device-1")
            #expect(refused.status == .forbidden && refused.errorCode == "DeviceRevoked")
            #expect(refused.text.contains("This device was revoked"))
            #expect(try await pull(client, as: "device-2").status == .ok)
        }
    }
}
