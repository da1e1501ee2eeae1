// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// A row of a list as it was read: what tells it from others, where it stands, and how it looks.
struct ListRow<Row> {
    let key: Key
    /// The values of the plan's complete order: the section first, the key last.
    let order: [Value]
    /// A hash of what is shown: rows with equal ones look alike.
    let print: Int
    /// What the row is, where it is kept.
    let row: Row?

    /// The value of the section.
    func section(_ isSectioned: Bool) -> Value { isSectioned ? order[0] : .null }
}

extension ListRow: Sendable where Row: Sendable {}
