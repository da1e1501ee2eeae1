// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Testing
import TidelineModel
import TidelineOData

@testable import TidelineServer

/// What waits for one connection, on a clock of the test's.
struct EventListenerTests {
    private let start = ContinuousClock().now
    private let listener: EventListener

    init() { listener = EventListener(user: .anonymous, now: start, deadline: start + .seconds(100)) }

    private func next(after seconds: Int) async -> EventListener.Step {
        await listener.next(now: { start + .seconds(seconds) })
    }

    private func tick(_ seconds: Int) { listener.tick(start + .seconds(seconds), keepAlive: .seconds(25)) }

    @Test func `however much is offered, one notice waits, with all of it`() async {
        listener.offer(ChangeNotice(id: "1", sets: ["Notes"]))
        listener.offer(ChangeNotice(id: "2", sets: []))
        listener.offer(ChangeNotice(id: "3", sets: ["Orders"]))
        #expect(await next(after: 0) == .tell(ChangeNotice(id: "3", sets: ["Notes", "Orders"])))
        tick(24)
        tick(25)
        #expect(await next(after: 25) == .keepAlive(id: nil))
    }

    @Test func `after a while without an event the connection is shown to live, with what passed it by`() async {
        listener.offer(ChangeNotice(id: "1", sets: []))
        tick(25)
        #expect(await next(after: 25) == .keepAlive(id: "1"))
        listener.offer(ChangeNotice(id: "2", sets: ["Notes"]))
        #expect(await next(after: 40) == .tell(ChangeNotice(id: "2", sets: ["Notes"])))
        // An event shows it too: 25 seconds from there.
        tick(64)
        listener.offer(ChangeNotice(id: "3", sets: ["Notes"]))
        tick(65)
        #expect(await next(after: 65) == .tell(ChangeNotice(id: "3", sets: ["Notes"])))
    }

    @Test func `what is to be told is told before the end`() async {
        tick(99)
        listener.offer(ChangeNotice(id: "1", sets: ["Notes"]))
        tick(100)
        #expect(await next(after: 100) == .tell(ChangeNotice(id: "1", sets: ["Notes"])))
        #expect(await next(after: 100) == .end)
        #expect(await next(after: 100) == .end)
    }

    @Test func `how far the log went on is told before the end, though nothing of it concerns the user`() async {
        listener.offer(ChangeNotice(id: "1", sets: []))
        listener.end()
        #expect(await next(after: 0) == .keepAlive(id: "1"))
        #expect(await next(after: 0) == .end)
    }

    @Test func `who waits is woken, and one whose task is cancelled is at the end`() async {
        async let step = next(after: 0)
        listener.offer(ChangeNotice(id: "1", sets: ["Notes"]))
        #expect(await step == .tell(ChangeNotice(id: "1", sets: ["Notes"])))
        let waiting = Task { await next(after: 0) }
        waiting.cancel()
        #expect(await waiting.value == .end)
    }
}
