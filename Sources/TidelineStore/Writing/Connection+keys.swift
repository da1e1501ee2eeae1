// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

extension Connection {
    static func checked(_ key: Key, _ set: SetLayout) throws -> [Value] {
        guard key.values.count == set.key.count else {
            throw LocalStoreError(
                .invalidKey,
                set: set.name,
                message: "The key of '\(set.name)' has \(set.key.count) values."
            )
        }
        return try zip(set.key, key.values).map { place, value in
            guard !value.isNull, let value = value.promoted(to: set.columns[place].property.type) else {
                throw LocalStoreError(
                    .invalidKey,
                    set: set.name,
                    properties: [set.columns[place].property.names.wire],
                    message: "The key of '\(set.name)' has a value of another type."
                )
            }
            return value
        }
    }
}

extension SetLayout {
    /// What `SET` takes: `"a" = ?, "b" = ?`.
    func matchesForSetting(_ places: [Int]) -> String {
        places.map { "\(column($0)) = ?" }.joined(separator: ", ")
    }

    func names(_ places: [Int]) -> [String] { places.map { columns[$0].property.names.wire } }
}
