// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// Somebody who visits the conference.
@Entity("Attendees")
public struct Attendee: Hashable, Sendable {
    /// Made on the device.
    @Key public var attendeeId: GUID
    /// What they are called.
    @MaxLength(80) @Unique public var name: String

    /// An attendee has a name.
    public static let rules = [
        rule("Name", message: "An attendee needs a name.", marking: \.name) { $0.name != "" }
    ]
}
