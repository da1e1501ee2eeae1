// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// That somebody means to be in a session.
///
/// Its key is both of them: marked twice, or on two devices, it is the same.
@Entity("Attendances")
public struct Attendance: Hashable, Sendable {
    /// Who.
    @Key @Reference("Attendee", to: Attendee.self, onDelete: .cascade) public var attendeeId: GUID
    /// Where.
    @Key @Reference("Session", to: ConferenceSession.self) public var sessionKey: GUID
}
