// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What is pending of an object of a context.
///
///     unchanged ──set──► modified ──set back, revert──► unchanged
///     insert ──► added (in edit mode: addedInEditMode ──post──► added) ──save──► unchanged
///     delete ──► deleted ──save──► detached
public enum RowState: String, Hashable, Sendable, CaseIterable {
    /// As the store has it.
    case unchanged
    /// New; the store has no row of it.
    case added
    /// New and not posted: cancelling leaves nothing of it, and saving leaves it out.
    case addedInEditMode
    /// A property has another value than in the store.
    case modified
    /// Marked to be deleted by the next save.
    case deleted
    /// Of no context any more: deleted and saved, abandoned, or its context is gone.
    case detached
}
