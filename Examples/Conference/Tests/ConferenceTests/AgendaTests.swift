// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Conference
import Testing
import Tideline
import TidelineTestSupport

/// Attendees who choose their sessions, with no connection.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct AgendaTests {
    private let book: ConferenceBook
    private let actors: ConferenceSession
    private let macros: ConferenceSession
    private let late: ConferenceSession
    private let timeless: ConferenceSession

    init() throws {
        book = ConferenceBook(store: try .temporary(model: ConferenceBook.model))
        let track = try book.addTrack(name: "Swift")
        let nine = try book.addSlot(name: "Nine", starts: Times.nine, ends: Times.ten)
        let ten = try book.addSlot(name: "Ten", starts: Times.ten, ends: Times.eleven)
        actors = try book.addSession(to: track, name: "Actors", slot: nine)
        macros = try book.addSession(to: track, name: "Macros", slot: nine)
        late = try book.addSession(to: track, name: "Late", slot: ten)
        timeless = try book.addSession(to: track, name: "Timeless")
    }

    @Test(.covers("MD-I64"))
    func `sessions are marked and unmarked offline, and a clash in a time slot is warned of`() async throws {
        let ada = AgendaModel(book, attendee: try book.attendee(named: "Ada"))
        #expect(try ada.mark(late).isEmpty)
        #expect(try ada.mark(actors).isEmpty)
        await Viewer.wait(for: ada.sessions) { $0.count == 2 }
        #expect(ada.entries.map(\.session.name) == ["Actors", "Late"])
        #expect(ada.entries.map(\.warning) == [nil, nil])

        #expect(try ada.mark(macros).map(\.name) == ["Actors"])
        await Viewer.wait(for: ada.sessions) { $0.count == 3 }
        #expect(ada.entries.map(\.session.name) == ["Actors", "Macros", "Late"])
        #expect(
            ada.entries.map(\.warning) == [
                "Actors is at the same time as Macros.", "Macros is at the same time as Actors.", nil,
            ]
        )

        try ada.unmark(actors)
        await Viewer.wait(for: ada.sessions) { $0.count == 2 }
        #expect(ada.entries.map(\.session.name) == ["Macros", "Late"])
        #expect(ada.entries.map(\.warning) == [nil, nil])
        // Nothing was asked of a service: all of it waits on the device.
        #expect(try book.store.status().pendingTransactions > 0)
    }

    @Test func `marking twice is marking once, and others have agendas of their own`() throws {
        let (ada, bob) = (try book.attendee(named: "Ada"), try book.attendee(named: "Bob"))
        #expect(try book.attendee(named: "Ada") == ada)
        try book.mark(actors, for: ada)
        #expect(try book.mark(actors, for: ada).isEmpty)
        #expect(try book.mark(macros, for: bob).isEmpty)
        #expect(try book.store.count(Attendance.all) == 2)
        try book.unmark(actors, for: ada)
        try book.unmark(actors, for: ada)
        #expect(try book.store.fetch(book.agenda(of: ada)).isEmpty)
        #expect(try book.store.fetch(book.agenda(of: bob)).map(\.name) == ["Macros"])
    }

    @Test func `slots that overlap clash, those that meet do not, and without a slot nothing does`() throws {
        let ada = try book.attendee(named: "Ada")
        let track = try book.addTrack(name: "Data")
        let half = try book.addSlot(name: "Half past", starts: Times.half, ends: Times.eleven)
        let long = try book.addSession(to: track, name: "Long", slot: half)
        try book.mark(actors, for: ada)
        #expect(try book.mark(late, for: ada).isEmpty)
        #expect(try book.mark(timeless, for: ada).isEmpty)
        #expect(try book.mark(long, for: ada).map(\.name) == ["Actors", "Late"])
    }

    @Test func `a session that moves to another slot clashes there, as the agenda shows at once`() async throws {
        let ada = AgendaModel(book, attendee: try book.attendee(named: "Ada"))
        try ada.mark(actors)
        try ada.mark(late)
        let slot = try #require(actors.slotId)
        try book.edit(late) { $0.slotId = slot }
        await Viewer.wait(for: ada.sessions) { $0.count == 2 && $0[0, 1]?.slotId == slot }
        #expect(ada.entries.map(\.clashes) == [["Late"], ["Actors"]])
    }

    @Test func `a session that is deleted leaves every agenda`() throws {
        let ada = try book.attendee(named: "Ada")
        try book.mark(actors, for: ada)
        try book.delete(actors)
        #expect(try book.store.count(Attendance.all) == 0)
        #expect(throws: ConferenceError.noSuchSession("Session01")) { try book.mark(actors, for: ada) }
    }
}
