// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import TidelineSimulator

struct LoopTests {
    /// Collects texts of tasks.
    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock(\.self) }
    }

    @Test func `waits end in the order of their moments, at once`() {
        let loop = Loop(seed: 1)
        let notes = Notes()
        for seconds in [30, 10, 20] {
            loop.start {
                try? await loop.sleep(for: .seconds(seconds))
                notes.add("\(seconds) at \(loop.now)")
            }
        }
        loop.run()
        #expect(notes.all == ["10 at 10.000", "20 at 20.000", "30 at 30.000"])
        #expect(loop.now == SimulatedTime(nanoseconds: 30_000_000_000))
    }

    @Test func `a wait that is interrupted throws, and the others go on`() {
        let loop = Loop(seed: 1)
        let notes = Notes()
        for owner in [1, 2] {
            loop.start {
                do {
                    try await loop.sleep(for: .seconds(5), owner)
                    notes.add("\(owner) woke")
                } catch {
                    notes.add("\(owner) \(error is CancellationError)")
                }
            }
        }
        loop.at(SimulatedTime(nanoseconds: 1)) { loop.interrupt(1) }
        loop.run()
        #expect(notes.all == ["1 true", "2 woke"])
    }

    @Test func `an actor that a task calls runs on the loop too`() {
        actor Counter {
            var count = 0
            func add() -> Int {
                count += 1
                return count
            }
        }
        let loop = Loop(seed: 1)
        let notes = Notes()
        let counter = Counter()
        for _ in 0..<3 {
            loop.start {
                let count = await counter.add()
                notes.add("\(count)")
            }
        }
        loop.run()
        #expect(notes.all.sorted() == ["1", "2", "3"])
    }

    @Test func `a closure of the past is called now`() {
        let loop = Loop(seed: 1)
        let notes = Notes()
        loop.at(SimulatedTime(nanoseconds: 5)) {
            loop.at(.start) { notes.add("\(loop.now.nanoseconds)") }
        }
        loop.run()
        #expect(notes.all == ["5"])
    }

    @Test func `what runs on the loop runs on the thread that made it`() {
        let loop = Loop(seed: 1)
        let notes = Notes()
        loop.start {
            loop.requireThread()
            try? await loop.sleep(for: .seconds(1))
            loop.requireThread()
            notes.add("done")
        }
        loop.run()
        #expect(notes.all == ["done"])
    }

    @Test func `any other thread that uses what the loop's own alone may is stopped`() async {
        await #expect(processExitsWith: .failure) {
            let loop = Loop(seed: 1)
            await withCheckedContinuation { done in
                Thread {
                    loop.requireThread()
                    done.resume()
                }.start()
            }
        }
    }
}
