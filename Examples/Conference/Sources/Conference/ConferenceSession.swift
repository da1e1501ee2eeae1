// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// A talk of a track, in a time slot or in none yet.
@Entity("Sessions", type: "Session")
@HasMany("Attendances", of: Attendance.self, inverse: "Session", onDelete: .cascade)
public struct ConferenceSession: Hashable, Sendable {
    /// Made on the device, so that two devices never make the same.
    @Key public var sessionKey: GUID
    /// What people call it by: `Session07`.
    ///
    /// Numbers are given on each device by itself, so that two offline ones may give the same: it is no key, and not
    /// unique.
    @MaxLength(20) public var sessionId: String
    /// What the list shows and is sorted by.
    @MaxLength(80) public var name: String = "Session"
    /// What it is about.
    @MaxLength(2000) public var sessionAbstract: String = "This is a great session"
    /// The track that it belongs to.
    @Reference("Track", to: Track.self) public var trackId: GUID
    /// When it takes place.
    @Reference("Slot", to: TimeSlot.self) public var slotId: GUID?
    /// The name of its time slot.
    @Calculated("Slot/Name") public var slotName: String?
    /// When it begins.
    @Calculated("Slot/Starts") public var starts: DateTimeOffset?
    /// When it ends.
    @Calculated("Slot/Ends") public var ends: DateTimeOffset?

    /// A session has a name.
    public static let rules = [
        rule("Name", message: "A session needs a name.", marking: \.name) { $0.name != "" }
    ]

    /// Whether nobody can attend both: they take place at the same time, or overlap.
    public func clashes(with other: ConferenceSession) -> Bool {
        guard sessionKey != other.sessionKey, let starts, let ends, let otherStarts = other.starts,
            let otherEnds = other.ends
        else { return false }
        return starts < otherEnds && otherStarts < ends
    }
}
