// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient
import TidelineModel
import TidelineService

/// The way from a scenario's device to its service: in place, and cut when either has lost its power.
final class ScenarioTransport: Transport {
    private struct State {
        var service: ODataService?
        var losesAnswers = false
    }

    private let state = Mutex(State())
    private let disks: [SimulatedDisk]

    init(_ disks: [SimulatedDisk]) { self.disks = disks }

    /// Connects a service, or none.
    func connect(_ service: ODataService?) { state.withLock { $0.service = service } }

    /// Whether what the service answers is lost from now on.
    func loseAnswers(_ loses: Bool) { state.withLock { $0.losesAnswers = loses } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        let (service, losesAnswers) = state.withLock { ($0.service, $0.losesAnswers) }
        guard let service, isPowered else { throw cut }
        let response = service.respond(to: request, body: body, user: .anonymous)
        let answer = TransportResponse(head: response.head, body: try response.body.all())
        // Who died while it answered sends nothing.
        guard isPowered, !losesAnswers else { throw cut }
        return answer
    }

    private var isPowered: Bool { disks.allSatisfy { !$0.isCrashed } }

    private var cut: ClientError { ClientError(.interrupted, "The connection ended.", advice: "Try again.") }
}
