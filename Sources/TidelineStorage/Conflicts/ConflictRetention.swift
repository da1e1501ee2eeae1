// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// How much of a conflict log is kept: what is older, or beyond the number or the size, goes with the next compaction.
package enum ConflictRetention {
    /// The most entries.
    package static let entries: Int64 = 10_000
    /// The most bytes of values that lost or won.
    package static let bytes: Int64 = 64 << 20
}
