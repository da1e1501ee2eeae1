// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Conference
import Foundation
import Testing
import Tideline

/// The program, each command by a process of its own.
@MainActor
@Suite(.timeLimit(.minutes(2)))
final class ConferenceProgramTests {
    private let folder: URL
    private var path: String { folder.appending(path: "fair.tideline").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tideline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the file, runs a command, and closes the file.
    @discardableResult
    private func run(_ words: String...) throws -> [String] {
        let book = try ConferenceBook(path: path)
        defer { try? book.store.close() }
        return try ConferenceProgram(book).run(words)
    }

    private func script() throws {
        for track in ["Swift", "Data", "Web"] { try run("add-track", track, "About \(track)") }
        try run("add-slot", "Nine", "2026-11-30T09:00:00Z", "2026-11-30T10:00:00Z")
        try run("add-session", "Swift", "Actors", "Nine")
        try run("add-session", "Swift", "Macros", "Nine")
        try run("add-session", "Data", "Offline first")
        try run("add-session", "Web")
        try run("add-session", "Web", "Servers")
    }

    @Test func `three tracks and five sessions are there after a restart, in the program and on the screens`()
        async throws
    {
        try script()
        try run("edit-track", "Data", "Databases")
        #expect(try run("delete-track", "Web") == ["Databases  About Data", "Swift  About Swift"])
        #expect(try run("tracks") == ["Databases  About Data", "Swift  About Swift"])
        #expect(try run("sessions", "Swift") == ["Session01  Actors  Nine", "Session02  Macros  Nine"])
        #expect(try run("sessions", "Databases") == ["Session03  Offline first"])
        let book = try ConferenceBook(path: path)
        let screen = TrackListModel(book)
        await Viewer.wait(for: screen.tracks) { $0.count == 2 }
        #expect(Viewer.rows(screen.tracks).map(\.name) == ["Databases", "Swift"])
        #expect(try book.store.count(ConferenceSession.all) == 3)
        try book.store.close()
    }

    @Test func `somebody attends two sessions at once, is warned, and leaves one`() throws {
        try script()
        #expect(try run("attend", "Ada", "Session01") == ["Session01  Actors  Nine"])
        #expect(
            try run("attend", "Ada", "Session02") == [
                "Session01  Actors  Nine", "  ! Actors is at the same time as Macros.",
                "Session02  Macros  Nine", "  ! Macros is at the same time as Actors.",
            ]
        )
        #expect(try run("leave", "Ada", "Session01") == ["Session02  Macros  Nine"])
        #expect(try run("agenda", "Ada") == ["Session02  Macros  Nine"])
        #expect(
            try run("edit-session", "Session02", "Macros again") == [
                "Session01  Actors  Nine", "Session02  Macros again  Nine",
            ]
        )
        #expect(try run("delete-session", "Session02") == ["Session01  Actors  Nine"])
        #expect(try run("agenda", "Ada") == [])
    }

    @Test func `what is not there is named`() throws {
        try script()
        #expect(throws: ConferenceError.noSuchTrack("Cobol")) { try run("sessions", "Cobol") }
        #expect(throws: ConferenceError.noSuchSession("Session77")) { try run("attend", "Ada", "Session77") }
        #expect(throws: ConferenceError.noSuchSlot("Noon")) { try run("add-session", "Swift", "Lunch", "Noon") }
        #expect(throws: ConferenceError.notATime("soon")) { try run("add-slot", "Noon", "soon", "later") }
        #expect(throws: ConferenceError.unknownCommand("dance")) { try run("dance") }
        #expect(try run("slots") == ["Nine  2026-11-30T09:00:00Z to 2026-11-30T10:00:00Z"])
        let error = #expect(throws: LocalStoreError.self) { try run("add-track", "") }
        #expect(error?.failures.map(\.message) == ["A track needs a name."])
        try run("add-track", "Swift")
        #expect(throws: ConferenceError.ambiguous("Swift")) { try run("sessions", "Swift") }
    }
}
