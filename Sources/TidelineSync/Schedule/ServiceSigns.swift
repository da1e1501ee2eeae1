// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient

/// What the service tells by itself, as signs for a schedule.
///
/// A connection that is there again is a sign of its own: something may have changed meanwhile.
struct ServiceSigns: SyncSignals {
    private let signals: AsyncStream<ServiceSignal>

    init(_ events: ServiceEvents) { signals = events.signals }

    init(_ signals: AsyncStream<ServiceSignal>) { self.signals = signals }

    func next() async -> SyncSign? {
        for await signal in signals where signal.isConnected {
            return signal.hasNews ? SyncSign(.changed, eventID: signal.eventID) : SyncSign(.reachable)
        }
        return nil
    }
}
