// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What became of a run.
package struct Outcome: Hashable, Sendable {
    package var seed: UInt64
    /// The same whenever the same happened.
    package var hash: String
    package var statistics: Statistics
    /// What must not be; empty for a run as it should be.
    package var violations: [Violation]
    package var trace: [Trace.Line]
    /// The rows of the service at the end, as text by their sets; empty where the run did not come to it.
    package var rows: [String]
}
