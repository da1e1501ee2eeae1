// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineClient
import TidelineModel
import TidelineStore

/// One schedule under way: carries out what its machine commands, and tells it what happens.
///
/// Used by one task; nothing here decides.
final class ScheduleRun {
    /// What comes from outside.
    private enum Input: Sendable {
        case event(ScheduleEvent)
        /// The wait of that number is over.
        case elapsed(Int)
        case news(SyncBoard.News)
    }

    private let engine: SyncEngine
    /// Whether syncs run in the task of the schedule, which no other caller shares.
    private let isAlone: Bool
    private let inputs: AsyncStream<Input>.Continuation
    private let stream: AsyncStream<Input>
    private var machine: ScheduleMachine
    /// The number of the wait that runs, and what ends it.
    private var wait: (number: Int, gate: AsyncStream<Void>.Continuation?) = (0, nil)
    /// When the wait that runs is over, by the device's clock.
    private var waitsUntil: DateTimeOffset?
    /// What the last sync failed for; kept until one succeeds.
    private var trouble: SyncFailure.Kind?

    init(_ engine: SyncEngine, _ schedule: SyncSchedule, alone isAlone: Bool) {
        self.engine = engine
        self.isAlone = isAlone
        machine = ScheduleMachine(schedule)
        (stream, inputs) = AsyncStream.makeStream(of: Input.self)
    }

    /// Runs until the task is cancelled or the store is closed.
    func run(_ signals: (any SyncSignals)?) async {
        let place = engine.board.listen { [inputs] in inputs.yield(.news($0)) }
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let commits = engine.store.ring(bell)
        defer {
            engine.board.forget(place)
            engine.store.stopRinging(commits)
            engine.board.post(schedule: nil)
        }
        await withDiscardingTaskGroup { group in
            group.addTask { [inputs, store = engine.store, board = engine.board] in
                var known: Int64?
                var synced = try? await store.perform { try $0.syncLog(limit: 1) }
                for await _ in rings {
                    // What cannot be read now is read at the next commit, or at the end of the next sync.
                    guard let (newest, syncs) = try? await store.perform({ try $0.news() }) else { continue }
                    if let newest, newest != known { inputs.yield(.event(.changed)) }
                    known = newest ?? known
                    // How a sync of this engine ends is told by the board; this one was another program's.
                    if syncs != synced, syncs.first?.failure == nil, !board.isSyncing { inputs.yield(.event(.start)) }
                    synced = syncs
                }
                inputs.finish()
            }
            if let signals {
                group.addTask { [board = engine.board] in
                    while let sign = await signals.next() { board.post(sign) }
                }
            }
            inputs.yield(.event(.start))
            for await input in stream {
                guard let event = await event(input) else { continue }
                for command in machine.handle(event) { carryOut(command, &group) }
                show()
            }
            group.cancelAll()
        }
    }

    /// What an input is to the machine; `nil` for what is out of date.
    private func event(_ input: Input) async -> ScheduleEvent? {
        switch input {
        case .event(let event): return event
        case .elapsed(let number): return number == wait.number ? .elapsed : nil
        case .news(.signal): return engine.board.isAnswered ? nil : .signalled
        case .news(.resume): return .start
        case .news(.ended(.success)):
            trouble = nil
            do {
                let hasMore = try await engine.store.perform { try $0.newestFreshNumber() } != nil
                return .ended(hasMore: hasMore, isAnswered: engine.board.isAnswered)
            } catch {
                return failed(error)
            }
        // Somebody ended a sync of their own; one of the schedule goes on or follows.
        case .news(.ended(.failure(is CancellationError))): return nil
        case .news(.ended(.failure(let error))): return failed(error)
        }
    }

    private func failed(_ error: any Error) -> ScheduleEvent {
        let failure = SyncFailure(error)
        trouble = failure.kind
        return .failed(
            failure.kind,
            isRetried: failure.isRetried,
            asked: (error as? ClientError)?.retryAfter,
            jitter: engine.options.random()
        )
    }

    private func carryOut(_ command: ScheduleCommand, _ group: inout DiscardingTaskGroup) {
        switch command {
        case .sync:
            // How it ends is told by the board, as for the syncs of others.
            group.addTask { [engine, isAlone, inputs] in
                do {
                    _ = try await isAlone ? engine.syncAlone() : engine.sync()
                } catch is CancellationError where !Task.isCancelled {
                    // A person gave the sign-in up: the board's word for that is the one for a sync that others ended.
                    let error = ClientError(.signInRequired, "The sign-in was cancelled.", advice: "Sign in.")
                    engine.board.note(SyncFailure(error))
                    inputs.yield(.news(.ended(.failure(error))))
                } catch {}
            }
        case .endWait: endWait()
        case .wait(let duration):
            endWait()
            let number = wait.number
            let (gate, end) = AsyncStream.makeStream(of: Void.self)
            wait.gate = end
            waitsUntil = engine.options.now().advanced(by: duration)
            group.addTask { [inputs, sleep = engine.options.sleep] in
                await withTaskGroup(of: Bool.self) { race in
                    race.addTask { (try? await sleep(duration)) != nil }
                    race.addTask {
                        for await _ in gate {}
                        return false
                    }
                    if await race.next() == true { inputs.yield(.elapsed(number)) }
                    race.cancelAll()
                }
            }
        }
    }

    private func endWait() {
        wait.gate?.finish()
        wait = (wait.number + 1, nil)
        waitsUntil = nil
    }

    /// Tells who watches what the schedule is about.
    private func show() {
        let schedule: SyncActivity.Schedule
        switch (trouble, waitsUntil) {
        case (.offline, let time?): schedule = .offline(until: time)
        case (.passing, let time?): schedule = .waiting(until: time)
        case (.needsPerson, let time): schedule = .stopped(until: time)
        default: schedule = .idle
        }
        engine.board.post(schedule: schedule)
    }
}
