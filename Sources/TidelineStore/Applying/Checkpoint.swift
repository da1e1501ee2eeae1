// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// One consistent state of the server, ready to be applied.
package struct Checkpoint: Sendable {
    /// The next delta link of each set that was read, by the wire name of the set.
    package var deltaLinks: [String: String]
    /// Sets whose load is complete: their hidden tables are renamed into place.
    package var loads: Set<String>
    /// Of these, sets that the user may not read any more: nothing was loaded, what waits of them goes to the quarantine.
    package var withheld: Set<String> = []
    /// Sets with staged changes.
    ///
    /// A set may be loaded and staged: the catch-up delta is applied after its load.
    package var staged: Set<String>
    /// The last transaction of this client that the server had decided in this state (`Tideline-Decided`), or `nil`.
    ///
    /// A frozen transaction up to it is part of the rows; a later answer to it brings its keys only.
    package var decided: Int64?
    /// How the service names this state (`Tideline-Event-ID`), or `nil`.
    package var position: String?
    /// Whether it lacks the changes of a set, so that ``decided`` and ``position`` stay as they were.
    package var isPartial = false

    package init(
        deltaLinks: [String: String],
        loads: Set<String> = [],
        withheld: Set<String> = [],
        staged: Set<String> = [],
        decided: Int64? = nil,
        position: String? = nil
    ) {
        self.deltaLinks = deltaLinks
        self.loads = loads
        self.withheld = withheld
        self.staged = staged
        self.decided = decided
        self.position = position
    }
}
