// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// Who attends what.
extension ConferenceBook {
    /// The attendee of a name, made at the first time.
    public func attendee(named name: String) throws -> Attendee {
        try store.write { tx in
            if let known = try tx.fetch(Attendee.where { $0.name == name }).first { return known }
            let attendee = Attendee(attendeeId: .random(), name: name)
            try tx.insert(attendee)
            return attendee
        }
    }

    /// What somebody attends, by time; what has no time yet comes first.
    public func agenda(of attendee: Attendee) -> Query<ConferenceSession> {
        let who = attendee.attendeeId
        return ConferenceSession.where { $0.attendances.any { $0.attendeeId == who } }
            .sorted { $0.slot.starts }
            .sorted { $0.name }
    }

    /// Marks a session to be attended; nothing when it is marked already.
    ///
    /// - Returns: what the attendee has at the same time: a warning, for the session is marked all the same.
    @discardableResult
    public func mark(_ session: ConferenceSession, for attendee: Attendee) throws -> [ConferenceSession] {
        try store.write { tx in
            guard let current = try tx.fetch(ConferenceSession.self, key: session.sessionKey) else {
                throw ConferenceError.noSuchSession(session.sessionId)
            }
            let marked = try tx.fetch(agenda(of: attendee))
            if !marked.contains(where: { $0.sessionKey == current.sessionKey }) {
                try tx.insert(Attendance(attendeeId: attendee.attendeeId, sessionKey: current.sessionKey))
            }
            return marked.filter { $0.clashes(with: current) }
        }
    }

    /// Takes the mark back; nothing when there is none.
    public func unmark(_ session: ConferenceSession, for attendee: Attendee) throws {
        let attendance = Attendance(attendeeId: attendee.attendeeId, sessionKey: session.sessionKey)
        try store.write { _ = try $0.delete(attendance) }
    }
}
