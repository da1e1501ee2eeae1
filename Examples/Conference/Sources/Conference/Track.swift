// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import Tideline

/// A theme of the conference, and its sessions.
@Entity("Tracks")
@HasMany("Sessions", of: ConferenceSession.self, inverse: "Track", onDelete: .cascade)
public struct Track: Hashable, Sendable {
    /// Made on the device, so that two devices never make the same.
    @Key public var trackId: GUID
    /// What the list shows and is sorted by.
    @MaxLength(80) public var name: String = "Track"
    /// What it is about.
    @MaxLength(2000) public var trackAbstract: String = "This is a great track"

    /// A track has a name.
    public static let rules = [
        rule("Name", message: "A track needs a name.", marking: \.name) { $0.name != "" }
    ]
}
