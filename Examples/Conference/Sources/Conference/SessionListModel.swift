// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The sessions of a track: live, sorted by name.
@MainActor
@Observable
public final class SessionListModel {
    /// The track.
    public let track: Track
    /// Its sessions as the store has them.
    public let sessions: ObservedList<ConferenceSession>

    private let book: ConferenceBook

    /// The sessions of a track.
    public init(_ book: ConferenceBook, track: Track) {
        self.book = book
        self.track = track
        sessions = ObservedList(
            book.store,
            ConferenceSession.where { $0.track == track }.sorted(.caseInsensitive) { $0.name }
        )
    }

    /// Adds a session with the name, abstract and identifier that new ones have; it is saved at once.
    public func add() throws { try book.addSession(to: track) }

    /// Deletes the session of a row.
    public func delete(row: Int) throws {
        guard let session = sessions[0, row] else { return }
        try book.delete(session)
    }
}
