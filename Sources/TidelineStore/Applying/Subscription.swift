// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

/// What a device holds of one entity set.
package struct Subscription: Hashable, Sendable {
    /// The wire name of the entity set.
    package var set: String
    /// The text of `$filter`, or `nil` for every row that the user may read.
    package var filter: String?
    /// The wire names of the properties, or `nil` for all.
    package var properties: [String]?
    /// Where the next changes are asked for, or `nil` before the first load.
    package var deltaLink: String?

    package init(set: String, filter: String? = nil, properties: [String]? = nil, deltaLink: String? = nil) {
        self.set = set
        self.filter = filter
        self.properties = properties
        self.deltaLink = deltaLink
    }
}
