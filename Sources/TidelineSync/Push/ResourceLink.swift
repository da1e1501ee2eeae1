// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// Links to entities and sets, relative to the service root and percent-encoded.
enum ResourceLink {
    /// `Orders(42)`, `OrderDetails(OrderID=1,Line=2)`.
    static func entity(_ key: Key, in set: EntitySet) -> String {
        PercentCoding.encode(set.names.wire) + encodedKey(key, set.type)
    }

    /// `Orders`.
    static func set(_ set: EntitySet) -> String { PercentCoding.encode(set.names.wire) }

    private static func encodedKey(_ key: Key, _ type: EntityType) -> String {
        let values = key.values.map { PercentCoding.encode(ExpressionPrinter.literal($0)) }
        if values.count == 1 { return "(\(values[0]))" }
        let named = zip(type.key, values).map { "\(PercentCoding.encode(type.properties[$0].names.wire))=\($1)" }
        return "(" + named.joined(separator: ",") + ")"
    }
}
