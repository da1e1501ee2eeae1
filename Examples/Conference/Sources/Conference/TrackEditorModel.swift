// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The editor of a track.
@MainActor
@Observable
public final class TrackEditorModel {
    /// The name as it stands in its field.
    public var name: String
    /// The abstract as it stands in its field.
    public var abstract: String
    /// What the last save found wrong.
    public private(set) var failures: [ValidationFailure] = []

    private var track: Track
    private let book: ConferenceBook

    /// An editor of a track as it was shown.
    public init(_ book: ConferenceBook, track: Track) {
        self.book = book
        self.track = track
        name = track.name
        abstract = track.trackAbstract
    }

    /// Saves what was changed here, and leaves what was not as somebody else may have changed it meanwhile.
    ///
    /// - Returns: whether it is saved; otherwise ``failures`` tells why not.
    /// - Throws: ``ConferenceError/noSuchTrack(_:)`` when somebody deleted it.
    public func save() throws -> Bool {
        do {
            track = try book.edit(track) { current in
                if name != track.name { current.name = name }
                if abstract != track.trackAbstract { current.trackAbstract = abstract }
            }
        } catch let error as LocalStoreError where !error.failures.isEmpty {
            failures = error.failures
            return false
        }
        failures = []
        name = track.name
        abstract = track.trackAbstract
        return true
    }
}
