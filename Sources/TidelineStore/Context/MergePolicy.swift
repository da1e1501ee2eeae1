// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a save does with an object that another context, or a sync, changed since it was read.
public enum MergePolicy: String, Hashable, Sendable {
    /// Whatever the other changed refuses the save.
    case strict
    /// Changes of different properties merge; a property that both changed refuses the save.
    case byProperty
    /// Changes merge, and this context wins where both changed a property, or one deleted what the other changed.
    case preferMine
    /// Changes merge, and the store wins where both changed a property, or one deleted what the other changed.
    case preferTheirs
}
