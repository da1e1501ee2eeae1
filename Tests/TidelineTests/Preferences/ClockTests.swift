// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import Tideline
import TidelineTestSupport

/// The clock of the book: 12 or 24 hours, a zone, and a face that is drawn five times a second.
private struct ClockFace {
    let preferences: Preferences

    func text(_ moment: Date) -> String {
        // A zone that this system does not know shows as UTC.
        let zone = TimeZone(identifier: preferences.string("zone")) ?? TimeZone(secondsFromGMT: 0) ?? .current
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let time = calendar.dateComponents([.hour, .minute], from: moment)
        let (hour, minute) = (time.hour ?? 0, time.minute ?? 0)
        let digits = minute < 10 ? "0\(minute)" : "\(minute)"
        guard !preferences.bool("style") else { return "\(hour < 10 ? "0" : "")\(hour):\(digits)" }
        return "\((hour + 11) % 12 + 1):\(digits) \(hour < 12 ? "AM" : "PM")"
    }

    /// Calls `draw` each period until the task is cancelled.
    func run<C: Clock>(on clock: C, every period: C.Duration, _ draw: () -> Void) async throws {
        var next = clock.now
        while true {
            next = next.advanced(by: period)
            try await clock.sleep(until: next, tolerance: nil)
            draw()
        }
    }
}

/// A clock that stands until it is moved.
private final class StandingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [(until: Instant, continuation: CheckedContinuation<Void, any Error>)] = []
        var isCancelled = false
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                state.withLock { state in
                    if state.isCancelled { return continuation.resume(throwing: CancellationError()) }
                    if deadline <= state.now { return continuation.resume() }
                    state.sleepers.append((deadline, continuation))
                    state.watcher?.resume()
                    state.watcher = nil
                }
            }
        } onCancel: {
            state.withLock { state in
                state.isCancelled = true
                for sleeper in state.sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
                state.sleepers = []
            }
        }
    }

    /// Waits until somebody sleeps.
    func someoneSleeps() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.sleepers.isEmpty { state.watcher = continuation } else { continuation.resume() }
            }
        }
    }

    /// Moves on, and wakes whoever slept until then.
    func advance(by duration: Duration) async {
        let end = state.withLock { $0.now.advanced(by: duration) }
        while true {
            await someoneSleeps()
            let isOver = state.withLock { state in
                let due = state.sleepers.map(\.until).min() ?? end
                state.now = min(due, end)
                let woken = state.sleepers.filter { $0.until <= state.now }
                state.sleepers.removeAll { $0.until <= state.now }
                for sleeper in woken { sleeper.continuation.resume() }
                return due > end
            }
            if isOver { return }
        }
    }
}

struct ClockTests {
    private func face(_ values: [String: PreferenceValue] = [:]) throws -> ClockFace {
        let path = ProcessFolder.path + "/clock-\(UUID()).json"
        if !values.isEmpty { try JSONEncoder().encode(values).write(to: URL(filePath: path)) }
        return ClockFace(
            preferences: try Preferences(PreferenceSchemaTests.schema(), in: PreferenceFile(path: path))
        )
    }

    @Test(.covers("MD-I28"))
    func `one instant shows in two zones and two formats, and an unknown stored zone falls back`() throws {
        let moment = Date(timeIntervalSince1970: 1_783_000_800)  // 2026-07-02 14:00 UTC
        let face = try face()
        #expect(face.text(moment) == "23:00")
        try face.preferences.set(text: "off", for: "style")
        #expect(face.text(moment) == "11:00 PM")
        try face.preferences.set(text: "Detroit", for: "zone")
        #expect(face.text(moment) == "10:00 AM")
        try face.preferences.set(text: "on", for: "style")
        #expect(face.text(moment) == "10:00")
        let lost = try self.face(["zone": "Mars/Olympus", "style": "24"])
        #expect(lost.preferences["zone"] == "Asia/Tokyo")
        #expect(!lost.preferences.isSet("zone"))
        #expect(lost.text(moment) == "23:00")
    }

    @Test(.covers("MD-I28"))
    func `a second of the clock draws the face five times`() async throws {
        let clock = StandingClock()
        let draws = Mutex(0)
        let face = try face()
        let task = Task {
            try await face.run(on: clock, every: .milliseconds(200)) { draws.withLock { $0 += 1 } }
        }
        await clock.advance(by: .seconds(1))
        #expect(draws.withLock { $0 } == 5)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
