// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What one step of a compaction did.
public struct LogCompaction: Hashable, Sendable {
    /// How many entries were removed.
    public var removed: Int
    /// Whether nothing more is to be removed now.
    public var isFinished: Bool

    public init(removed: Int, isFinished: Bool) {
        self.removed = removed
        self.isFinished = isFinished
    }
}
