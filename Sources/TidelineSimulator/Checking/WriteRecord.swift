// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One transaction that somebody committed, and what became of it as far as its author knows.
struct WriteRecord: Hashable, Sendable {
    /// Who wrote: a device's name, or `direct`.
    var author: String
    /// The event of the schedule; each value written is this number, a point and a place.
    var event: Int
    /// Whether it added an event and its echo, which must be there once in the end.
    var isMarked: Bool
    /// Given up by its author, or lost with what it was in: it may be there, or not.
    var isGivenUp = false

    init(author: String, event: Int, isMarked: Bool) {
        self.author = author
        self.event = event
        self.isMarked = isMarked
    }

    /// The text of the event and of its echo.
    var mark: String { "w\(event).m" }
}
