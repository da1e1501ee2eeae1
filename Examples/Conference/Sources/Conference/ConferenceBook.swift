// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// The conference on this device: tracks, sessions, time slots, and who attends what.
///
/// Everything works with no connection. A change is saved when its method returns.
public struct ConferenceBook: Sendable {
    /// What is stored.
    public static let model = EntityModel(
        Track.self,
        ConferenceSession.self,
        TimeSlot.self,
        Attendee.self,
        Attendance.self,
        namespace: "Conference"
    )

    /// The local data.
    public let store: LocalStore

    /// A conference in a store of ``model``.
    public init(store: LocalStore) { self.store = store }

    /// Opens the file of a conference; makes it at the first time.
    public init(path: String) throws { store = try LocalStore.open(path: path, model: Self.model) }

    /// Adds a track.
    ///
    /// - Throws: ``LocalStoreError`` with what is wrong with it.
    @discardableResult
    public func addTrack(name: String = "Track", abstract: String = "This is a great track") throws -> Track {
        let track = Track(trackId: .random(), name: name, trackAbstract: abstract)
        try store.write { _ = try $0.insert(track) }
        return track
    }

    /// Changes a track.
    ///
    /// - Parameter change: sets what is to be different in the track as it is stored now.
    /// - Returns: the track as it is then.
    @discardableResult
    public func edit(_ track: Track, _ change: (inout Track) -> Void) throws -> Track {
        try store.write { tx in
            guard var current = try tx.fetch(Track.self, key: track.trackId) else {
                throw ConferenceError.noSuchTrack(track.name)
            }
            change(&current)
            try tx.update(current)
            return current
        }
    }

    /// Deletes a track and its sessions.
    public func delete(_ track: Track) throws { try store.write { _ = try $0.delete(track) } }

    /// Adds a session to a track, with the next free identifier.
    ///
    /// - Parameter slot: when it takes place, where that is known.
    @discardableResult
    public func addSession(
        to track: Track,
        name: String = "Session",
        abstract: String = "This is a great session",
        slot: TimeSlot? = nil
    ) throws -> ConferenceSession {
        try store.write { tx in
            let session = ConferenceSession(
                sessionKey: .random(),
                sessionId: SessionNumber.next(after: try tx.fetch(ConferenceSession.all).map(\.sessionId)),
                name: name,
                sessionAbstract: abstract,
                trackId: track.trackId,
                slotId: slot?.slotId
            )
            try tx.insert(session)
            return try tx.fetch(ConferenceSession.self, key: session.sessionKey) ?? session
        }
    }

    /// Changes a session.
    ///
    /// - Parameter change: sets what is to be different in the session as it is stored now.
    /// - Returns: the session as it is then.
    @discardableResult
    public func edit(_ session: ConferenceSession, _ change: (inout ConferenceSession) -> Void) throws
        -> ConferenceSession
    {
        try store.write { tx in
            guard var current = try tx.fetch(ConferenceSession.self, key: session.sessionKey) else {
                throw ConferenceError.noSuchSession(session.sessionId)
            }
            change(&current)
            try tx.update(current)
            return try tx.fetch(ConferenceSession.self, key: session.sessionKey) ?? current
        }
    }

    /// Deletes a session; nobody attends it then.
    public func delete(_ session: ConferenceSession) throws { try store.write { _ = try $0.delete(session) } }

    /// Adds a time slot.
    @discardableResult
    public func addSlot(name: String, starts: DateTimeOffset, ends: DateTimeOffset) throws -> TimeSlot {
        let slot = TimeSlot(slotId: .random(), name: name, starts: starts, ends: ends)
        try store.write { _ = try $0.insert(slot) }
        return slot
    }
}
