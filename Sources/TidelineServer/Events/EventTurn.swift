// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import TidelineOData
import TidelineService

/// One who listens now.
struct EventTurn: Sendable {
    var listener: EventListener
    var loaded: LoadedDomain
    var seat: EventHub.Seat
    /// What was told before.
    var since: String?

    /// What happened before the listener came, narrowed to what concerns it.
    func first(on pool: WorkerPool) async throws -> ChangeNotice {
        try await pool.run { [loaded, since, user = listener.user] in try loaded.events.catchUp(since: since, for: user)
        }
    }

    /// The listener's next step; the last one when the server is to stop.
    func step() async throws -> EventListener.Step {
        try await withGracefulShutdownHandler {
            try Task.checkCancellation()
            return await listener.next(now: { ContinuousClock().now })
        } onGracefulShutdown: {
            listener.end()
        }
    }
}
