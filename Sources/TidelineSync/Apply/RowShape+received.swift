// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

extension RowShape {
    /// What a device receives of a set: an integer of any width that the file holds.
    ///
    /// The service may have widened a property since the device got its model. What it sends is stored all the same; an
    /// app that reads it as a narrower type is told then, and its other rows go on.
    static func received(_ set: EntitySet, columns: [Int]? = nil) -> RowShape {
        var shape = RowShape(set, columns: columns)
        for place in shape.columns.indices where shape.columns[place].type.integerRange != nil {
            shape.columns[place].type = .int64
        }
        return shape
    }
}
