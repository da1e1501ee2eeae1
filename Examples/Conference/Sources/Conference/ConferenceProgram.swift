// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import Tideline

/// The commands of the program: words in, lines out.
public struct ConferenceProgram: Sendable {
    /// What the commands are.
    public static let help = """
        A conference, at hand with or without a connection.

          conference FILE tracks                            the tracks by name
          conference FILE add-track NAME [ABSTRACT]         add one
          conference FILE edit-track TRACK NAME [ABSTRACT]  change one
          conference FILE delete-track TRACK                delete one, and its sessions
          conference FILE slots                             the time slots
          conference FILE add-slot NAME START END           add one; times are like 2026-11-30T09:00:00Z
          conference FILE sessions TRACK                    the sessions of a track by name
          conference FILE add-session TRACK [NAME [SLOT]]   add one; it gets the next identifier
          conference FILE edit-session ID NAME [SLOT]       change one
          conference FILE delete-session ID                 delete one
          conference FILE agenda PERSON                     what somebody attends, by time
          conference FILE attend PERSON ID                  mark a session
          conference FILE leave PERSON ID                   take the mark back
          conference FILE model                             the model, for tideline create --model
        """

    private let book: ConferenceBook

    /// The commands over a conference.
    public init(_ book: ConferenceBook) { self.book = book }

    /// Carries a command out.
    ///
    /// - Parameter words: the command and its arguments, without the file.
    /// - Returns: the lines to show.
    /// - Throws: ``ConferenceError`` and ``LocalStoreError``, whose descriptions are for the person at the screen.
    public func run(_ words: [String]) throws -> [String] {
        guard let command = words.first else { throw ConferenceError.unknownCommand("") }
        let rest = Array(words.dropFirst())
        switch command {
        case "tracks", "add-track", "edit-track", "delete-track": return try tracks(command, rest)
        case "slots", "add-slot": return try slots(command, rest)
        case "sessions", "add-session", "edit-session", "delete-session": return try sessions(command, rest)
        case "agenda", "attend", "leave": return try attendance(command, rest)
        case "model" where rest.isEmpty: return [ConferenceBook.model.csdl()]
        default: throw ConferenceError.unknownCommand(command)
        }
    }

    private func tracks(_ command: String, _ rest: [String]) throws -> [String] {
        switch (command, rest.count) {
        case ("tracks", 0): break
        case ("add-track", 1): try book.addTrack(name: rest[0])
        case ("add-track", 2): try book.addTrack(name: rest[0], abstract: rest[1])
        case ("edit-track", 2...3):
            try book.edit(track(rest[0])) { track in
                track.name = rest[1]
                if rest.count == 3 { track.trackAbstract = rest[2] }
            }
        case ("delete-track", 1): try book.delete(track(rest[0]))
        default: throw ConferenceError.unknownCommand(command)
        }
        return try book.store.fetch(Track.all.sorted(.caseInsensitive) { $0.name })
            .map { "\($0.name)  \($0.trackAbstract)" }
    }

    private func slots(_ command: String, _ rest: [String]) throws -> [String] {
        switch (command, rest.count) {
        case ("slots", 0): break
        case ("add-slot", 3): try book.addSlot(name: rest[0], starts: time(rest[1]), ends: time(rest[2]))
        default: throw ConferenceError.unknownCommand(command)
        }
        return try book.store.fetch(TimeSlot.all.sorted { $0.starts }).map { "\($0.name)  \($0.starts) to \($0.ends)" }
    }

    private func sessions(_ command: String, _ rest: [String]) throws -> [String] {
        let owner: GUID
        switch (command, rest.count) {
        case ("sessions", 1): owner = try track(rest[0]).trackId
        case ("add-session", 1): owner = try book.addSession(to: track(rest[0])).trackId
        case ("add-session", 2): owner = try book.addSession(to: track(rest[0]), name: rest[1]).trackId
        case ("add-session", 3):
            owner = try book.addSession(to: track(rest[0]), name: rest[1], slot: slot(rest[2])).trackId
        case ("edit-session", 2...3):
            let slot = rest.count == 3 ? try slot(rest[2]).slotId : nil
            owner = try book.edit(session(rest[0])) { session in
                session.name = rest[1]
                if let slot { session.slotId = slot }
            }.trackId
        case ("delete-session", 1):
            let session = try session(rest[0])
            try book.delete(session)
            owner = session.trackId
        default: throw ConferenceError.unknownCommand(command)
        }
        return try book.store.fetch(
            ConferenceSession.where { $0.trackId == owner }.sorted(.caseInsensitive) { $0.name }
        )
        .map(line)
    }

    private func attendance(_ command: String, _ rest: [String]) throws -> [String] {
        let attendee: Attendee
        switch (command, rest.count) {
        case ("agenda", 1): attendee = try book.attendee(named: rest[0])
        case ("attend", 2):
            let session = try session(rest[1])
            attendee = try book.attendee(named: rest[0])
            try book.mark(session, for: attendee)
        case ("leave", 2):
            let session = try session(rest[1])
            attendee = try book.attendee(named: rest[0])
            try book.unmark(session, for: attendee)
        default: throw ConferenceError.unknownCommand(command)
        }
        let entries = AgendaModel.entries(of: try book.store.fetch(book.agenda(of: attendee)))
        return entries.flatMap { [line($0.session)] + ($0.warning.map { ["  ! \($0)"] } ?? []) }
    }

    private func line(_ session: ConferenceSession) -> String {
        "\(session.sessionId)  \(session.name)" + (session.slotName.map { "  \($0)" } ?? "")
    }

    private func track(_ name: String) throws -> Track {
        try one(book.store.fetch(Track.where { $0.name == name }), name, or: .noSuchTrack(name))
    }

    private func session(_ identifier: String) throws -> ConferenceSession {
        try one(
            book.store.fetch(ConferenceSession.where { $0.sessionId == identifier }),
            identifier,
            or: .noSuchSession(identifier)
        )
    }

    private func slot(_ name: String) throws -> TimeSlot {
        try one(book.store.fetch(TimeSlot.where { $0.name == name }), name, or: .noSuchSlot(name))
    }

    private func one<Element>(_ found: [Element], _ name: String, or none: ConferenceError) throws -> Element {
        guard let first = found.first else { throw none }
        guard found.count == 1 else { throw ConferenceError.ambiguous(name) }
        return first
    }

    private func time(_ text: String) throws -> DateTimeOffset {
        guard let time = DateTimeOffset(text) else { throw ConferenceError.notATime(text) }
        return time
    }
}
