// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Conference
import Testing
import Tideline
import TidelineTestSupport

/// The identifiers that people know sessions by.
struct SessionNumberTests {
    private let book: ConferenceBook

    init() throws { book = ConferenceBook(store: try .temporary(model: ConferenceBook.model)) }

    @Test(.covers("MD-I54"))
    func `150 sessions are Session01 to Session150, each once`() throws {
        let track = try book.addTrack()
        let identifiers = try (1...150).map { _ in try book.addSession(to: track).sessionId }
        #expect(Array(identifiers.prefix(3)) == ["Session01", "Session02", "Session03"])
        #expect(Array(identifiers[8...9]) == ["Session09", "Session10"])
        #expect(Array(identifiers[98...100]) == ["Session99", "Session100", "Session101"])
        #expect(identifiers.last == "Session150")
        #expect(Set(identifiers).count == 150)
        #expect(Set(try book.store.fetch(ConferenceSession.all).map(\.sessionId)) == Set(identifiers))
    }

    @Test func `the greatest number counts, and other identifiers are passed over`() throws {
        let track = try book.addTrack()
        let first = try book.addSession(to: track)
        let second = try book.addSession(to: track)
        try book.edit(first) { $0.sessionId = "Keynote" }
        #expect(try book.addSession(to: track).sessionId == "Session03")
        try book.edit(second) { $0.sessionId = "Session9999999999999" }
        #expect(try book.addSession(to: track).sessionId == "Session04")
    }
}
