// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel
import TidelineStorage

/// A row as a request wants it, which the database has not taken.
struct ProposedRow: PropertySource {
    let model: EntityModel
    let reader: any StoreReader
    let set: EntitySet
    /// What the request gives, by place.
    let given: [Int: Value]
    /// The row as it is; `nil` when the request makes one.
    let current: StoredEntity?

    /// Whether all that a condition asks of the row itself is known: of a new row, what the request gives.
    func knows(_ condition: TypedExpression) -> Bool {
        current != nil
            || condition.paths.allSatisfy { path in
                let places = path.navigations.first.map { set.type.navigationProperties[$0].constraints.map(\.source) }
                return (places ?? [path.property]).allSatisfy { given[$0] != nil }
            }
    }

    func value(at path: TypedExpression.Path) throws -> Value {
        var set = set
        var row = set.type.properties.indices.map { given[$0] ?? current?.values[$0] ?? .null }
        for step in path.navigations {
            let navigation = set.type.navigationProperties[step]
            guard let target = model[set: navigation.targetSet] else { return .null }
            let key = target.type.key.compactMap { part in
                navigation.constraints.first { $0.target == part }.map { row[$0.source] }
            }
            guard key.count == target.type.key.count, !key.contains(.null),
                let next = try reader.entity(Key(key), in: target)
            else { return .null }
            (row, set) = (next.values, target)
        }
        return row[path.property]
    }
}
