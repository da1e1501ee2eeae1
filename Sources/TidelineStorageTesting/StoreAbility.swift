// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a test does to a database from outside the store, or asks of it beside the contract.
public enum StoreAbility: Hashable, Sendable {
    /// Runs SQL as another program would.
    case sql
    /// Is closed and opened again, as after a restart.
    case reopening
    /// Goes back to a copy of itself, as from a backup.
    case copies
    /// Has its change log begun anew, as when lost capture is restored.
    case epochs
    /// Checks the items of collections: tables of their own have constraints.
    case itemChecks
    /// Keeps not-a-number in properties of `Edm.Double` and `Edm.Single`.
    case notANumber
}
