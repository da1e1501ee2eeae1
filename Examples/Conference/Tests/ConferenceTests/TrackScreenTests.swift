// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Conference
import Testing
import Tideline

/// The screens of tracks and sessions, as somebody uses them.
@MainActor
@Suite(.timeLimit(.minutes(2)))
struct TrackScreenTests {
    private let book: ConferenceBook

    init() throws { book = ConferenceBook(store: try .temporary(model: ConferenceBook.model)) }

    @Test func `a new track has its defaults, and the list follows by name`() async throws {
        let screen = TrackListModel(book)
        try screen.add()
        await Viewer.wait(for: screen.tracks) { $0.count == 1 }
        #expect(screen.tracks[0, 0]?.name == "Track")
        #expect(screen.tracks[0, 0]?.trackAbstract == "This is a great track")
        try book.addTrack(name: "swift")
        try book.addTrack(name: "Data")
        await Viewer.wait(for: screen.tracks) { $0.count == 3 }
        #expect(Viewer.rows(screen.tracks).map(\.name) == ["Data", "swift", "Track"])
        try screen.delete(row: 2)
        await Viewer.wait(for: screen.tracks) { $0.count == 2 }
        #expect(Viewer.rows(screen.tracks).map(\.name) == ["Data", "swift"])
        #expect(screen.tap(row: 2) == nil)
    }

    @Test func `a tap shows the sessions, and in edit mode the editor`() async throws {
        let track = try book.addTrack(name: "Swift")
        let screen = TrackListModel(book)
        await Viewer.wait(for: screen.tracks) { $0.count == 1 }
        #expect(screen.tap(row: 0) == .sessions(track))
        screen.isEditing = true
        #expect(screen.tap(row: 0) == .editor(track))
    }

    @Test func `the editor saves what was changed and keeps what others changed`() throws {
        let track = try book.addTrack(name: "Swift")
        let editor = TrackEditorModel(book, track: track)
        try book.edit(track) { $0.trackAbstract = "From another screen" }
        editor.name = "Swift 6"
        #expect(try editor.save())
        let stored = try #require(try book.store.fetch(Track.self, key: track.trackId))
        #expect(stored.name == "Swift 6")
        #expect(stored.trackAbstract == "From another screen")
        #expect(editor.abstract == "From another screen")
    }

    @Test func `an empty name is refused with a sentence, and the field keeps it`() throws {
        let track = try book.addTrack(name: "Swift")
        let editor = TrackEditorModel(book, track: track)
        editor.name = ""
        #expect(try !editor.save())
        #expect(editor.failures.map(\.message) == ["A track needs a name."])
        #expect(editor.failures.map(\.properties) == [["Name"]])
        #expect(editor.name == "")
        #expect(try book.store.fetch(Track.self, key: track.trackId)?.name == "Swift")
        editor.name = "Again"
        #expect(try editor.save())
        #expect(editor.failures.isEmpty)
    }

    @Test func `an editor of a track that is gone says so`() throws {
        let track = try book.addTrack(name: "Swift")
        let editor = TrackEditorModel(book, track: track)
        try book.delete(track)
        editor.name = "Late"
        #expect(throws: ConferenceError.noSuchTrack("Swift")) { try editor.save() }
        #expect(try book.store.count(Track.all) == 0)
    }

    @Test func `the sessions of a track are its own, and go with it`() async throws {
        let (swift, data) = (try book.addTrack(name: "Swift"), try book.addTrack(name: "Data"))
        let screen = SessionListModel(book, track: swift)
        try screen.add()
        try book.addSession(to: data, name: "Elsewhere")
        try book.addSession(to: swift, name: "Actors")
        await Viewer.wait(for: screen.sessions) { $0.count == 2 }
        #expect(Viewer.rows(screen.sessions).map(\.name) == ["Actors", "Session"])
        #expect(Viewer.rows(screen.sessions).map(\.sessionId) == ["Session03", "Session01"])
        #expect(screen.sessions[0, 1]?.sessionAbstract == "This is a great session")
        try screen.delete(row: 0)
        await Viewer.wait(for: screen.sessions) { $0.count == 1 }
        try book.delete(swift)
        await Viewer.wait(for: screen.sessions) { $0.count == 0 }
        #expect(try book.store.fetch(ConferenceSession.all).map(\.name) == ["Elsewhere"])
    }

    @Test func `the editor of a session changes its name and its time slot`() async throws {
        let session = try book.addSession(to: book.addTrack())
        let slot = try book.addSlot(name: "Monday", starts: Times.nine, ends: Times.ten)
        let editor = SessionEditorModel(book, session: session)
        await Viewer.wait(for: editor.slots) { $0.count == 1 }
        #expect(editor.sessionId == "Session01")
        editor.name = "Actors"
        editor.slotId = editor.slots[0, 0]?.slotId
        #expect(try editor.save())
        let stored = try #require(try book.store.fetch(ConferenceSession.self, key: session.sessionKey))
        #expect(stored.name == "Actors")
        #expect(stored.slotId == slot.slotId)
        #expect(stored.slotName == "Monday")
        #expect(stored.starts == Times.nine)
    }
}
