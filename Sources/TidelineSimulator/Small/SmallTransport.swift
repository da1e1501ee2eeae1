// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization
import TidelineClient

/// Lets a sync meet events that are given, and stops it where they end.
final class SmallTransport: Transport {
    private struct State {
        var events: [SmallFlightEvent] = []
        var next = 0
        var stop: (SmallRequest, SmallWreck)?
    }

    private let state = Mutex(State())
    private let disk: SimulatedDisk
    private let write: @Sendable (SmallWrite, String) async throws -> Void

    /// - Parameters:
    ///   - disk: that of the device.
    ///   - write: writes a text on the device.
    init(
        _ disk: SimulatedDisk,
        _ events: [SmallFlightEvent],
        write: @escaping @Sendable (SmallWrite, String) async throws -> Void
    ) {
        self.disk = disk
        self.write = write
        state.withLock { $0 = State(events: events) }
    }

    /// The request that no event answers any more, and what a crash there leaves; `nil` where the sync ended before.
    var stop: (SmallRequest, SmallWreck)? { state.withLock(\.stop) }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws -> TransportResponse {
        while let event = next() {
            switch event {
            case .answer(let response): return response
            case .cut: throw cut
            case .write(let change, let text): try await write(change, text)
            }
        }
        stop(at: SmallRequest(head: request, body: body))
        throw cut
    }

    private func next() -> SmallFlightEvent? {
        state.withLock { state in
            guard state.next < state.events.count else { return nil }
            state.next += 1
            return state.events[state.next - 1]
        }
    }

    private func stop(at request: SmallRequest) {
        state.withLock { state in
            guard state.stop == nil else { return }
            state.stop = (request, SmallWreck(killed: disk.image(), powerLost: disk.image(.synced)))
        }
    }

    private var cut: ClientError { ClientError(.interrupted, "The connection ended.", advice: "Try again.") }
}
