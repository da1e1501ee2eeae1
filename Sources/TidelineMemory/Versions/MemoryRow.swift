// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// One version of one entity.
struct MemoryRow: Sendable {
    /// The values, in the order of the entity type's properties.
    var values: [Value]
    /// The transaction that made it.
    var transaction: UInt64
}
