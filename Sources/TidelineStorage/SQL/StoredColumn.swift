// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The column of a property, as the property's place among those of its type: a property itself is slow to copy.
struct StoredColumn {
    private let properties: [Property]
    private let place: Int

    init(of set: EntitySet, at place: Int) {
        properties = set.type.properties
        self.place = place
    }

    /// What holds values as a column of the property would, such as the result of a function.
    init(like property: Property) {
        properties = [property]
        place = 0
    }

    var property: Property { properties[place] }
}
