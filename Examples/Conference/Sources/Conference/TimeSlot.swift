// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// A time at which sessions take place.
@Entity("TimeSlots")
public struct TimeSlot: Hashable, Sendable {
    /// Made on the device.
    @Key public var slotId: GUID
    /// What it is called: `Monday 9:00`.
    @MaxLength(40) @Unique public var name: String
    /// When its sessions begin.
    public var starts: DateTimeOffset
    /// When its sessions end.
    public var ends: DateTimeOffset

    /// A slot takes time.
    public static let rules = [
        rule("Times", message: "A time slot ends after it starts.", marking: \.ends) { $0.ends > $0.starts }
    ]
}
