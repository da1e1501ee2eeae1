// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How large a run is, and what may befall it.
package struct Profile: Hashable, Sendable {
    package var name: String
    package var devices: ClosedRange<Int>
    package var events: ClosedRange<Int>
    /// Whether any order of magnitude of events is as likely as any other; else any number is.
    package var isMostlyShort = false
    /// How often an event is of each kind, as parts of a whole.
    package var edits = 50
    package var syncs = 30
    package var kills = 3
    package var decisions = 3
    package var networks = 6
    package var directs = 5
    package var restarts = 1
    /// How many rare things befall the nodes beside these: copies and restored ones, cut logs, clocks that jump.
    package var befalls = 0...6

    /// What campaigns run: most runs are short, for what fails mostly needs a few events, and more seeds find more.
    package static let usual = Profile(name: "usual", devices: 1...5, events: 10...160, isMostlyShort: true)
    /// Longer runs, where more waits at once.
    package static let long = Profile(name: "long", devices: 1...5, events: 40...220)
    /// The size that speed is measured at: 5 devices, 200 transactions, 2,000 events.
    package static let measured = Profile(name: "measured", devices: 5...5, events: 450...450, befalls: 0...0)

    package static let all = [usual, long, measured]

    /// The profile of a name, or `nil`.
    package static func named(_ name: String) -> Profile? { all.first { $0.name == name } }
}
