// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TidelineClient

extension SyncEngine {
    /// Syncs by itself until the task is cancelled or the store is closed.
    ///
    ///     .task { await engine.run() }
    ///
    /// It syncs at the beginning, after local changes, when the service tells of a change, when ``notice(_:)`` says that
    /// the network is there again, and from time to time. What fails for a reason that passes is tried again, later each
    /// time and never given up; what needs a person stops it until ``sync()`` succeeds or ``start(_:)`` is called. Look
    /// at ``status`` for all of it.
    public func run(_ schedule: SyncSchedule = SyncSchedule()) async {
        let listening = ServiceEvents.Options(sleep: options.sleep, random: options.random)
        let signs = schedule.listens ? ServiceSigns(ServiceEvents(client: client, options: listening)) : nil
        await run(schedule, signals: signs)
    }

    /// - Parameters:
    ///   - signals: where signs of the service come from.
    ///   - isAlone: whether syncs run in the task of the schedule, which no other caller shares.
    package func run(_ schedule: SyncSchedule, signals: (any SyncSignals)?, alone isAlone: Bool = false) async {
        await ScheduleRun(self, schedule, alone: isAlone).run(signals)
    }

    /// Syncs by itself from now on, as ``run(_:)`` does, until ``stop()`` or the end of the store.
    ///
    /// Called again, it makes a schedule go on that stopped for a person.
    public func start(_ schedule: SyncSchedule = SyncSchedule()) {
        let isNew = background.withLock { task in
            guard task == nil else { return false }
            // Unstructured on purpose: it outlives the call, and `stop` ends it.
            task = Task { await run(schedule) }
            return true
        }
        if !isNew { board.resume() }
    }

    /// Ends what ``start(_:)`` began, and the sync that it runs; returns when it has ended.
    ///
    /// What was not received completely leaves the store as it was.
    public func stop() async {
        let task = background.withLock { task in
            defer { task = nil }
            return task
        }
        task?.cancel()
        await task?.value
    }

    /// Tells a schedule of something that it cannot see itself: a push notification, the network that is back.
    ///
    ///     monitor.pathUpdateHandler = { if $0.status == .satisfied { engine.notice(.reachable) } }
    public func notice(_ signal: SyncSignal) { board.post(SyncSign(signal)) }
}
