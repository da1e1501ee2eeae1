// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Observation
public import Tideline

/// The editor of a session.
@MainActor
@Observable
public final class SessionEditorModel {
    /// The name as it stands in its field.
    public var name: String
    /// The abstract as it stands in its field.
    public var abstract: String
    /// The chosen time slot.
    public var slotId: GUID?
    /// The time slots to choose from, by time.
    public let slots: ObservedList<TimeSlot>
    /// What the last save found wrong.
    public private(set) var failures: [ValidationFailure] = []

    /// What people call the session by.
    public var sessionId: String { session.sessionId }

    private var session: ConferenceSession
    private let book: ConferenceBook

    /// An editor of a session as it was shown.
    public init(_ book: ConferenceBook, session: ConferenceSession) {
        self.book = book
        self.session = session
        name = session.name
        abstract = session.sessionAbstract
        slotId = session.slotId
        slots = ObservedList(book.store, TimeSlot.all.sorted { $0.starts })
    }

    /// Saves what was changed here, and leaves what was not as somebody else may have changed it meanwhile.
    ///
    /// - Returns: whether it is saved; otherwise ``failures`` tells why not.
    /// - Throws: ``ConferenceError/noSuchSession(_:)`` when somebody deleted it.
    public func save() throws -> Bool {
        do {
            session = try book.edit(session) { current in
                if name != session.name { current.name = name }
                if abstract != session.sessionAbstract { current.sessionAbstract = abstract }
                if slotId != session.slotId { current.slotId = slotId }
            }
        } catch let error as LocalStoreError where !error.failures.isEmpty {
            failures = error.failures
            return false
        }
        failures = []
        name = session.name
        abstract = session.sessionAbstract
        slotId = session.slotId
        return true
    }
}
