// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What settling outcomes did.
package struct SettleReport: Hashable, Sendable {
    package var accepted = 0
    /// Identifiers of new quarantine entries, dependants included.
    package var quarantined: [Int64] = []
    /// Identifiers of new conflict entries.
    package var conflicts: [Int64] = []
    /// Rows in which both sides' changes were joined.
    package var merged = 0
    /// The transactions that are pending again, by their new number.
    package var rebased: [Int64] = []
}
