// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What the answer to a batch says about one transaction.
struct Verdict: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case accepted
        /// A precondition failed: the rows on the service are needed to merge.
        case conflict
        case refused
        /// It names a row that the service does not have: the pull tells what became of that, then it gets a new number.
        case missing
        /// Not executed because of another transaction; it gets a new number.
        case again
        /// No decision: it is sent again as it is.
        case unknown
        /// No decision: the service failed of it, at its limit of time or otherwise, and may each time.
        case failed
        /// No decision: the service has not begun it, as one before it was given up; it is sent as it is, at once.
        case notBegun

        var isDecided: Bool { ![.unknown, .failed, .notBegun].contains(self) }
    }

    var number: Int64
    var kind: Kind
}
