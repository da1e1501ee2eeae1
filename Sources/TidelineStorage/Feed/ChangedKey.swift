// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

public import TidelineModel

/// One key that changed since a position.
public struct ChangedKey: Hashable, Sendable {
    /// `nil` where it is none of the entity type's, as that of a row which another program wrote with a null, or a text in
    /// a number: who tells of changes has to look whether such a row is there.
    public var key: Key?
    /// The entity as it was at the position: the before-image of its first change since.
    ///
    /// `nil` when it did not exist.
    ///
    /// In the order of the entity type's properties. A value too long for the log is `nil`.
    public var before: [Value?]?

    public init(key: Key?, before: [Value?]?) {
        self.key = key
        self.before = before
    }
}
