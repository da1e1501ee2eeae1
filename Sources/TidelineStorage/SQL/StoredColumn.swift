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

    var property: Property { properties[place] }
}
