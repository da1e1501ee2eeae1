// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineOData

/// The structural properties that `$select` chooses; the key is always among them, for rows are known by it.
struct Selection {
    /// The places of the properties, in the order of the type.
    let columns: [Int]

    /// - Parameter items: the items of `$select`, or `nil` for all.
    init(_ items: [SelectItem]?, _ set: EntitySet) throws(ODataError) {
        let type = set.type
        let all = type.properties.indices.filter { !type.properties[$0].isLocalOnly }
        guard let items, !items.contains(.all) else {
            columns = all
            return
        }
        var chosen = Set(type.key)
        for case .property(let name) in items {
            if let place = type.propertyIndex(wire: name), !type.properties[place].isLocalOnly {
                chosen.insert(place)
            } else if type.navigationIndex(wire: name) == nil {
                throw ODataError(.invalidSelect, "\(set.names.wire) has no property \(name).", target: name)
            }
        }
        columns = chosen.sorted()
    }
}
