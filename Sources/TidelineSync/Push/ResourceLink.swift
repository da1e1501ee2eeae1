// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Links to entities and sets, relative to the service root and percent-encoded.
enum ResourceLink {
    /// `Orders(42)`, `OrderDetails(OrderID=1,Line=2)`.
    static func entity(_ key: Key, in set: EntitySet) -> String {
        ResourceURL.entity(set: set.names.wire, key: key, type: set.type)
    }

    /// `Orders`.
    static func set(_ set: EntitySet) -> String { PercentCoding.encode(segment: set.names.wire) }
}
