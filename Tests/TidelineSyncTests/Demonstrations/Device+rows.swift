// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage
import TidelineStore

extension Device {
    /// The rows of a set in the order of their keys, by the names of their properties.
    func rows(_ name: String) throws -> [[String: Value]] {
        guard let set = store.model[set: name] else { return [] }
        let plan = ReadPlan(model: store.model, set: set, columns: Array(set.type.properties.indices))
        return try store.read { try $0.fetch(plan) }
    }

    /// The keys of a set's rows, in order.
    func keys(_ name: String) throws -> [Int64] {
        try rows(name).compactMap { row in
            guard case .integer(let key)? = row["Id"] else { return nil }
            return key
        }
    }
}
