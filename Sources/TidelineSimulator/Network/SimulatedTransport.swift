// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TidelineClient
import TidelineModel

/// The way of one device to the service.
struct SimulatedTransport: Transport {
    let network: SimulatedNetwork
    let device: Int
    let user: UserContext

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        try await network.exchange(SimulatedNetwork.Request(head: request, body: body, device: device, user: user))
    }
}
