// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// An object that both a context and somebody else changed: all three versions of it.
///
///     base     what the context had read
///     mine     what the context made of it, nil where it deletes
///     theirs   what the store has now, nil where it was deleted
public struct StaleObject: Hashable, Sendable {
    /// How it ends.
    public enum Resolution: Hashable, Sendable {
        /// Mine as a whole is what the next save writes; also over what only the other changed.
        case keepMine
        /// Theirs stays, and nothing of mine is pending any more.
        case keepTheirs
        /// What one side changed is kept, and mine where both did, but for the properties given here.
        case merge([String: Value] = [:])
    }

    /// The wire name of the entity set.
    public var set: String
    public var key: Key
    /// The values by the wire names of the properties.
    public var base: [String: Value]
    public var mine: [String: Value]?
    public var theirs: [String: Value]?
    /// The wire names of the properties that both gave another value, in the order of the entity type.
    public var clashes: [String]
}
