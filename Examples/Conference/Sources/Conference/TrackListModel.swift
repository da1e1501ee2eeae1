// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The list of tracks: live, sorted by name.
@MainActor
@Observable
public final class TrackListModel {
    /// Where a tap on a track leads.
    public enum Destination: Hashable, Sendable {
        case editor(Track)
        case sessions(Track)
    }

    /// The tracks as the store has them.
    public let tracks: ObservedList<Track>
    /// Whether a tap edits a track in place of showing its sessions.
    public var isEditing = false

    private let book: ConferenceBook

    /// The tracks of a conference.
    public init(_ book: ConferenceBook) {
        self.book = book
        tracks = ObservedList(book.store, Track.all.sorted(.caseInsensitive) { $0.name })
    }

    /// Adds a track with the name and abstract that new ones have; it is saved at once.
    public func add() throws { try book.addTrack() }

    /// Deletes the track of a row and its sessions.
    public func delete(row: Int) throws {
        guard let track = tracks[0, row] else { return }
        try book.delete(track)
    }

    /// Where a tap on a row leads, or `nil` where there is none.
    public func tap(row: Int) -> Destination? {
        tracks[0, row].map { isEditing ? .editor($0) : .sessions($0) }
    }
}
