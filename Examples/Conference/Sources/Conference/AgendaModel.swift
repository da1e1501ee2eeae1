// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// What an attendee means to attend: live, by time, with a warning where two take place at once.
@MainActor
@Observable
public final class AgendaModel {
    /// A session of the agenda.
    public struct Entry: Hashable, Sendable {
        /// The session.
        public let session: ConferenceSession
        /// The names of what else is marked at that time.
        public let clashes: [String]

        /// What is to be warned of, or `nil`.
        public var warning: String? {
            clashes.isEmpty ? nil : "\(session.name) is at the same time as \(clashes.joined(separator: ", "))."
        }
    }

    /// Whose it is.
    public let attendee: Attendee
    /// The marked sessions as the store has them.
    public let sessions: ObservedList<ConferenceSession>

    private let book: ConferenceBook

    /// The agenda of an attendee.
    public init(_ book: ConferenceBook, attendee: Attendee) {
        self.book = book
        self.attendee = attendee
        sessions = ObservedList(book.store, book.agenda(of: attendee))
    }

    /// The marked sessions, by time.
    public var entries: [Entry] {
        let all = sessions.sections.flatMap { $0.keys.compactMap { sessions[$0] } }
        return Self.entries(of: all)
    }

    /// Marks a session.
    ///
    /// - Returns: the sessions that it clashes with; it is marked all the same.
    @discardableResult
    public func mark(_ session: ConferenceSession) throws -> [ConferenceSession] {
        try book.mark(session, for: attendee)
    }

    /// Takes the mark of a session back.
    public func unmark(_ session: ConferenceSession) throws { try book.unmark(session, for: attendee) }

    /// Sessions with what else of them is at their times.
    nonisolated static func entries(of sessions: [ConferenceSession]) -> [Entry] {
        sessions.map { session in
            Entry(session: session, clashes: sessions.filter { $0.clashes(with: session) }.map(\.name))
        }
    }
}
