// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// The negative keys that the service gives to rows of its own.
extension ServerEffects {
    /// Takes notice of the negative keys that rows of the service have.
    ///
    /// - Parameters:
    ///   - table: the quoted name of a table of rows as they came.
    ///   - condition: which of its rows count.
    func noteServerKeys(of set: SetLayout, in table: String, where condition: String = "1") throws {
        for place in set.key where set.rules[place].isGeneratedKey {
            let key = set.column(place)
            let temporary = try connection.temporaryKeys()
            let lowest = try connection.query(
                """
                SELECT \(key) FROM main.\(table) WHERE \(key) >= ? AND \(key) < ? AND \(condition)
                ORDER BY \(key) LIMIT 1
                """,
                {
                    $0.integer(temporary.lowerBound)
                    $0.integer(temporary.upperBound)
                }
            ) { $0.integer(0) }
            if let lowest = lowest.first { try makeRoom(for: lowest, among: temporary) }
        }
    }

    /// Takes notice of the key that the service gave to a row.
    func noteServerKey(_ key: [Value], of set: SetLayout) throws {
        for (place, value) in zip(set.key, key) where set.rules[place].isGeneratedKey {
            guard case .integer(let number) = value, number < 0 else { continue }
            let temporary = try connection.temporaryKeys()
            if temporary.contains(number) { try makeRoom(for: number, among: temporary) }
        }
    }

    /// Gives all rows whose temporary keys are not below a key of the service others that are.
    private func makeRoom(for key: Int64, among temporary: Range<Int64>) throws {
        try connection.lowerTemporaryKeys(below: key)
        func isAbove(_ change: OutboxChange) -> Bool {
            let set = layout.sets[change.set]
            return change.operation == .insert
                && zip(set.key, change.key).contains { place, value in
                    guard set.rules[place].isGeneratedKey, case .integer(let number) = value else { return false }
                    return number >= key && temporary.contains(number)
                }
        }
        let changes = log.entries.flatMap(\.changes) + quarantine.flatMap(\.changes)
        var moved = Set<RowIdentity>()
        for row in changes.filter(isAbove).map(\.identity) where moved.insert(row).inserted {
            // The service's rows may refer to its own of that key.
            try giveTemporaryKey(row, layout.sets[row.set], isReused: true)
        }
    }
}
