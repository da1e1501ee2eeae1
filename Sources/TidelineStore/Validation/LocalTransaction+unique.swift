// Copyright 2026 the Tideline authors.
// SPDX-License-Identifier: Apache-2.0

import TidelineModel

/// Unique values of what the device wrote, checked on the rows as they end, so that a swap passes.
extension LocalTransaction {
    func checkUniqueValues(_ changes: [OutboxChange]?) throws {
        for (index, record) in records.enumerated() {
            let set = layout.sets[index]
            guard let record, !set.set.type.uniqueKeys.isEmpty else { continue }
            if let changes {
                try checkUnique(changes.filter { $0.set == index && $0.operation != .delete }, set)
            } else {
                var rows: [[Value]] = []
                try unsafe record.withBytes { rows = try unsafe OutboxRecord.decode($0, set).map(\.row) }
                for row in rows {
                    for places in set.set.type.uniqueKeys { try checkUnique(places, row, set) }
                }
            }
        }
    }

    /// Checks each row that changes touch once, and of its unique values those that they touch.
    private func checkUnique(_ changes: [OutboxChange], _ set: SetLayout) throws {
        for places in set.set.type.uniqueKeys {
            var seen = Set<[Value]>()
            for change in changes where places.contains(where: { change.after($0) != nil }) {
                guard seen.insert(change.key).inserted, let row = try connection.row(set, change.key) else { continue }
                try checkUnique(places, row.values, set)
            }
        }
    }

    private func checkUnique(_ places: [Int], _ row: [Value], _ set: SetLayout) throws {
        let values = places.map { row[$0] }
        guard !values.contains(.null) else { return }
        let sql = "SELECT 1 FROM main.\(set.table) WHERE \(set.matches(places)) LIMIT 2"
        let found = try connection.query(sql, { connection.append(values, places, set, to: $0) }) { _ in true }
        guard found.count > 1 else { return }
        try failures.add(
            .duplicateValue,
            ValidationFailure(
                set: set.name,
                key: Key(set.key.map { row[$0] }),
                properties: set.names(places),
                rule: .unique
            )
        )
    }
}
