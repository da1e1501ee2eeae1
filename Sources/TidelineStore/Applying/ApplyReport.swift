// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What applying a checkpoint did.
package struct ApplyReport: Hashable, Sendable {
    /// Rows stored, those of loads included.
    package var stored = 0
    /// Rows removed.
    package var removed = 0
    /// Rows passed over because their ETag was known.
    package var skipped = 0
    /// Rows in which both sides' changes were joined.
    package var merged = 0
    /// Identifiers of new conflict entries.
    package var conflicts: [Int64] = []
    /// Identifiers of new quarantine entries.
    package var quarantined: [Int64] = []
    /// What of the rows could not be received, a phrase for each property.
    package var leftOut: [String] = []
}
